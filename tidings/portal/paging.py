"""Older and newer pages of a list.

A cursor only leads on. The way back is kept in the address: the cursors of the pages before. Logs
are read from an entry on, in either direction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from tidings.engine.db.log_pages import LogPage
from tidings.engine.db.order import Order
from tidings.portal.sorting import CREATED

_TRAIL_MAX = 40  # pages back; further ones begin again at the first


@dataclass(frozen=True, slots=True)
class Paging:
    """Addresses of the neighbouring pages; None where there is none."""

    newer: str | None
    older: str | None
    order: Order = Order.NEWEST_FIRST

    @property
    def is_oldest_first(self) -> bool:
        return self.order is Order.OLDEST_FIRST

    @property
    def following(self) -> str | None:
        """Where the list goes on."""
        return self.newer if self.is_oldest_first else self.older


def paging(
    path: str,
    query: Mapping[str, str],
    next_cursor: str | None,
    order: Order = Order.NEWEST_FIRST,
) -> Paging:
    """`query` is the page's own address: its filters are kept."""
    filters = {name: value for name, value in query.items() if name not in ("cursor", "trail")}
    cursor = query.get("cursor", "")
    trail = [one for one in query.get("trail", "").split(",") if one]
    following = previous = None
    if next_cursor is not None:
        passed = [*trail, cursor or "-"][-_TRAIL_MAX:]
        following = _address(path, filters, next_cursor, passed)
    if cursor:
        last = trail[-1] if trail else "-"
        previous = _address(path, filters, "" if last == "-" else last, trail[:-1])
    if order is Order.OLDEST_FIRST:
        return Paging(newer=following, older=previous, order=order)
    return Paging(newer=previous, older=following)


def between(
    path: str,
    filters: Mapping[str, str],
    page: LogPage[Any],
    order: Order = Order.NEWEST_FIRST,
) -> Paging:
    """Of a log: the page after its newest entry, and that before its oldest."""
    query = {**filters, "sort": CREATED} if order is Order.OLDEST_FIRST else filters

    def address(edge: str, entry_id: UUID | None) -> str | None:
        if entry_id is None:
            return None
        return f"/portal{path}?{urlencode({**query, edge: entry_id.hex})}"

    return Paging(
        newer=address("after", page.newer), older=address("before", page.older), order=order
    )


def _address(path: str, filters: Mapping[str, str], cursor: str, trail: list[str]) -> str:
    query = dict(filters)
    if cursor:
        query["cursor"] = cursor
        query["trail"] = ",".join(trail)
    return f"/portal{path}" + (f"?{urlencode(query)}" if query else "")
