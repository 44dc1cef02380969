"""What the API reference says beside the declarations: the chapters, and the meanings of fields.

Everything else in the OpenAPI document comes from the endpoints and their structs.
"""
