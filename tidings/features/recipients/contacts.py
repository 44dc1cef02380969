"""What other slices may ask and tell of the people we write to."""

from .store import STRANGER, Contact, Key, load, mark_delivered, mark_heard, meet

__all__ = ["STRANGER", "Contact", "Key", "load", "mark_delivered", "mark_heard", "meet"]
