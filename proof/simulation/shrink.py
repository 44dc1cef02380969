"""The fewest faults with which a seed still fails (delta debugging)."""

from collections.abc import Callable, Sequence

from proof.simulation.history import Told
from proof.simulation.worker import Asked

RUNS_MAX = 80

Tell = Callable[[Asked], Told]


def shrink(tell: Tell, failing: Told, progress: Callable[[str], None] = lambda _: None) -> Told:
    """The history with the fewest faults that was found within so many tries."""
    best, faults, parts, runs = failing, list(failing.faults), 2, 0
    while len(faults) > 1 and runs < RUNS_MAX:
        for part in _split(faults, parts):
            fewer = [one for one in faults if one not in part]
            told = tell(Asked(failing.seed, fewer))
            runs += 1
            progress(f"{len(fewer)} faults: {'fails' if told.problems else 'holds'}")
            if told.problems:
                best, faults, parts = told, list(told.faults), max(parts - 1, 2)
                break
        else:
            if parts >= len(faults):
                break
            parts = min(2 * parts, len(faults))
    return best


def _split(faults: Sequence[str], parts: int) -> list[set[str]]:
    size = -(-len(faults) // parts)
    return [set(faults[start : start + size]) for start in range(0, len(faults), size)]
