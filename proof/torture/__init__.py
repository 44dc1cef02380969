"""Real processes under torture: servers, workers and databases are killed, stopped, cut off and
starved while a customer sends, and then everything that anybody recorded is compared."""
