"""How far a sandbox account's time runs ahead. A partner's clock moves its accounts too."""

from .store import find_moved_with, load_clocks, move_clocks

__all__ = ["find_moved_with", "load_clocks", "move_clocks"]
