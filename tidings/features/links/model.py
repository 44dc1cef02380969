"""Redirect links (2.6) and clicks. Pure. All times are by the account's clock."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A link to be stored; `create.new_link` generates its code."""

    account_id: UUID
    code: str
    url: str
    created_at: datetime
    event_id: str | None = None
    client_message_id: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link as stored; `rules.is_active` decides whether it redirects."""

    account_id: UUID
    code: str
    url: str
    event_id: str | None
    client_message_id: str | None
    created_at: datetime
    expires_at: datetime | None
    active: bool  # false: deactivated
    clicks: int
    first_click_at: datetime | None
    last_click_at: datetime | None


@dataclass(frozen=True, slots=True)
class Destination:
    """The data of a link and its account that a redirect needs."""

    account_id: UUID
    code: str
    url: str
    expires_at: datetime | None
    switched_on: bool  # neither the link nor its account has been disabled
    clock: timedelta  # offset of the account's clock
    cacheable: bool  # false: a sandbox account, whose clock can be moved


@dataclass(frozen=True, slots=True)
class Click:
    """A person opened a link."""

    account_id: UUID
    code: str
    at: datetime


@dataclass(slots=True)
class ClickTotals:
    """The clicks of one link that are written together."""

    clicks: int
    first_at: datetime
    last_at: datetime
    days: Counter[date] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """Which links to list; times are when they were created, `until` is excluded."""

    event_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class DayOpens(NamedTuple):
    """The opens of one day, UTC."""

    day: date
    clicks: int


LinkKey = tuple[datetime, str]  # created at, code: the sort order
