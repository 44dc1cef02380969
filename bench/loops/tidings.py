"""One round of Tidings' full loop: durable, signed, billed, idempotent, with two webhooks a message
(`sent` and `delivered`). A message counts once its `delivered` has reached the customer."""

import http.client
import itertools
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import uvloop

from bench.load import Load, drive, request, require_accepted
from bench.loops.database import IDLE_SECONDS, Counters, Watch, per_message
from bench.loops.installation import KEY, ONE_PROCESS, installation, serving
from bench.loops.processor import seconds_of, tree
from bench.loops.programs import Words, drain, figures_of, module
from bench.stage import free_port

BULK = 100
BATCH = 1_000  # of `post_batches`
HEADERS = {"x-api-key": KEY}
# How a machine's processes can be divided; the first of each listens.
SPLITS: dict[str, list[Words]] = {
    "1": ONE_PROCESS,
    "2": [["--processes", "2"]],
    "api + worker": [["--roles", "api,portal"], ["--roles", "worker"]],
}

_guests = itertools.count()


def full_loop(mode: str, seconds: float, connections: int, split: list[Words]) -> dict[str, Any]:
    """Loops a second, with what a loop cost the service and PostgreSQL.

    `lost` are `sent` and `delivered` events that did not come.
    """
    with running(split) as round_:
        load = round_.drive(mode, seconds, connections)
        return round_.figures(load, mode)


@contextmanager
def running(split: list[Words]) -> Iterator["Round"]:
    """A service that has been idle for a while, with its platform and its customer."""
    back = free_port()
    with (
        module("sink") as sink,
        module("platform", str(back)) as platform,
        installation(platform, sink, port=back) as made,
        serving(made, split) as pids,
        closing(Watch(made.env)) as watch,
    ):
        yield Round(back, pids, watch, sink=sink, platform=platform)


class Round:
    """Of a running service: what is read before the load, and what became of it after."""

    def __init__(
        self, port: int, pids: list[int], watch: Watch, *, sink: int, platform: int
    ) -> None:
        self.port, self._pids, self.watch = port, pids, watch
        self._sink, self._platform = sink, platform
        self._postmaster = watch.postmaster()
        self._idle = self._measure_idle()

    def _measure_idle(self) -> Counters:
        before = self.watch.read()
        time.sleep(IDLE_SECONDS)
        return self.watch.read().since(before)

    def drive(self, mode: str, seconds: float, connections: int) -> Load:
        self._before = self.watch.read()
        self._spent = self._seconds()
        self._began = time.monotonic()
        make = texts() if mode == "text" else bulks()
        return uvloop.run(
            drive("127.0.0.1", self.port, make, connections=connections, seconds=seconds)
        )

    def figures(self, load: Load, mode: str) -> dict[str, Any]:
        accepted = sum(n for status, n in load.statuses.items() if status in (200, 202))
        accepted *= BULK if mode == "bulk" else 1
        came = drain(self._sink, lambda found: min(found["sent"], found["delivered"]) >= accepted)
        spent = [now - then for now, then in zip(self._seconds(), self._spent, strict=True)]
        counted = self.watch.read().since(self._before)
        called = figures_of(self._platform)
        done = max(came["delivered"], 1)
        return {
            "loops": round(came["delivered"] / (came["lastAt"] - self._began)),
            "accepted": accepted,
            "lost": accepted * 2 - min(came["sent"], accepted) - min(came["delivered"], accepted),
            "other": sum(load.statuses.values()) * (BULK if mode == "bulk" else 1) - accepted,
            "sent": came["sent"], "delivered": came["delivered"], "handedOver": called["sends"],
            "callbacks": called["callbacks"], "callbacksRefused": called["refused"],
            "p50ms": round(load.percentile(0.5) * 1000, 1),
            "p99ms": round(load.percentile(0.99) * 1000, 1),
            "serviceUs": round(spent[0] / done * 1e6),
            "postgresUs": round(spent[1] / done * 1e6),
            "perMessage": per_message(self._idle, counted, done),
        }  # fmt: skip

    def _seconds(self) -> tuple[float, float]:
        """(service, database)"""
        return seconds_of(self.processes()), seconds_of(tree([self._postmaster]))

    def processes(self) -> set[int]:
        """The service's own."""
        return tree(self._pids) - tree([self._postmaster])


def one_text() -> tuple[str, dict[str, str], bytes]:
    """Path, headers and body of a send."""
    headers = {**HEADERS, "content-type": "application/json"}
    return "/api/v1/messages/text", headers, _message(f"{os.getpid()}-{time.time_ns()}")


def texts() -> Callable[[], bytes]:
    run = f"{os.getpid()}-{time.time_ns()}"
    return lambda: request("POST", "/api/v1/messages/text", HEADERS, _message(run))


def bulks() -> Callable[[], bytes]:
    make = bulk_bodies(BULK)
    return lambda: request("POST", "/api/v1/messages/bulk", HEADERS, make())


def bulk_bodies(size: int, scheduled_for: str = "") -> Callable[[], bytes]:
    run = f"{os.getpid()}-{time.time_ns()}"
    more = f',"scheduledFor":"{scheduled_for}"' if scheduled_for else ""

    def make() -> bytes:
        return b'{"messages":[' + b",".join(_message(run, more) for _ in range(size)) + b"]}"

    return make


def post_batches(port: int, count: int, *, scheduled_for: str = "") -> None:
    """So many messages, one batch after another."""
    headers = {**HEADERS, "content-type": "application/json"}
    make = bulk_bodies(BATCH, scheduled_for)
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(count // BATCH):
        connection.request("POST", "/api/v1/messages/bulk", make(), headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status not in (200, 202):
            raise RuntimeError(f"{answer.status} {said[:500]!r}")
        require_accepted(said)
    connection.close()


def _message(run: str, more: str = "") -> bytes:
    n = next(_guests)
    return (
        f'{{"clientMessageId":"loop-{run}-{n}","to":"97250{n % 10_000_000:07d}",'
        f'"templateName":"hello","templateParams":["Dana","{n}"]{more}}}'
    ).encode()


if __name__ == "__main__":
    print(json.dumps(full_loop("text", 5, 32, ONE_PROCESS), indent=2))
