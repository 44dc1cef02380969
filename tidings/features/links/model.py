"""A redirect link (2.6), its making, its opening. Pure. All times are the account's own."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A link to be made; `create.draw` gives it its code."""

    account_id: UUID
    code: str
    url: str
    created_at: datetime
    event_id: str | None = None
    client_message_id: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link as it stands; `rules.is_active` says whether it leads on."""

    account_id: UUID
    code: str
    url: str
    expires_at: datetime | None
    active: bool  # not switched off by hand
    clicks: int
    first_click_at: datetime | None
    last_click_at: datetime | None


@dataclass(frozen=True, slots=True)
class Destination:
    """What a redirect needs to know of a link and of its account."""

    account_id: UUID
    code: str
    url: str
    expires_at: datetime | None
    switched_on: bool  # neither the link nor its account has been disabled
    clock: timedelta  # how far the account's time runs ahead
    may_be_kept: bool  # no clock that somebody moves: what is known now holds a little longer


@dataclass(frozen=True, slots=True)
class Opened:
    """A person opened a link."""

    account_id: UUID
    code: str
    at: datetime


@dataclass(slots=True)
class Tally:
    """The opens of one link that are written together."""

    clicks: int
    first_at: datetime
    last_at: datetime
