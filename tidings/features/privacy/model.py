"""What is known of a person. Pure."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Kept:
    """How much of one kind is kept, from when to when; without times where it has none."""

    kind: str
    count: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Erasure:
    """A person who is to be erased. `sealed`: the number, until it is forgotten."""

    account_id: UUID
    id: UUID
    pseudonym: str
    sealed: bytes
    is_complete: bool = False  # all was erased; the number is kept for a last look


@dataclass(frozen=True, slots=True)
class Erased:
    """What came of an erasure. Not complete: a message was just being sent; the rest follows."""

    pseudonym: str
    messages: int
    cancelled: int
    is_complete: bool
