"""Contacts, for other slices: what is known about recipients, and what is recorded about them."""

from .store import (
    STRANGER,
    Contact,
    Key,
    Meeting,
    OptedOut,
    add,
    find_opt_out,
    find_opted_out,
    load,
    load_opted_out,
    mark_delivered,
    meet,
    opt_in,
    opt_out,
    read_contacts,
    record_inbound,
)

__all__ = [
    "STRANGER",
    "Contact",
    "Key",
    "Meeting",
    "OptedOut",
    "add",
    "find_opt_out",
    "find_opted_out",
    "load",
    "load_opted_out",
    "mark_delivered",
    "meet",
    "opt_in",
    "opt_out",
    "read_contacts",
    "record_inbound",
]
