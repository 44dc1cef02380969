"""Tables as files: a consistent copy of a database, written and read with COPY."""
