"""The order of a table, by its address: `?sort=name`, or `?sort=-name` for descending. Pure.

A list that is loaded whole sorts by any of its columns (`Sorting.sort`); one with pages only by the
time that its index has, from either end (`Sorting.order`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from tidings.engine.db.order import Order

T = TypeVar("T")

Keys = Mapping[str, Callable[[T], Any]]  # by column: what its rows are compared by; None is last

_OF_A_PAGE = ("sort", "cursor", "trail", "before", "after")  # a new order begins at its first page
CREATED, NEWEST = "created", "-created"  # of lists with pages


@dataclass(frozen=True, slots=True)
class Sorting:
    """`chosen` is a column, with a minus where it descends; empty: the table's own order."""

    path: str  # under /portal
    filters: Mapping[str, str]
    chosen: str
    default: str

    @property
    def column(self) -> str:
        return self.chosen.removeprefix("-")

    @property
    def is_descending(self) -> bool:
        return self.chosen.startswith("-")

    @property
    def order(self) -> Order:
        return Order.NEWEST_FIRST if self.is_descending else Order.OLDEST_FIRST

    def aria(self, column: str) -> str:
        """The `aria-sort` of a heading."""
        if column != self.column:
            return "none"
        return "descending" if self.is_descending else "ascending"

    def address(self, column: str) -> str:
        """Where a heading leads: to its column's order, or to the opposite one."""
        wanted = f"-{column}" if column == self.chosen else column
        query = {**self.filters} if wanted == self.default else {**self.filters, "sort": wanted}
        return f"/portal{self.path}" + (f"?{urlencode(query)}" if query else "")

    def sort(self, rows: Iterable[T], keys: Keys[T]) -> list[T]:
        """Rows that compare equal keep their order, whichever the direction."""
        key = keys.get(self.column)
        if key is None:
            return list(rows)
        found = [(_comparable(key(row)), row) for row in rows]
        known = [pair for pair in found if pair[0] is not None]
        known.sort(key=lambda pair: pair[0], reverse=self.is_descending)
        return [row for _, row in known] + [row for value, row in found if value is None]


def read(
    path: str, query: Mapping[str, str], columns: Collection[str], default: str = ""
) -> Sorting:
    """`query` is the page's own address. What is no column of the table is ignored."""
    wanted = query.get("sort", "")
    filters = {name: value for name, value in query.items() if name not in _OF_A_PAGE}
    is_known = wanted.removeprefix("-") in columns
    return Sorting(path, filters, wanted if is_known else default, default)


def read_by_time(path: str, query: Mapping[str, str]) -> Sorting:
    """Of a list with pages: the newest first, or with `?sort=created` the oldest."""
    return read(path, query, [CREATED], NEWEST)


def _comparable(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
