"""What people write for the API reference: chapters, meanings of fields, examples.

The rest of the OpenAPI document comes from the routes and structs themselves.
"""
