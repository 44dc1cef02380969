"""What generate.py writes from the OpenAPI document of the service."""
