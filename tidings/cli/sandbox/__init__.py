"""The simulated guest and the clock of a sandbox account."""
