"""The responses about messages: send result (2.2), dry run, status (4.7) and charges. Pure."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import ids, times
from tidings.engine.http.response_types import RawObject, raw_or_none
from tidings.features.events import model as event_model
from tidings.features.events import responses as event_responses
from tidings.features.events.responses import Invitation

from ..model import WAITING, Attempt, Fault, Message, MessageKind, Reason, Status, Step

# The state of an unanswered invitation whose message ended in one of these.
_UNSENT: dict[Status, Literal["failed", "expired", "cancelled"]] = {
    Status.FAILED: "failed",
    Status.EXPIRED: "expired",
    Status.CANCELLED: "cancelled",
}
WouldBe = Literal["sent", "scheduled", "deferred", "duplicate", "queued", "failed"]


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
    would_be: WouldBe
    reason: Annotated[str, Meta(description="Why it would wait, or fail.")] | None
    retry_at: str | None
    scheduled_for: str | None
    sent_from: str | None
    fallback_used: bool
    cost: Cost


class MessageItem(msgspec.Struct, rename="camel", kw_only=True):
    """A message in a list; `reason` and `retryAt` say why it waits, and until when."""

    client_message_id: str
    message_id: str | None
    to: str
    kind: Annotated[
        str,
        Meta(
            description="prompt: a text of an event, sent to a guest by the service.",
            extra_json_schema={"enum": [kind.value for kind in MessageKind]},
        ),
    ]
    status: Status
    reason: Reason | None
    retry_at: str | None
    scheduled_for: str | None
    sent_from: str | None
    batch_id: str | None
    event_id: str | None
    created_at: str
    invitation: Invitation | None
    error: Fault | None
    meta: RawObject | None


class MessageStatus(MessageItem, rename="camel", kw_only=True):
    """4.7"""

    timeline: list[Step]
    attempts: list[Attempt]


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


def http_status(message: Message) -> int:
    """202 while the message waits or is being sent, else 200."""
    return 202 if message.status in WAITING or message.status is Status.SENDING else 200


def send_result(message: Message, *, duplicate: bool) -> SendResult:
    """2.2, with what contract.md adds to a 202 and to a failure."""
    result = SendResult(
        client_message_id=message.client_message_id,
        message_id=message.platform_id,
        status=message.status,
        sent_from=message.number,
        fallback_used=message.fallback_used,
        sent_at=times.to_wire_or_none(message.sent_at),
        duplicate=duplicate,
        error=send_error(message),
    )
    if message.scheduled_for is not None and message.status is Status.SCHEDULED:
        result.scheduled_for = times.to_wire(message.scheduled_for)
    elif message.status is Status.DEFERRED:
        result.reason = UNSET if message.reason is None else Reason(message.reason)
        result.retry_at = times.to_wire_or_none(message.retry_at)
    return result


def send_error(message: Message) -> SendError | UnsetType:
    error = message.error
    if error is None or message.status is not Status.FAILED:
        return UNSET
    return SendError(error.code, error.explanation, error.action)


def status(
    message: Message, invitation: event_model.Invitation | None, now: datetime
) -> MessageStatus:
    """GET /messages/{cid} (contract.md, "Status")."""
    return MessageStatus(
        **_shared(message, invitation, now), timeline=message.timeline, attempts=message.attempts
    )


def item(message: Message, invitation: event_model.Invitation | None, now: datetime) -> MessageItem:
    """GET /messages (contract2.md D)."""
    return MessageItem(**_shared(message, invitation, now))


def _shared(
    message: Message, invitation: event_model.Invitation | None, now: datetime
) -> dict[str, Any]:
    return {
        "client_message_id": message.client_message_id,
        "message_id": message.platform_id,
        "to": message.to,
        "kind": message.kind,
        "status": message.status,
        "reason": None if message.reason is None else Reason(message.reason),
        "retry_at": times.to_wire_or_none(message.retry_at),
        "scheduled_for": times.to_wire_or_none(message.scheduled_for),
        "sent_from": message.number,
        "batch_id": None if message.batch_id is None else ids.batch_ref(message.batch_id),
        "event_id": message.event_id,
        "created_at": times.to_wire(message.created_at),
        "invitation": None if invitation is None else _invitation(message, invitation, now),
        "error": message.error,
        "meta": raw_or_none(message.meta),
    }


def _invitation(message: Message, invitation: event_model.Invitation, now: datetime) -> Invitation:
    """An unanswered one whose message failed, expired or was cancelled has the message's status."""
    shown = event_responses.invitation(invitation, now)
    if invitation.answer is None:
        shown.state = _UNSENT.get(message.status, shown.state)
    return shown
