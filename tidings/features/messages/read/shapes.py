"""The answers about messages, as OpenAPI shows them. `present.py` builds them; a test compares."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.features.events.responses import Invitation

from ..model import Attempt, Fault, Reason, Status, Step


class SendError(msgspec.Struct, rename="camel"):
    code: str
    explanation: str
    action: str


class SendResult(msgspec.Struct, rename="camel"):
    """2.2; `messageId` and `sentAt` are null until the platform has taken the message."""

    client_message_id: str
    message_id: str | None
    status: Status
    sent_from: str | None
    fallback_used: bool
    sent_at: str | None
    duplicate: bool
    scheduled_for: str | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET
    retry_at: str | UnsetType | None = UNSET
    error: SendError | UnsetType = UNSET


class Cost(msgspec.Struct):
    """Units of quota."""

    unique: int
    followup: int


class Preview(msgspec.Struct, rename="camel"):
    """The answer to X-Dry-Run: true."""

    client_message_id: str
    would_be: Literal["sent", "scheduled", "deferred", "duplicate", "queued", "failed"]
    reason: Annotated[str, Meta(description="Why it would wait, or fail.")] | None
    retry_at: str | None
    scheduled_for: str | None
    sent_from: str | None
    fallback_used: bool
    cost: Cost


class MessageStatus(msgspec.Struct, rename="camel"):
    """4.7; `reason` and `retryAt` say why it waits, and until when."""

    client_message_id: str
    message_id: str | None
    to: str
    kind: Annotated[
        Literal["notification", "invitation", "otp", "feedback", "prompt"],
        Meta(description="prompt: a text of an event, sent to a guest by the service."),
    ]
    status: Status
    reason: Reason | None
    retry_at: str | None
    scheduled_for: str | None
    sent_from: str | None
    batch_id: str | None
    event_id: str | None
    created_at: str
    timeline: list[Step]
    invitation: Invitation | None
    attempts: list[Attempt]
    error: Fault | None
    meta: dict[str, Any] | None


class ChargeShape(msgspec.Struct, rename="camel"):
    """A charge of the statement. RESERVED: its message is not delivered yet. `price`: decimal."""

    client_message_id: str | None
    to: str | None
    kind: Literal["UNIQUE", "FOLLOWUP", "CAPACITY"]
    package: str | None
    price: str
    currency: str | None
    state: Literal["RESERVED", "SETTLED", "REFUNDED"]
    charged_at: str
    resolved_at: str | None


class ChargePage(msgspec.Struct, rename="camel"):
    next_cursor: str | None
