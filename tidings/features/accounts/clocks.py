"""How far a sandbox account's time runs ahead. A partner's clock moves its accounts too."""

from .clock_store import end_turn, take_turn
from .store import find_moved_with, load_clocks, move_clocks

__all__ = ["end_turn", "find_moved_with", "load_clocks", "move_clocks", "take_turn"]
