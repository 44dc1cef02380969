"""A guest's reply and what it is matched to. Values only."""

from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

import msgspec

from tidings.features.accounts.model import Account
from tidings.features.events.model import Invitation
from tidings.features.messages.model import Message
from tidings.platforms.port import InboundMessage

from .reading.reader import Reading

Guest = tuple[UUID, str]  # account, phone


class GuestReply(msgspec.Struct, frozen=True):
    """A message of a guest, and the account it was sent to."""

    account: Account
    item: InboundMessage

    @property
    def key(self) -> tuple[UUID, str]:
        return (self.account.id, self.item.platform_id)

    @property
    def guest(self) -> Guest:
        return (self.account.id, self.item.from_)


class How(StrEnum):
    """How a reply itself names the message it is about."""

    BUTTON = "button"
    QUOTED = "quoted"


class About(msgspec.Struct, frozen=True):
    """The message that a reply itself names."""

    message: Message
    how: How


class Slot(StrEnum):
    """`slotMatch`: how a reply found its invitation."""

    BUTTON = "button"
    QUOTED = "quoted"
    ONLY_OPEN = "only_open"
    LATEST_OPEN = "latest_open"
    NONE = "none"
    SETTLED = "settled"  # by a person, not by a reply


class Candidate(msgspec.Struct, frozen=True):
    """An invitation of the guest, with its message."""

    invitation: Invitation
    message: Message


class Match(msgspec.Struct, frozen=True):
    """What a reply is about, and what it says."""

    reply: GuestReply
    reading: Reading
    slot: Slot
    message: Message | None = None  # the invitation's; else the one quoted or pressed
    invitation: Invitation | None = None


class KeptReading(msgspec.Struct, frozen=True):
    """A reply that a person settled, kept as an example: `read_as` is what the reader said."""

    phone: str
    event_id: str
    replied_at: datetime
    text: str
    language: str | None
    read_as: Literal["yes", "no"] | None
    confidence: float
    answer: Literal["yes", "no"]
    guests: int | None
    settled_at: datetime
