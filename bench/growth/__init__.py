"""Whether it stays as fast when the tables have grown: 10 million finished messages and a million
that wait, beside a database that is nearly empty."""
