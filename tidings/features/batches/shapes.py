"""The answers about batches, as OpenAPI shows them."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.features.messages.read.shapes import Cost


class Named(msgspec.Struct, rename="camel"):
    client_message_id: str


class DuplicateItem(msgspec.Struct, rename="camel"):
    client_message_id: str
    mismatch: (
        Annotated[Literal["to"], Meta(description="The original went to another number.")]
        | UnsetType
    ) = UNSET


class Held(msgspec.Struct, rename="camel"):
    client_message_id: str
    reason: str
    until: str | None


class AtRisk(msgspec.Struct, rename="camel"):
    client_message_id: str
    reason: str
    estimated_at: str | None
    deadline: str


class RejectedItem(msgspec.Struct, rename="camel"):
    index: int
    client_message_id: str | None
    code: str
    message: str


class BulkResult(msgspec.Struct, rename="camel"):
    """2.4; `cost` only with X-Dry-Run."""

    batch_id: str | None
    batch_name: str
    event_id: str | None
    total: int
    accepted: list[Named]
    held: list[Held]
    at_risk: list[AtRisk]
    rejected: list[RejectedItem]
    duplicates: list[DuplicateItem]
    estimated_completion_at: str | None
    cost: Cost | UnsetType = UNSET


class Cancelled(msgspec.Struct, rename="camel"):
    batch_id: str
    cancelled: int
    in_flight: int
    already_sent: int
    refunded: int
