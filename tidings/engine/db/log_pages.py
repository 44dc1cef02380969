"""Pages of a log: read on from an entry in either direction, and shown in either order. Pure.

Entries come while a log is read, so that a page is named by the entry at its edge.
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
class Place:
    """Where a page is: before an entry, after one, or where the order begins."""

    before: UUID | None
    after: UUID | None
    order: Order  # as it is shown

    @property
    def edge(self) -> UUID | None:
        return self.after if self.before is None else self.before

    @property
    def reading(self) -> Order:
        """The order in which the page is read, away from its edge."""
        if self.edge is None:
            return self.order
        return Order.OLDEST_FIRST if self.before is None else Order.NEWEST_FIRST


@dataclass(frozen=True, slots=True)
class LogPage(Generic[E]):
    entries: Sequence[E]  # in the order of its place
    older: UUID | None  # `before` of the page of older ones; None: there is none
    newer: UUID | None  # `after` of the page of newer ones


def page_of(read: Sequence[E], place: Place, size: int, ahead: UUID | None = None) -> LogPage[E]:
    """The page of what was read: one entry more than it has, where there are more. `ahead`: where
    the next page begins although no more were found."""
    entries = read[:size]
    if len(read) > size:
        ahead = entries[-1].id
    behind = entries[0].id if entries and place.edge is not None else None
    shown = entries if place.reading is place.order else entries[::-1]
    if place.reading is Order.NEWEST_FIRST:
        return LogPage(shown, older=ahead, newer=behind)
    return LogPage(shown, older=behind, newer=ahead)
