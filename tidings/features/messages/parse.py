"""From the JSON of POST /messages/text (4.1) to a `Wanted`. Pure.

The struct says what the types are, and OpenAPI shows it; the functions say the rest.
"""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, phone, times
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.senders.rules import POLICIES, require_policy
from tidings.platforms.content import Text

from .model import Kind, TemplateWish, Wanted

T = TypeVar("T")

ClientMessageId = Annotated[
    str,
    Meta(
        min_length=limits.CLIENT_MESSAGE_ID_CHARS.low,
        max_length=limits.CLIENT_MESSAGE_ID_CHARS.high,
        description="The caller's id: matching key and 48-hour de-duplication.",
    ),
]
Phone = Annotated[
    str,
    Meta(
        description="International format, 8 to 20 digits.",
        extra_json_schema={"pattern": "^[0-9]{8,20}$"},
    ),
]
Moment = Annotated[
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
        extra={"code": Code.INVALID_FROM_POLICY},
        extra_json_schema={"type": "string", "enum": list(POLICIES)},
    ),
]
MetaObject = Annotated[
    msgspec.Raw,
    Meta(
        description="At most 4 KB as compact JSON; echoed back verbatim in every event.",
        extra_json_schema={"type": "object", "additionalProperties": True},
    ),
]


class TextBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /messages/text"""

    client_message_id: ClientMessageId
    to: Phone
    template_name: TemplateName | UnsetType = UNSET
    template_lang: Annotated[str, Meta(min_length=1, max_length=16)] | UnsetType = UNSET
    template_params: TemplateParams | UnsetType = UNSET
    message: Annotated[str, Meta(min_length=1, max_length=limits.MESSAGE_CHARS_MAX)] | UnsetType = (
        UNSET
    )
    kind: (
        Annotated[str, Meta(extra_json_schema={"enum": ["notification", "invitation"]})] | UnsetType
    ) = UNSET
    expires_at: Moment | UnsetType = UNSET
    scheduled_for: Moment | UnsetType = UNSET
    deadline: Moment | UnsetType = UNSET
    sent_from: Phone | UnsetType = UNSET
    from_policy: FromPolicy | UnsetType = UNSET
    meta: MetaObject | UnsetType = UNSET
    button_payloads: (
        Annotated[
            Any,
            Meta(
                extra={"code": Code.INVALID_BUTTON_PAYLOAD},
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
        | UnsetType
    ) = UNSET


def text(account: Account, body: TextBody) -> Wanted:
    """A wanted message, each of its fields in order."""
    require_id(body.client_message_id)
    wanted = Wanted(
        account_id=account.id,
        client_message_id=body.client_message_id,
        to=phone.require(body.to),
        template=_template(body),
        free=None if body.message is UNSET else Text(body.message),
        kind=_kind(body),
        expires_at=given(body.expires_at, moment, "expiresAt"),
        scheduled_for=given(body.scheduled_for, moment, "scheduledFor"),
        deadline=given(body.deadline, moment, "deadline"),
        sent_from=given(body.sent_from, _sent_from, "sentFrom"),
        from_policy=None if body.from_policy is UNSET else require_policy(body.from_policy),
        meta=given(body.meta, meta, "meta"),
    )
    if wanted.template is None and wanted.free is None and wanted.kind is not Kind.INVITATION:
        raise _refusal("templateName", "or message must be given: there is nothing to send")
    return wanted


def given(value: Any, read: Callable[[Any, str], T], field: str) -> T | None:
    return None if value is UNSET else read(value, field)


def require_id(client_message_id: str) -> None:
    if not client_message_id.strip() or not client_message_id.isprintable():
        raise _refusal("clientMessageId", "must be printable text, not only spaces")


def moment(value: str, field: str) -> datetime:
    try:
        return times.parse(value)
    except ValueError as reason:
        raise _refusal(field, str(reason)) from None


def _sent_from(value: str, field: str) -> str:
    if not phone.is_phone(value):
        raise ApiError(
            Code.INVALID_SENDER, f"{field} must be one of the account's numbers", field=field
        )
    return value


def _kind(body: TextBody) -> Kind:
    if body.kind is UNSET:
        return Kind.NOTIFICATION
    if body.kind not in (Kind.NOTIFICATION, Kind.INVITATION):
        raise _refusal("kind", "must be notification or invitation")
    kind = Kind(body.kind)
    if kind is Kind.INVITATION and body.expires_at is UNSET:
        raise _refusal("expiresAt", "is needed: an invitation needs eventId or expiresAt")
    return kind


def _template(body: TextBody) -> TemplateWish | None:
    payloads = None if body.button_payloads is UNSET else require_payloads(body.button_payloads)
    if body.template_name is UNSET:
        _require_template_for(body)
        return None
    return TemplateWish(
        name=body.template_name,
        language=None if body.template_lang is UNSET else body.template_lang,
        params=() if body.template_params is UNSET else tuple(body.template_params),
        payloads=payloads,
    )


def _require_template_for(body: TextBody) -> None:
    needy = {
        "templateLang": body.template_lang,
        "templateParams": body.template_params,
        "buttonPayloads": body.button_payloads,
    }
    for name, value in needy.items():
        if value is not UNSET:
            raise _refusal(name, "goes with templateName, which is missing")


def require_payloads(value: object) -> tuple[str, ...]:
    good = (
        isinstance(value, list)
        and len(value) in limits.BUTTON_PAYLOADS
        and all(isinstance(v, str) and len(v) in limits.BUTTON_PAYLOAD_CHARS for v in value)
    )
    if not good:
        problem = "buttonPayloads must be 1 to 10 strings of 1 to 128 characters each"
        raise ApiError(Code.INVALID_BUTTON_PAYLOAD, problem, field="buttonPayloads")
    return tuple(value)  # type: ignore[arg-type]


def meta(value: msgspec.Raw, field: str) -> str:
    """The JSON as it came. Its size is measured compact, as UTF-8 (contract.md)."""
    raw = bytes(value)
    if not raw.startswith(b"{"):
        raise _refusal(field, "must be an object")
    if len(raw) > limits.META_BYTES_MAX and _compact_size(raw) > limits.META_BYTES_MAX:
        raise _refusal(field, "must be at most 4096 bytes as compact JSON")
    return raw.decode()


def _compact_size(raw: bytes) -> int:
    try:
        plain = json.dumps(json.loads(raw), ensure_ascii=False, separators=(",", ":"))
        return len(plain.encode())
    except (ValueError, RecursionError):  # a number of thousands of digits
        return len(raw)


def _refusal(field: str, rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field} {rule}", field=field)
