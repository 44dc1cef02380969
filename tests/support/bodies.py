"""Bodies with fields of every kind, for tests of how they are read."""

from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.features.partner.rules import PartnerCode
from tidings.features.senders.number_selection import SenderCode
from tidings.features.templates.rules import TemplateCode


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Button(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    text: Annotated[str, Meta(max_length=20)]


class Defaults(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    sent_from: str | UnsetType | None = UNSET
    minutes: Annotated[int, Meta(ge=1, le=60)] | UnsetType = UNSET


class Message(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    client_message_id: Annotated[str, Meta(min_length=8, max_length=128)]
    to: str
    kind: Literal["notification", "invitation"] = "notification"
    code: Annotated[str, Meta(max_length=15, extra={"secret": True})] | UnsetType = UNSET
    from_policy: (
        Annotated[
            Literal["prefer", "strict", "auto"],
            Meta(extra={"code": SenderCode.INVALID_FROM_POLICY}),
        ]
        | UnsetType
    ) = UNSET
    payloads: (
        Annotated[
            list[Annotated[str, Meta(min_length=1, max_length=128)]],
            Meta(min_length=1, max_length=10, extra={"code": TemplateCode.INVALID_BUTTON_PAYLOAD}),
        ]
        | UnsetType
    ) = UNSET
    params: list[str] | UnsetType = UNSET
    buttons: list[Button] | UnsetType = UNSET
    defaults: Defaults | UnsetType = UNSET
    colour: Colour | UnsetType = UNSET
    amount: Annotated[float, Meta(gt=0)] | UnsetType = UNSET
    flag: bool | UnsetType = UNSET
    when: Annotated[str, Meta(extra={"rule": "an RFC 3339 time"})] | UnsetType = UNSET
    meta: msgspec.Raw | UnsetType = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    rows: list[list[Annotated[int, Meta(ge=0)]]] | UnsetType = UNSET
    headers: (
        Annotated[dict[str, Annotated[str, Meta(max_length=3)]], Meta(max_length=2)] | UnsetType
    ) = UNSET
    hints: Annotated[list[str], Meta(extra={"secret": True})] | UnsetType = UNSET


class Batch(msgspec.Struct, forbid_unknown_fields=True):
    messages: Annotated[list[msgspec.Raw], Meta(min_length=1)]


class Topup(msgspec.Struct, forbid_unknown_fields=True):
    messages: Annotated[int, Meta(ge=1, le=10, extra={"code": PartnerCode.INVALID_QUANTITY})]


GOOD = {"clientMessageId": "order-0001", "to": "972501234567"}
