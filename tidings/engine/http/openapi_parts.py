"""The parts of the OpenAPI document that no struct describes: envelope, headers, key, webhooks."""

from collections.abc import Iterable
from typing import Any

from tidings import limits
from tidings.errors import ErrorCode

Json = dict[str, Any]

DESCRIPTION = f"""\
Every response is JSON in one envelope: `success`, `environment`, and `data` or `error`. Every \
response has the header `X-Request-Id`; an error repeats it as `requestId` and links to its own \
explanation.

A request may be at most 20MB ({limits.REQUEST_BYTES_MAX:,} bytes). Unknown fields are refused, \
and `null` is not the same as absent. Times are RFC 3339: give an offset; you get UTC with \
milliseconds.

An account may make {limits.REQUESTS_PER_MINUTE_DEFAULT} requests a minute, unless agreed \
otherwise; `RateLimit-Remaining` is how many are left. `Retry-After` of a 429 or 503 says in how \
many seconds to try again.

A program that acts for somebody, such as an assistant, names itself in the header \
`X-Assistant`: what it changes is then recorded in the account's audit log."""

TRUE: Json = {"type": "boolean", "enum": [True], "description": "Whether the request succeeded."}
ENVIRONMENT: Json = {"$ref": "#/components/schemas/Environment"}

KEY: Json = {
    "type": "apiKey",
    "in": "header",
    "name": "x-api-key",
    "description": "The account's API key, `td_live_…` or `td_sandbox_…`.",
}

_TEXT: Json = {"type": "string"}
_COUNT: Json = {"type": "integer", "minimum": 0}

HEADERS: Json = {
    "X-Request-Id": {
        "description": "Identifies this response; give it to support.",
        "schema": _TEXT,
    },
    "RateLimit-Limit": {
        "description": "Requests per minute allowed for this key.",
        "schema": _COUNT,
    },
    "RateLimit-Remaining": {"description": "Requests left now.", "schema": _COUNT},
    "RateLimit-Reset": {
        "description": "Seconds until the full limit is available again.",
        "schema": _COUNT,
    },
    "X-Duplicate-Mismatch": {
        "description": "Of a repeated clientMessageId: the original went to another number (`to`).",
        "schema": {"type": "string", "enum": ["to"]},
    },
    "Retry-After": {
        "description": "Seconds to wait before the next try; on 429 and 503.",
        "schema": {"type": "integer", "minimum": 1},
    },
}

_ERROR: Json = {
    "type": "object",
    "title": "Error",
    "description": "The envelope of every error.",
    "required": ["success", "error"],
    "properties": {
        "success": {
            "type": "boolean",
            "enum": [False],
            "description": "Whether the request succeeded.",
        },
        "environment": {**ENVIRONMENT, "description": "Present once the account is known."},
        "error": {"$ref": "#/components/schemas/ErrorDetail"},
    },
}

_ERROR_DETAIL: Json = {
    "type": "object",
    "description": "Some codes have further fields; the page of the code names them.",
    "required": ["code", "message", "requestId", "docUrl"],
    "properties": {
        "code": {"$ref": "#/components/schemas/ErrorCode"},
        "message": {"type": "string", "description": "The cause and the remedy."},
        "field": {
            "type": "string",
            "description": "The field at fault, such as `messages[3].to`.",
        },
        "requestId": {"type": "string", "description": "Equals the header X-Request-Id."},
        "docUrl": {"type": "string", "description": "The page that explains the code."},
    },
    "additionalProperties": True,
}

_ENVIRONMENTS: Json = {
    "type": "string",
    "enum": ["live", "sandbox"],
    "description": "`live` sends for real; in `sandbox` messages reach no one.",
}


def schemas(codes: Iterable[ErrorCode]) -> Json:
    """The components that no struct describes."""
    return {
        "Environment": _ENVIRONMENTS,
        "Error": _ERROR,
        "ErrorDetail": _ERROR_DETAIL,
        "ErrorCode": {
            "type": "string",
            "enum": [code.name for code in codes],
            "description": "Codes never change their meaning.",
        },
    }


_OF_ERRORS = (
    "X-Request-Id",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
)

RESPONSES: Json = {
    "Error": {
        "description": "An error; `error.code` says which.",
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in _OF_ERRORS},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
}

WEBHOOK_HEADERS: dict[str, Json] = {
    "X-Timestamp": {**_TEXT, "description": "Unix time in seconds."},
    "X-Signature": {
        **_TEXT,
        "description": "`sha256=` and the hex of HMAC-SHA256, keyed with the signing secret, over "
        "X-Timestamp, a dot and the raw body.",
    },
    "X-Signature-Previous": {
        **_TEXT,
        "description": "For 24 hours after the signing secret was changed: the same, made with the "
        "secret before.",
    },
    "X-Webhook-Id": {
        **_TEXT,
        "description": "The same at every attempt; use it to skip duplicates.",
    },
    "X-Delivery-Attempt": {"type": "integer", "minimum": 1, "description": "Starts at 1."},
    "webhook-id": {**_TEXT, "description": "Equals X-Webhook-Id, as Standard Webhooks names it."},
    "webhook-timestamp": {**_TEXT, "description": "Equals X-Timestamp."},
    "webhook-signature": {
        **_TEXT,
        "description": "Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over webhook-id, a "
        "dot, webhook-timestamp, a dot and the raw body, keyed with what the part of the signing "
        "secret after `whsec_` is the base64 of. For 24 hours after the secret was changed two of "
        "them, a space between: the new secret's and the one's before.",
    },
}
WEBHOOK_HEADERS_AT_TIMES = ("X-Signature-Previous",)

WEBHOOK_PROPERTIES: Json = {
    "id": {**_TEXT, "description": "Equals X-Webhook-Id."},
    "createdAt": {
        "type": "string",
        "format": "date-time",
        "description": "When it happened, in the account's time.",
    },
    "environment": ENVIRONMENT,
    "accountId": {**_TEXT, "description": "The account it happened in."},
}
