"""Sandbox clocks: how far an account's time runs ahead. A partner's moves its accounts too."""

from .clock_store import lock_clocks, unlock_clocks
from .store import find_moved_with, load_clocks, move_clocks, require_clocks

__all__ = [
    "find_moved_with",
    "load_clocks",
    "lock_clocks",
    "move_clocks",
    "require_clocks",
    "unlock_clocks",
]
