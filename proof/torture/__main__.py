"""`make torture`: processes and databases are killed, stopped, starved and cut off under load.

python -m proof.torture [--json] [--only SCENARIO,...] [--seed S] [--kills N] [--restarts N]

One line for each promise with its figure; ends with 1 where one is broken.
"""

import argparse
import json
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from proof.torture.disk import fill_disk
from proof.torture.kills import kill_processes
from proof.torture.listener import end_listeners
from proof.torture.memory import starve
from proof.torture.network import cut_network
from proof.torture.promises import Promise
from proof.torture.rescue import measure_rescue
from proof.torture.restarts import restart_database
from proof.torture.rolling import roll
from proof.torture.run import Run
from proof.torture.zombies import stop_workers
from tidings.cli.output import progress_bar

Options = argparse.Namespace
Scenario = Callable[[Run], list[Promise]]

SCENARIOS: dict[str, tuple[Callable[[Options], int], Scenario]] = {
    "kills": (lambda asked: asked.kills, kill_processes),
    "restarts": (lambda asked: asked.restarts, restart_database),
    "rescue": (lambda _: 2, measure_rescue),
    "zombies": (lambda asked: asked.rounds, stop_workers),
    "listener": (lambda asked: 20 * asked.rounds, end_listeners),
    "network": (lambda asked: 3 * asked.rounds, cut_network),
    "disk": (lambda asked: asked.rounds, fill_disk),
    "memory": (lambda asked: 4 * asked.rounds, starve),
    "rolling": (lambda asked: asked.rolling, roll),
}


def run(asked: Options) -> dict[str, list[Promise]]:
    found = {}
    for name in asked.only:
        count_of, scenario = SCENARIOS[name]
        count = count_of(asked)
        with progress_bar() as bar:
            task = bar.add_task(name, total=count)
            show = partial(_show, bar, task)
            found[name] = scenario(Run(asked.seed, count, 60 * asked.minutes, show))
        if not asked.json:
            for promise in found[name]:
                print(f"{name:9} {promise.line()}", flush=True)
    return found


def _show(bar: Any, task: Any, done: int) -> None:
    bar.update(task, completed=done)


def read_options(words: list[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(prog="python -m proof.torture", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--restarts", type=int, default=200)
    parser.add_argument("--rolling", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3, help="of each other scenario")
    parser.add_argument("--minutes", type=float, default=30, help="of a scenario, at most")
    parser.add_argument("--only", default=",".join(SCENARIOS))
    asked = parser.parse_args(words)
    asked.only = asked.only.split(",")
    unknown = [name for name in asked.only if name not in SCENARIOS]
    if unknown:
        parser.error(f"no such scenario: {', '.join(unknown)}; there are {', '.join(SCENARIOS)}")
    return asked


def main() -> int:
    asked = read_options()
    # Ended from outside it still ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.stderr.write(f"seed {asked.seed}\n")
    began = time.monotonic()
    found = run(asked)
    broken = sum(not promise.kept for each in found.values() for promise in each)
    if asked.json:
        plain = {
            name: [{"promise": p.name, "figure": p.figure, "kept": p.kept} for p in each]
            for name, each in found.items()
        }
        print(json.dumps({"seed": asked.seed, "broken": broken, "scenarios": plain}, indent=2))
    else:
        took = time.monotonic() - began
        print(f"{broken} promises broken; seed {asked.seed}; {took:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
