"""From when on something old may go, and what is done with an old month of messages. Pure.

Messages go by calendar month: those of a month may go so many months after it has ended. So all
accounts whose own clock is the real one can lose a month at once, as one partition.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from tidings import limits
from tidings.ids import Month


class MonthDecision(StrEnum):
    KEEP = "keep"  # for now: dropping it soon is cheaper than deleting its rows
    DROP = "drop"
    DELETE_ROWS = "delete rows"  # those that nobody needs


class Hold(NamedTuple):
    """Something of an account's month that has to stay."""

    account_id: UUID
    until: datetime | None = None  # None: until something happens
    by_row: bool = False  # a few messages stay; otherwise all of the account's month


def messages_before(now: datetime, months: int, retention_days: int | None = None) -> datetime:
    """Messages of before this time may go. Longer `retentionDays` of an account keep its messages
    for longer. Shorter ones do not delete them: people in them are erased, and the rows stay for
    the figures."""
    before = Month.of(now).later(-months).begins_at
    if retention_days is None:
        return before
    return min(before, now - timedelta(days=retention_days))


def may_go_at(at: datetime, months: int) -> datetime:
    """When `messages_before` has passed this time."""
    return Month.of(at).later(months + 1).begins_at


def bodies_before(now: datetime, days: int | None, retention_days: int | None) -> datetime | None:
    """Texts of before this time are erased; an account's own time precedes the installation's."""
    kept = days if retention_days is None else retention_days
    return None if kept is None else now - timedelta(days=kept)


def records_before(now: datetime, years: int) -> datetime:
    """Entries of the audit log of before this time may go."""
    return Month.of(now).later(-12 * years).begins_at


def decide_month(
    month: Month, now: datetime, months: int, holds: Collection[Hold], *, is_whole: bool
) -> MonthDecision:
    """`is_whole`: its rows are in partitions of their own in all tables."""
    due = may_go_at(month.begins_at, months)
    if now < due:
        return MonthDecision.KEEP
    holding = [hold for hold in holds if hold.until is None or hold.until > now]
    if is_whole and not holding:
        return MonthDecision.DROP
    latest = due + limits.OLD_MONTH_WAIT
    if is_whole and all((hold.until or now) <= latest for hold in holding):
        return MonthDecision.KEEP
    return MonthDecision.DELETE_ROWS
