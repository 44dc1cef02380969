"""Contacts, for other slices: what is known about recipients, and what is recorded about them."""

from .store import (
    STRANGER,
    Contact,
    Key,
    Meeting,
    add,
    load,
    mark_delivered,
    meet,
    opt_in,
    opt_out,
    record_inbound,
)

__all__ = [
    "STRANGER",
    "Contact",
    "Key",
    "Meeting",
    "add",
    "load",
    "mark_delivered",
    "meet",
    "opt_in",
    "opt_out",
    "record_inbound",
]
