"""The command line of `make fuzz`: run, replay, and one line for each promise.

Ends with 1 where a promise is broken; the requests that broke it are then in --folder.
"""

import argparse
import asyncio
import json
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path
from random import SystemRandom

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from proof.fuzz import described, drive, saved
from proof.fuzz.promises import Found, judge
from proof.fuzz.stage import Stage, staged
from proof.fuzz.wire import Connection
from tidings.cli.output import progress_bar

REQUESTS = 100_000
ROUND = 2000  # requests between two looks at the memory and the sessions
WARM_UP = 10_000  # requests after which the memory must not grow without bound
FOLDER = Path("build/fuzz")


def read_options(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make fuzz")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="in all")
    parser.add_argument("--seed", type=int, help="of an earlier run; absent: a new one")
    parser.add_argument(
        "--described-seconds", type=int, default=150, help="of schemathesis; 0: none"
    )
    parser.add_argument("--minutes", type=float, default=25, help="after which it ends early")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of reports and failures")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="send a kept request again")
    parser.add_argument("--parsers", action="store_true", help="fuzz the parsers by coverage")
    parser.add_argument("--seconds", type=int, default=60, help="of each parser")
    parser.add_argument("--only", help="of the parsers, by name")
    return parser.parse_args(words)


def run(asked: argparse.Namespace) -> Found:
    """The whole run: schemathesis first, then the generator for as many requests as are left."""
    found = Found(seed=asked.seed)
    with staged() as stage:
        found.memory_first = stage.memory()
        if asked.described_seconds:
            seconds = asked.described_seconds
            found.described = described.run(stage, asked.seed, seconds, asked.folder)
        left = max(asked.requests - found.described.phases.total(), 0)
        _generate(stage, asked, found, left)
        found.memory_last, found.memory_most = stage.memory(), stage.memory("VmHWM")
        time.sleep(2)  # work that requests left behind
        found.doctor = asyncio.run(stage.faults())
        found.log_faults = log_faults(stage.log)
    return found


def _generate(stage: Stage, asked: argparse.Namespace, found: Found, count: int) -> None:
    end = time.monotonic() + asked.minutes * 60
    columns = (TextColumn("requests"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with progress_bar(*columns) as progress:
        task = progress.add_task("requests", total=count)
        for start in range(0, count, ROUND):
            if time.monotonic() > end:  # what is missing then breaks the first promise
                break
            numbers = range(start, min(start + ROUND, count))
            asyncio.run(stage.sign_in())
            work = drive.drive(stage.port, asked.seed, numbers, stage.known)
            tally = asyncio.run(work)
            found.add(tally)
            for failure in tally.failures:
                found.files.append(saved.save(asked.folder, asked.seed, failure, stage.known))
            if start <= WARM_UP < start + ROUND:
                found.memory_warm = stage.memory()
            progress.update(task, completed=numbers.stop)


def log_faults(log: str) -> list[str]:
    """Lines of the server's log that say that something failed which nobody expected."""
    lines = log.splitlines()
    return [line[:500] for line in lines if '"level":"error"' in line or "Traceback" in line]


def replay(path: Path) -> int:
    """Send a kept request to a fresh service, and say what it answers."""
    with staged() as stage:
        call = saved.load(path, stage.known)
        connection = Connection(stage.port)
        work = connection.ask_alone(call) if call.is_alone else connection.ask_all(call)
        tally = drive.Tally()
        for answer in asyncio.run(work):
            tally.note(0, call, answer)
            print(answer.status, answer.body[:2000].decode("utf-8", "replace"))
        for failure in tally.failures:
            print("; ".join(failure.faults))
        print(stage.log[-3000:] if tally.failed else "as it must be")
        return 1 if tally.failed else 0


def _stop(_number: int, _frame: object) -> None:
    """Ended from outside: the service and its database must not stay behind."""
    sys.exit("ended before the run was complete")


def main() -> int:
    asked = read_options()
    if asked.replay is not None:
        return replay(asked.replay)
    signal.signal(signal.SIGTERM, _stop)
    asked.seed = SystemRandom().randrange(10**6) if asked.seed is None else asked.seed
    print(f"seed {asked.seed}", file=sys.stderr)
    if asked.parsers:
        from proof.fuzz import parsers  # needs atheris, which the requests do not

        words = (asked.seconds, asked.only, asked.folder, asked.seed)
        return parsers.main(*words, as_json=asked.json)
    found = run(asked)
    promises = judge(found, asked.requests)
    if asked.json:
        print(
            json.dumps(found.figures() | {"promises": [asdict(one) for one in promises]}, indent=1)
        )
    else:
        for line in found.lines():
            print(line)
        for one in promises:
            print(f"{'kept  ' if one.kept else 'BROKEN'} {one.text}")
    return 0 if all(one.kept for one in promises) else 1


if __name__ == "__main__":
    sys.exit(main())
