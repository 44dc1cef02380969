"""Pages of a log: read on from an entry in either direction, and shown in either order. Pure.

A log grows while it is read, so that a page begins beside an entry and not at a number of rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from tidings.engine.db.order import Order


class Entry(Protocol):
    @property
    def id(self) -> UUID: ...  # ids are in the order of time


E = TypeVar("E", bound=Entry)


@dataclass(frozen=True, slots=True)
class LogCursor:
    """Where a page begins: before an entry, after one, or where the order begins."""

    before: UUID | None = None
    after: UUID | None = None
    order: Order = Order.NEWEST_FIRST  # as it is shown

    @property
    def entry_id(self) -> UUID | None:
        return self.after if self.before is None else self.before

    @property
    def scan_order(self) -> Order:
        """The order in which the index is read, away from that entry."""
        if self.entry_id is None:
            return self.order
        return Order.OLDEST_FIRST if self.before is None else Order.NEWEST_FIRST


FIRST_PAGE = LogCursor()


@dataclass(frozen=True, slots=True)
class LogPage(Generic[E]):
    entries: Sequence[E]  # as they are shown
    older: UUID | None  # `before` of the page of older ones; None: there is none
    newer: UUID | None  # `after` of the page of newer ones


def page_of(
    read: Sequence[E], cursor: LogCursor, size: int, ahead: UUID | None = None
) -> LogPage[E]:
    """Of what was read in scan order: one entry more than `size` if there are further ones.
    `ahead`: where a filtered search goes on although it found no more."""
    entries = read[:size]
    if len(read) > size:
        ahead = entries[-1].id
    behind = entries[0].id if entries and cursor.entry_id is not None else None
    shown = entries if cursor.scan_order is cursor.order else entries[::-1]
    if cursor.scan_order is Order.NEWEST_FIRST:
        return LogPage(shown, older=ahead, newer=behind)
    return LogPage(shown, older=behind, newer=ahead)
