"""`make simulate`: many seeds, each one history; ends with 1 where one of them breaks a promise.
Interrupted, it says what came so far.

python -m proof.simulation [--seeds N] [--first S] [--jobs N] [--shrink] [--json]
python -m proof.simulation --seed S [--faults "NAME#N,…"]     one again, event by event
"""

import argparse
import json
import logging
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from typing import Any

import structlog

from proof.simulation.arena import furnish
from proof.simulation.crew import Worker, tell_all
from proof.simulation.history import Told
from proof.simulation.shrink import shrink
from proof.simulation.states import STATES, never_reached
from proof.simulation.worker import Asked
from tests.support.database import fresh_database
from tidings.cli.output import progress_bar

ENOUGH_FOR_ALL_STATES = 300  # histories: in so many each dangerous state must have been reached


def main() -> int:
    asked = _arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    base = fresh_database()
    furnish(base)
    if asked.seed is not None:
        return _replay(base, asked)
    began = time.monotonic()
    tally, failed = Tally(), list[Told]()
    seeds = range(asked.first, asked.first + asked.seeds)
    with progress_bar() as progress:
        bar = progress.add_task("histories", total=len(seeds))
        with suppress(KeyboardInterrupt):
            for told in tell_all(base, seeds, asked.jobs):
                tally.add(told)
                if told.problems:
                    failed.append(told)
                    _report(told)
                progress.advance(bar)
    if failed and asked.shrink:
        _explain(base, min(failed, key=lambda told: len(told.faults)))
    return tally.show(time.monotonic() - began, [one.seed for one in failed], as_json=asked.json)


def _report(told: Told) -> None:
    heading = f"seed {told.seed}, {len(told.faults)} faults:"
    print(heading, *told.problems, sep="\n  ", file=sys.stderr, flush=True)


class Tally:
    """What all histories had in common."""

    def __init__(self) -> None:
        self.histories = self.events = self.messages = self.faults = 0
        self.reached: Counter[str] = Counter()  # in how many histories

    def add(self, told: Told) -> None:
        self.histories += 1
        self.events += told.events
        self.messages += told.messages
        self.faults += len(told.faults)
        self.reached.update(state for state, count in told.sometimes.items() if count)

    def show(self, seconds: float, failed: list[int], *, as_json: bool) -> int:
        complete = self.histories >= ENOUGH_FOR_ALL_STATES
        missing = never_reached(self.reached) if complete else []
        figures = {
            "histories": self.histories, "failed": failed, "messages": self.messages,
            "events": self.events, "faults": self.faults, "seconds": round(seconds, 1),
            "reached": dict(self.reached.most_common()), "neverReached": missing,
        }  # fmt: skip
        print(json.dumps(figures) if as_json else _lines(figures))
        return 1 if failed or missing else 0


def _lines(figures: dict[str, Any]) -> str:
    lines = [f"{figures['reached'].get(state, 0):6} of {figures['histories']}  {state}"
             for state in STATES]  # fmt: skip
    lines += [f"never reached: {state}" for state in figures["neverReached"]]
    lines.append(
        f"{figures['histories']} histories, {figures['messages']} messages, {figures['faults']}"
        f" faults, {figures['events']} events in {figures['seconds']} s:"
        f" {len(figures['failed'])} broke a promise {figures['failed'] or ''}"
    )
    return "\n".join(lines)


def _explain(base: dict[str, Any], failing: Told) -> None:
    """With the fewest faults, and how to see it again."""
    with Worker(base) as worker:
        told = shrink(worker.tell, failing, lambda text: print(f"  {text}", file=sys.stderr))
    print(
        f"with {len(told.faults)} of its {len(failing.faults)} faults:", *told.problems, sep="\n  "
    )
    print(f"  make simulate SEED={failing.seed} ARGS='--faults \"{','.join(told.faults)}\"'")


def _replay(base: dict[str, Any], asked: argparse.Namespace) -> int:
    only = None if asked.faults is None else asked.faults.split(",")
    with Worker(base) as worker:
        told = worker.tell(Asked(asked.seed, only, log=True))
    print(*told.log, sep="\n")
    print(f"seed {told.seed}: {told.fingerprint}, {len(told.faults)} faults")
    print(*told.problems, sep="\n")
    return 1 if told.problems else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--faults")
    parser.add_argument("--shrink", action="store_true", help="find the fewest faults that fail")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
