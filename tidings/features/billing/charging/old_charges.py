"""For retention: what keeps a month of charges, and how charges leave their sums."""

from .sum_store import add_up_month, delete, find_unresolved

__all__ = ["add_up_month", "delete", "find_unresolved"]
