"""`make bench`: what must be reached, measured in one run, each figure beside its bar.

python -m bench [--json] [--seconds S] [--rounds N] [--only SECTION,...]

Ends with 1 where a bar is missed. Without --only the sections that have bars run; the others are
curves, webhooks, batches, callbacks, neighbours, hostile, pages, sheets, vacuum, doctor.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import uvloop

from bench import batches, callbacks, deliveries, hostile, inside, neighbours, pages, sends, sheets
from bench.bars import judge, missed
from bench.growth import doctor
from bench.growth import measure as growth
from bench.load import summary
from bench.loops import backlog, compare, curves, free_core, memory, startup, vacuum
from bench.show import show, show_bars
from bench.stage import free_port, leave_the_servers_core, stage

BARS = ("loops", "dispatch", "processes", "memory", "startup", "sends", "growth")
STAGED = ("sends", "batches", "callbacks", "neighbours", "hostile")  # share one running service
OTHERS = (
    "curves", "webhooks", "batches", "callbacks", "neighbours", "hostile", "pages", "sheets",
    "vacuum", "doctor",
)  # fmt: skip
SECTIONS = BARS + OTHERS

Options = argparse.Namespace
ALONE: dict[str, Callable[[Options], Any]] = {
    "loops": lambda asked: compare.measure(asked.seconds, asked.rounds),
    "dispatch": lambda asked: backlog.measure(asked.rounds),
    "processes": lambda asked: free_core.measure(asked.seconds, asked.rounds),
    "memory": lambda asked: memory.measure(asked.load_seconds),
    "startup": lambda asked: startup.measure(asked.rounds),
    "growth": lambda asked: growth.measure(asked.messages, asked.rounds),
    "doctor": lambda asked: doctor.measure(asked.messages),
    "vacuum": lambda asked: vacuum.measure(asked.minutes),
    "curves": lambda asked: curves.measure(asked.seconds, asked.rounds),
    "webhooks": lambda asked: deliveries.measure(asked.rounds, free_port()),
    "pages": lambda _: pages.measure(),
    "sheets": lambda asked: sheets.measure(asked.rounds),
}


def run(asked: Options) -> dict[str, Any]:
    os.environ.setdefault("TMPDIR", tempfile.gettempdir())  # on disk, not where tests are fast
    leave_the_servers_core()
    found = {name: measure(asked) for name, measure in ALONE.items() if name in asked.only}
    if any(name in asked.only for name in STAGED):
        found |= _run_staged(asked.seconds, asked.rounds, asked.only)
    return found


def _run_staged(seconds: float, rounds: int, wanted: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    accounts = (sends.ACCOUNT, batches.ACCOUNT, callbacks.ACCOUNT, neighbours.ACCOUNT)
    with stage("".join(accounts)) as on:
        single, queue, _, neighbour = on.keys
        if "sends" in wanted:
            found |= sends.measure(on, single, seconds, rounds)
            found["grouped"] = inside.grouped_accepts(on.env, single, rounds)
        if "batches" in wanted:
            found |= batches.measure(on.port, queue)
        if "callbacks" in wanted:
            loads = uvloop.run(callbacks.measure(on.port, on.env, on.ids[2], seconds, rounds))
            found["callbacks"] = summary(loads, (200,))
        if "neighbours" in wanted:
            found["neighbours"] = neighbours.measure(on, single, neighbour, seconds, rounds)
        if "hostile" in wanted:
            found["hostile"] = hostile.measure(on.port, queue)
    return found


def read_options(words: list[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=5, help="of each load")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--load-seconds", type=float, default=60, help="of the memory's load")
    parser.add_argument("--minutes", type=float, default=2, help="of the load of vacuum")
    parser.add_argument(
        "--messages", type=int, default=growth.FINISHED, help="finished ones of growth and doctor"
    )
    parser.add_argument("--only", default=",".join(BARS), help=", ".join(SECTIONS))
    asked = parser.parse_args(words)
    asked.only = asked.only.split(",")
    if unknown := [name for name in asked.only if name not in SECTIONS]:
        parser.error(f"no section {unknown[0]}; there are {', '.join(SECTIONS)}")
    return asked


def main() -> int:
    asked = read_options()
    found = run(asked)
    rows = judge(found)
    if asked.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)
        show_bars(rows)
    for measure in missed(rows):
        print(f"missed: {measure}", file=sys.stderr)
    return 1 if missed(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
