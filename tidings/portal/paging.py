"""Older and newer pages of a list that is read by cursor.

A cursor only leads on. The way back is kept in the address: the cursors of the pages before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

_TRAIL_MAX = 40  # pages back; further ones begin again at the first


@dataclass(frozen=True, slots=True)
class Paging:
    """Addresses of the neighbouring pages; None where there is none."""

    newer: str | None
    older: str | None


def paging(path: str, query: Mapping[str, str], next_cursor: str | None) -> Paging:
    """`query` is the page's own address: its filters are kept."""
    filters = {name: value for name, value in query.items() if name not in ("cursor", "trail")}
    cursor = query.get("cursor", "")
    trail = [one for one in query.get("trail", "").split(",") if one]
    older = newer = None
    if next_cursor is not None:
        passed = [*trail, cursor or "-"][-_TRAIL_MAX:]
        older = _address(path, filters, next_cursor, passed)
    if cursor:
        last = trail[-1] if trail else "-"
        newer = _address(path, filters, "" if last == "-" else last, trail[:-1])
    return Paging(newer, older)


def _address(path: str, filters: Mapping[str, str], cursor: str, trail: list[str]) -> str:
    query = dict(filters)
    if cursor:
        query["cursor"] = cursor
        query["trail"] = ",".join(trail)
    return f"/portal{path}" + (f"?{urlencode(query)}" if query else "")
