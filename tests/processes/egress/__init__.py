"""Tricks to make the service connect to where its customers have nothing to look for."""
