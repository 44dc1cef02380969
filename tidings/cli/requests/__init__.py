"""The log of API calls."""
