"""A registered event (4.10) and an invitation to it. Values only. Times are the account's own."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

import msgspec


class Texts(msgspec.Struct, frozen=True):
    """Texts to guests, each sent once per invitation."""

    invalid_reply: str
    nudge: str
    expired: str


class Defaults(msgspec.Struct, frozen=True):
    """Defaults of the event's messages; None: not given."""

    expires_at: datetime | None = None
    undelivered_minutes: int | None = None
    nudge_minutes: int | None = None
    sent_from: str | None = None  # None: automatic


class Settings(msgspec.Struct, frozen=True):
    """All settings of an event; equal settings are an unchanged request."""

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
    """The invitations of an event that went out, and its guests by how they have replied."""

    sent: int = 0  # invitations
    # Guests, each once however many invitations they have. The first two are cumulative.
    invited: int = 0
    delivered: int = 0
    confirmed: int = 0
    declined: int = 0
    unresolved: int = 0
    pending: int = 0  # no answer yet, and an invitation that is open
    unclear: int = 0  # pending guests whose last reply was not understood
    late: int = 0  # replied after the end, with no answer since
    headcount: int = 0  # people who come: a confirmation without a number is one


class Answers(msgspec.Struct, frozen=True, array_like=True):
    """How many guests gave their last answer within a minute, or in the quarter of an hour that
    begins with it."""

    minute: int  # since 1970
    yes: int
    no: int


class Figures(msgspec.Struct, frozen=True):
    """What is counted of an event."""

    counts: Counts = Counts()
    answers: list[Answers] = []  # in order of time


class Unclear(msgspec.Struct, frozen=True):
    """A reply that was not understood: the number it came to, and the data of its event."""

    number: str  # ours, of the conversation
    data: dict[str, Any]


class Unsent(msgspec.Struct, frozen=True):
    """An invitation whose message was not sent yet."""

    message_id: UUID
    expires_at: datetime


class Invitation(msgspec.Struct):
    """A row of `invitations`; `invitation_states.py` changes it, the store writes it.

    `answer`, `guests` and `answered_at` are the guest's last answer to the event, whichever of its
    invitations it was given to. An invitation without an event is an event of its own.
    """

    account_id: UUID
    message_id: UUID
    phone: str  # the guest
    expires_at: datetime
    event_id: str | None = None
    sent_at: datetime | None = None
    lost: bool = False  # its message failed, expired or was cancelled
    answer: Literal["yes", "no"] | None = None
    guests: int | None = None
    answered_at: datetime | None = None  # when the guest wrote it
    unclear: Unclear | None = None  # the last reply that was not understood
    said_invalid: bool = False  # texts that went to the guest
    said_nudge: bool = False
    said_expired: bool = False
    unresolved: bool = False  # guest.unresolved was published
    ends_with_event: bool = False  # expires_at is the event's, and moves with it
    late: bool = False  # guest.replied_late was sent since the last answer
    confidence: float | None = None  # of the answer; 0: a reply was not understood
    reply_text: str | None = None  # of the last reply, understood or not
    replied_at: datetime | None = None


class GuestState(StrEnum):
    """Where a guest of an event stands (contract2.md section D)."""

    INVITED = "invited"
    DELIVERED = "delivered"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    UNCLEAR = "unclear"
    UNRESOLVED = "unresolved"
    EXPIRED = "expired"
    FAILED = "failed"
    OPTED_OUT = "opted_out"


class Guest(msgspec.Struct, frozen=True):
    """A guest of an event, over all invitations to it."""

    position: UUID  # in the list: the newest of its invitations that the filter finds
    phone: str
    to: str  # as the caller wrote it
    client_message_id: str  # of the newest invitation
    state: GuestState
    expires_at: datetime
    answer: Literal["yes", "no"] | None = None
    guests: int | None = None
    answered_at: datetime | None = None
    confidence: float | None = None
    text: str | None = None  # of the last reply
    replied_at: datetime | None = None
    reply_type: str | None = None  # of the last reply that was not understood
    late: bool = False
