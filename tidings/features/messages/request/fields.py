"""Fields that several endpoints share: their types for OpenAPI, and how they are parsed. Pure."""

import json
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta

from tidings import limits, phone
from tidings.errors import ApiError, Code
from tidings.features.senders.number_selection import POLICIES, SenderCode
from tidings.features.templates.rules import TemplateCode
from tidings.wording import quote

T = TypeVar("T")
ClientMessageId = Annotated[
    str,
    Meta(
        min_length=limits.CLIENT_MESSAGE_ID_CHARS.low,
        max_length=limits.CLIENT_MESSAGE_ID_CHARS.high,
        description="The caller's id: matching key and 48-hour de-duplication.",
    ),
]
# For passcodes and forms, for which section 8 gives no minimum length.
AnyMessageId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=limits.CLIENT_MESSAGE_ID_CHARS.high,
        description="The caller's id; without it the message gets one.",
    ),
]
Phone = Annotated[
    str,
    Meta(
        description="International format, 8 to 20 digits; a leading 00 is not counted.",
        extra_json_schema={"pattern": phone.PATTERN},
    ),
]
Timestamp = Annotated[
    str,
    Meta(description="RFC 3339 with an offset.", extra_json_schema={"format": "date-time"}),
]
TemplateName = Annotated[
    str,
    Meta(min_length=limits.TEMPLATE_NAME_CHARS.low, max_length=limits.TEMPLATE_NAME_CHARS.high),
]
TemplateParams = Annotated[
    list[Annotated[str, Meta(max_length=limits.TEMPLATE_PARAM_CHARS.high)]],
    Meta(
        max_length=limits.TEMPLATE_PARAMS_MAX,
        description="Header text, body, then URL-button variables, in order.",
    ),
]
FromPolicy = Annotated[
    Any,
    Meta(
        extra={"code": SenderCode.INVALID_FROM_POLICY},
        extra_json_schema={"type": "string", "enum": list(POLICIES)},
    ),
]
MetaObject = Annotated[
    msgspec.Raw,
    Meta(
        description="At most 4 KB as compact JSON, 16 KB as sent; echoed verbatim in every event.",
        extra={"rule": "an object of at most 4096 bytes as compact JSON"},
        extra_json_schema={"type": "object", "additionalProperties": True},
    ),
]
ButtonPayloads = Annotated[
    Any,
    Meta(
        extra={"code": TemplateCode.INVALID_BUTTON_PAYLOAD},
        description="Quick-reply payloads in template order; default is clientMessageId.",
        extra_json_schema={
            "type": "array",
            "minItems": limits.BUTTON_PAYLOADS.low,
            "maxItems": limits.BUTTON_PAYLOADS.high,
            "items": {
                "type": "string",
                "minLength": limits.BUTTON_PAYLOAD_CHARS.low,
                "maxLength": limits.BUTTON_PAYLOAD_CHARS.high,
            },
        },
    ),
]
EventRef = Annotated[
    str, Meta(max_length=limits.LOOKUP_ID_CHARS_MAX, description="A registered event.")
]
TemplateLang = Annotated[str, Meta(min_length=1, max_length=16)]


def given(value: Any, read: Callable[[Any, str], T], field: str) -> T | None:
    return None if value is UNSET else read(value, field)


def is_id(text: str) -> bool:
    return bool(text.strip()) and text.isprintable()


def require_id(client_message_id: str, *, quoted: bool = True) -> None:
    if not is_id(client_message_id):
        got = f", got {quote(client_message_id)}" if quoted else ""
        raise refusal("clientMessageId", f"must be printable text, not only spaces{got}")


def require_said(field: str, text: str) -> None:
    if not text.strip():
        raise refusal(field, "must not be blank")


def require_payloads(value: object, field: str) -> tuple[str, ...]:
    if (
        isinstance(value, list)
        and len(value) in limits.BUTTON_PAYLOADS
        and all(isinstance(v, str) and len(v) in limits.BUTTON_PAYLOAD_CHARS for v in value)
    ):
        return tuple(value)
    problem = f"{field} must be 1 to 10 strings of 1 to 128 characters each{_got(value)}"
    raise ApiError(TemplateCode.INVALID_BUTTON_PAYLOAD, problem, field=field)


def _got(value: object) -> str:
    """What the error message shows: the count, or the first text of invalid length."""
    if not isinstance(value, list):
        return f", got {quote(value)}" if isinstance(value, str) else ""
    if len(value) not in limits.BUTTON_PAYLOADS:
        return f", got {len(value):,}"
    texts = (item for item in value if isinstance(item, str))
    wrong = next((text for text in texts if len(text) not in limits.BUTTON_PAYLOAD_CHARS), None)
    return "" if wrong is None else f", got {quote(wrong)}"


def meta(value: msgspec.Raw, field: str) -> str:
    """The JSON verbatim. Its size is measured compact, as UTF-8 (contract.md)."""
    raw = bytes(value)
    if not raw.startswith(b"{"):
        raise refusal(field, "must be an object")
    if len(raw) > limits.META_SENT_BYTES_MAX or (
        len(raw) > limits.META_BYTES_MAX and _compact_size(raw) > limits.META_BYTES_MAX
    ):
        most = f"{limits.META_BYTES_MAX} bytes as compact JSON"
        raise refusal(field, f"must be at most {most}, and {limits.META_SENT_BYTES_MAX} as sent")
    return raw.decode()


def _compact_size(raw: bytes) -> int:
    try:
        plain = json.dumps(json.loads(raw), ensure_ascii=False, separators=(",", ":"))
        return len(plain.encode())
    except (ValueError, RecursionError):  # a number of thousands of digits
        return len(raw)


def refusal(field: str, rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field} {rule}", field=field)
