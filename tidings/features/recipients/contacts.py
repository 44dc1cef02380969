"""What other slices may ask and tell of the people we write to."""

from .store import (
    STRANGER,
    Contact,
    Key,
    Meeting,
    add,
    load,
    mark_delivered,
    mark_heard,
    meet,
    opt_in,
    opt_out,
)

__all__ = [
    "STRANGER",
    "Contact",
    "Key",
    "Meeting",
    "add",
    "load",
    "mark_delivered",
    "mark_heard",
    "meet",
    "opt_in",
    "opt_out",
]
