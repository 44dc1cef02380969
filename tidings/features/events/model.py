"""A registered event (4.10) and an invitation to it. Values only. Times are the account's own."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec


class Texts(msgspec.Struct, frozen=True):
    """What guests are told, each once for an invitation."""

    invalid_reply: str
    nudge: str
    expired: str


class Defaults(msgspec.Struct, frozen=True):
    """What the event's messages have unless they say otherwise; None: not given."""

    expires_at: datetime | None = None
    undelivered_minutes: int | None = None
    nudge_minutes: int | None = None
    sent_from: str | None = None  # None: automatic


class Settings(msgspec.Struct, frozen=True):
    """Everything its owner says about an event; equal settings are an unchanged body."""

    event_date: datetime
    callback_url: str
    texts: Texts
    defaults: Defaults


class Event(msgspec.Struct, frozen=True):
    account_id: UUID
    event_id: str
    settings: Settings
    created_at: datetime
    updated_at: datetime


class Counts(msgspec.Struct, frozen=True):
    """The invitations of an event that went out, and how guests have replied to them."""

    sent: int = 0
    confirmed: int = 0
    declined: int = 0
    unresolved: int = 0
    pending: int = 0  # still open


class Unclear(msgspec.Struct, frozen=True):
    """A reply that was not understood: where it came to, and what was told of it."""

    number: str  # ours, of the conversation
    told: dict[str, Any]


class Invitation(msgspec.Struct):
    """A row of `invitations`; `moves.py` moves it, the store writes it."""

    account_id: UUID
    message_id: UUID
    phone: str  # the guest
    expires_at: datetime
    event_id: str | None = None
    sent_at: datetime | None = None
    lost: bool = False  # its message failed, expired or was cancelled
    answer: str | None = None  # yes, no
    guests: int | None = None
    answered_at: datetime | None = None  # when the guest wrote it
    unclear: Unclear | None = None  # the last reply that was not understood
    said_invalid: bool = False  # texts that went to the guest
    said_nudge: bool = False
    said_expired: bool = False
    unresolved: bool = False  # guest.unresolved was told
