"""Callbacks to the gateway: their JSON, their schedule and the HTTP requests."""
