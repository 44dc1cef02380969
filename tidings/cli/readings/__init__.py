"""`tidings readings`."""
