"""Runs histories in a process of its own: `python -m proof.simulation.worker`, a JSON line in for
each that is asked for, and one out with what came of it.

Sets of texts have one order only where PYTHONHASHSEED is fixed. What has crashed is not tidied up,
as after kill -9, so it stays in memory: whoever asks starts workers anew from time to time.
"""

import gc
import os
import sys
import warnings
from collections.abc import MutableMapping
from typing import Any

import msgspec
import structlog

from proof.simulation.arena import Arena
from proof.simulation.faults import Fault
from proof.simulation.history import History, Told

# What the service itself takes for a fault of the program.
BUGS = {
    "request.failed", "callback.failed", "job.failed", "job.dead_lettered", "periodic.failed",
    "platform.adapter_failed", "queue.claim_failed", "program.outdated", "key.reading_failed",
    "token.unsealing_failed",
}  # fmt: skip


class Asked(msgspec.Struct):
    """One history. `only`: no other faults than these."""

    seed: int
    only: list[str] | None = None
    log: bool = False


class Ears:
    """Hears what the service logs."""

    def __init__(self) -> None:
        self.bugs: list[str] = []

    def __call__(self, _: Any, level: str, event: MutableMapping[str, Any]) -> str:
        if level in ("error", "critical") and event.get("event") in BUGS:
            told = {name: value for name, value in event.items() if name != "exc_info"}
            reason = event.get("exc_info")
            fault = sys.exc_info()[1] if reason is True else reason
            self.bugs.append(f"log: {told} {fault!r}")
        raise structlog.DropEvent


KEPT: list[History] = []


def tell(arena: Arena, ears: Ears, asked: Asked) -> Told:
    ears.bugs = []
    only = None if asked.only is None else {Fault.parse(text) for text in asked.only}
    try:
        history = History(arena, asked.seed, only, log=asked.log)
        KEPT.append(history)
        told = history.run()
    except Exception as error:  # noqa: BLE001 - a seed that breaks the simulation is one to look at
        told = Told(asked.seed, [f"the simulation broke: {error!r}"], [], {}, "", 0, 0, [])
    told.problems += ears.bugs
    return told


def main() -> None:
    warnings.simplefilter("ignore")
    gc.disable()
    ears = Ears()
    structlog.configure(processors=[structlog.stdlib.add_log_level, ears])
    arena = Arena(msgspec.json.decode(sys.argv[1]))
    for line in sys.stdin:
        told = tell(arena, ears, msgspec.json.decode(line, type=Asked))
        print(msgspec.json.encode(told).decode(), flush=True)
    arena.close()
    sys.stdout.flush()
    os._exit(0)  # what has crashed is not to be tidied up


if __name__ == "__main__":
    main()
