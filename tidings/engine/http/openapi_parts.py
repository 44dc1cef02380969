"""The parts of the OpenAPI document that no struct describes: envelope, headers, key, webhooks."""

from typing import Any

from tidings import limits
from tidings.errors import Code

Json = dict[str, Any]

DESCRIPTION = f"""\
Every answer is JSON in one envelope: `success`, `environment`, and `data` or `error`. Every \
answer has the header `X-Request-Id`; an error repeats it as `requestId` and links to its own \
explanation.

A request may be at most 20MB ({limits.REQUEST_BYTES_MAX:,} bytes). Unknown fields are refused, \
and `null` is not the same as absent. Times are RFC 3339: give an offset; you get UTC with \
milliseconds.

An account may make {limits.REQUESTS_PER_MINUTE_DEFAULT} requests a minute, unless agreed \
otherwise; `RateLimit-Remaining` says how many are left, and a 429 says in `Retry-After` when to \
come back."""

ENVIRONMENT: Json = {"type": "string", "enum": ["live", "sandbox"]}

KEY: Json = {
    "type": "apiKey",
    "in": "header",
    "name": "x-api-key",
    "description": "The account's API key, `td_live_…` or `td_sandbox_…`.",
}

_TEXT: Json = {"type": "string"}
_COUNT: Json = {"type": "integer", "minimum": 0}

HEADERS: Json = {
    "X-Request-Id": {"description": "Names this answer; tell it to support.", "schema": _TEXT},
    "RateLimit-Limit": {"description": "Requests a minute.", "schema": _COUNT},
    "RateLimit-Remaining": {"description": "How many may come now.", "schema": _COUNT},
    "RateLimit-Reset": {"description": "Seconds until all may come again.", "schema": _COUNT},
    "X-Duplicate-Mismatch": {
        "description": "Of a repeated clientMessageId: the original went to another number (`to`).",
        "schema": {"type": "string", "enum": ["to"]},
    },
    "Retry-After": {
        "description": "Seconds to wait before the same request will do.",
        "schema": {"type": "integer", "minimum": 1},
    },
}

ERROR: Json = {
    "type": "object",
    "title": "Error",
    "required": ["success", "error"],
    "properties": {
        "success": {"const": False},
        "environment": {**ENVIRONMENT, "description": "Present once the account is known."},
        "error": {
            "type": "object",
            "required": ["code", "message", "requestId", "docUrl"],
            "properties": {
                "code": {"type": "string", "enum": [code.name for code in Code]},
                "message": {"type": "string", "description": "The cause and the remedy."},
                "field": {
                    "type": "string",
                    "description": "Where the fault is, such as `messages[3].to`.",
                },
                "requestId": _TEXT,
                "docUrl": {"type": "string", "description": "The page that explains the code."},
            },
            "additionalProperties": True,
        },
    },
}

WEBHOOK_HEADERS: dict[str, Json] = {
    "X-Timestamp": {**_TEXT, "description": "Unix time in seconds."},
    "X-Signature": {
        **_TEXT,
        "description": "`sha256=` and the hex of HMAC-SHA256, keyed with the signing secret, over "
        "X-Timestamp, a dot and the raw body.",
    },
    "X-Webhook-Id": {**_TEXT, "description": "The same at every attempt; use it to skip repeats."},
    "X-Delivery-Attempt": {"type": "integer", "minimum": 1, "description": "1 at first."},
}

WEBHOOK_PROPERTIES: Json = {
    "id": {**_TEXT, "description": "Equals X-Webhook-Id."},
    "type": _TEXT,
    "createdAt": {"type": "string", "format": "date-time"},
    "environment": ENVIRONMENT,
    "accountId": _TEXT,
}
