"""The `webhooks` of the OpenAPI document: what is posted to a customer's server. Pure."""

from dataclasses import dataclass
from typing import Any

from tidings.engine.http import openapi_parts as parts
from tidings.engine.http.openapi_schemas import Schemas, capitalised, parameter

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Webhook:
    """One kind of event: when it is posted, the type of its `data`, and a whole body."""

    name: str
    data: Any
    when: str = ""
    example: Json | None = None


def webhook(hook: Webhook, schemas: Schemas) -> Json:
    """The path item of one kind."""
    name = capitalised(hook.name.replace("_", ".").split("."))
    content: Json = {"schema": schemas.add(f"{name}Event", _schema(hook, schemas))}
    content |= {"example": hook.example} if hook.example else {}
    return {
        "post": {
            "operationId": f"on{name}",
            "summary": hook.name,
            "description": f"{hook.when} Posted to your webhook URL.".strip(),
            "security": [],
            "parameters": [
                parameter(
                    header, "header", schema, required=header not in parts.WEBHOOK_HEADERS_AT_TIMES
                )
                for header, schema in parts.WEBHOOK_HEADERS.items()
            ],
            "requestBody": {"required": True, "content": {"application/json": content}},
            "responses": {"2XX": {"description": "Delivered. Any other response is retried."}},
        }
    }


def _schema(hook: Webhook, schemas: Schemas) -> Json:
    data, known = schemas.of(hook.data), schemas.description(hook.data)
    return {
        "type": "object",
        "description": hook.when or "An event.",
        "required": ["id", "type", "createdAt", "environment", "accountId", "data"],
        "properties": {
            **parts.WEBHOOK_PROPERTIES,
            "type": {"type": "string", "const": hook.name, "description": "The kind of event."},
            "data": {**data, "description": known} if known else data,
        },
    }
