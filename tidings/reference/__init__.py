"""What the API reference says beside the declarations: the order, and the meanings of fields.

Everything else in the OpenAPI document comes from the endpoints and their structs.
"""

from tidings.engine.http.openapi_schemas import Words

from .chapters import CHAPTERS, ORDER
from .client_methods import METHODS
from .event_fields import EVENT_FIELDS
from .fields import FIELDS
from .struct_fields import STRUCT_FIELDS
from .structs import STRUCTS

WORDS = Words(CHAPTERS, ORDER, STRUCTS, {**FIELDS, **EVENT_FIELDS, **STRUCT_FIELDS}, METHODS)
