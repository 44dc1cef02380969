"""`tidings privacy`."""
