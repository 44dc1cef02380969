"""The order of a list with pages: an index is read from either end, and a key leads on from it."""

from enum import Enum


class Order(Enum):
    """The value is SQL."""

    NEWEST_FIRST = "DESC"
    OLDEST_FIRST = "ASC"
    ASCENDING = OLDEST_FIRST  # of names

    @property
    def after(self) -> str:
        """SQL: how the keys of the next page compare to the last one of this page."""
        return "<" if self is Order.NEWEST_FIRST else ">"

    @property
    def start(self) -> str:
        """SQL: a timestamp that every other one comes after, in this order."""
        return (
            "'infinity'::timestamptz" if self is Order.NEWEST_FIRST else "'-infinity'::timestamptz"
        )
