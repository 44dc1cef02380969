"""`/simulator/...`: endpoints that act as guests, change the platform's state and inject faults."""
