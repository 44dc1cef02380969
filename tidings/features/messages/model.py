"""A message as requested (`MessageRequest`) and as stored (`Message`), and its statuses. Values."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from tidings.features.media.model import FileUse
from tidings.platforms.content import Content, MediaRef
from tidings.secrets import Secret


class Status(StrEnum):
    SCHEDULED = "scheduled"
    QUEUED = "queued"
    DEFERRED = "deferred"
    SENDING = "sending"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


WAITING = frozenset({Status.SCHEDULED, Status.QUEUED, Status.DEFERRED})
DONE_SENDING = frozenset(Status) - WAITING - {Status.SENDING}  # a batch counts these as processed
REFUNDED = frozenset({Status.FAILED, Status.EXPIRED, Status.CANCELLED})


class MessageKind(StrEnum):
    NOTIFICATION = "notification"
    INVITATION = "invitation"
    PASSCODE = "otp"
    FEEDBACK = "feedback"
    PROMPT = "prompt"  # an event's text to a guest: not charged, and no events are published


class Reason(StrEnum):
    """Why a message waits: the `reason` of message.deferred (6.2, contract.md)."""

    SEND_WINDOW = "SEND_WINDOW"
    NUMBER_LIMIT = "NUMBER_LIMIT"
    ACCOUNT_LIMIT = "ACCOUNT_LIMIT"
    INVOICE_OVERDUE = "INVOICE_OVERDUE"
    SENDING_PAUSED = "SENDING_PAUSED"
    NUMBER_UNHEALTHY = "NUMBER_UNHEALTHY"
    PLATFORM_UNAVAILABLE = "PLATFORM_UNAVAILABLE"


class MediaRequest(msgspec.Struct, frozen=True):
    """Media as the caller gave it; `media.lookup.attach` makes a reference of it."""

    type: str  # image or document
    base64: str | None
    media_id: str | None


class TemplateRequest(msgspec.Struct, frozen=True):
    """A template as the caller named it; `templates.rules.fill` makes content of it."""

    name: str  # "": the account's default
    language: str | None = None
    params: tuple[str, ...] = ()
    media: MediaRef | None = None


class MessageRequest(msgspec.Struct, frozen=True):
    """A message to be sent; each field has been checked."""

    account_id: UUID
    client_message_id: str
    to: str
    template: TemplateRequest | None = None  # sent outside the conversation window
    free: Content | None = None  # free content, sent inside it
    kind: MessageKind = MessageKind.NOTIFICATION
    event_id: str | None = None
    expires_at: datetime | None = None  # of an invitation
    scheduled_for: datetime | None = None
    deadline: datetime | None = None
    media: MediaRequest | None = None  # still to be attached
    sent_from: str | None = None
    from_policy: str | None = None
    meta: str | None = None  # the caller's JSON, verbatim
    button_url: str | None = None  # target of the template's button, by a tracked link
    button_payloads: tuple[str, ...] | None = None  # of the template's quick-reply buttons
    batch_id: UUID | None = None
    fallback: Content | None = None  # sent outside the window: a form's own template
    passcode: Secret | None = None
    ttl: timedelta | None = None  # of a passcode
    file: FileUse | None = None  # its media once attached
    to_given: str | None = None  # `to` as the caller wrote it, where it has the prefix 00
    traced_at: datetime | None = None  # when its request began to wait, where that is traced


class Step(msgspec.Struct, omit_defaults=True):
    """One entry of the timeline (4.7)."""

    status: str
    at: str
    reason: str = ""


class Attempt(msgspec.Struct, omit_defaults=True, rename="camel"):
    """One call of the platform (4.7)."""

    attempt: int
    at: str
    sent_from: str
    outcome: str  # sent, failed, deferred, unknown
    code: str = ""


class Fault(msgspec.Struct, rename="camel"):
    """Why a message failed, in words its sender can act on (4.7)."""

    code: str
    explanation: str
    action: Annotated[str, Meta(description="What you can do about it.")]
    platform_code: Annotated[
        int | None, Meta(description="The platform's own error code; null: none.")
    ]


class Message(msgspec.Struct):
    """A row of `messages`: `state/transitions.py` changes it, `state/changes.py` writes it."""

    account_id: UUID
    id: UUID
    client_message_id: str
    kind: str
    recipient: str
    status: Status
    created_at: datetime
    times_out_at: datetime  # sent and undelivered by then: expired
    timeline: list[Step] = msgspec.field(default_factory=list)
    meta: str | None = None
    event_id: str | None = None
    batch_id: UUID | None = None
    scheduled_for: datetime | None = None
    deadline: datetime | None = None
    expires_at: datetime | None = None  # of an invitation
    requested_number: str | None = None
    from_policy: str | None = None
    recipient_given: str | None = None  # as the caller wrote it, where that differs
    # What changes.
    reason: str | None = None
    retry_at: datetime | None = None
    notified_reasons: list[str] = msgspec.field(default_factory=list)
    number: str | None = None
    fallback_used: bool = False
    platform_id: str | None = None
    generation: int = 0
    unknown_since: datetime | None = None
    resends: int = 0
    sent_at: datetime | None = None
    delivered_at: datetime | None = None
    read_at: datetime | None = None
    refunded_at: datetime | None = None
    never_delivered: bool = False
    cancel_requested: bool = False  # its batch was cancelled while it was being sent
    reserved_at: datetime | None = None  # the time for which it has quota of the rolling limits
    recipient_counter: str | None = None  # the limit of new recipients it counts in
    planned_at: datetime | None = None  # its planned slot in the number's queue
    charge: str | None = None  # what it was charged as (billing.model.Kind), if it was
    error: Fault | None = None
    attempts: list[Attempt] = msgspec.field(default_factory=list)

    @property
    def send_by(self) -> datetime | None:
        """The time from which it is not sent any more. Not stored, because the end of an invitation
        can move with its event."""
        if self.kind != MessageKind.INVITATION or self.expires_at is None:
            return self.deadline
        return self.expires_at if self.deadline is None else min(self.deadline, self.expires_at)

    @property
    def to(self) -> str:
        """The recipient in the caller's own form, for answers and events."""
        return self.recipient_given or self.recipient
