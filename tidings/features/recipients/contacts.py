"""Contacts, for other slices: what is known about recipients, and what is recorded about them."""

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
