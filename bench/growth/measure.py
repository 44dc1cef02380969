"""Claiming, accepting, a status and a list with everything that has grown, beside a database that
is nearly empty, in turns; then the plans of every statement that was sent meanwhile."""

import asyncio
import itertools
import json
import logging
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import structlog

from bench import callbacks
from bench.growth.rows import GROWING
from bench.growth.world import World, world
from bench.load import later, require_accepted
from bench.pages import LISTS, Asker
from tests.support.service import TestService
from tidings.engine.queue.claim import Claimer, EqualShares
from tidings.engine.queue.claim_store import PoolJobs

FINISHED = 10_000_000
TENANTS = 200
WAITING_MIN = 2_000  # also in the database that is nearly empty
TIMES = 40
CLAIMED = BULK = 100
WORK_SECONDS = 10.0
JSON = {"content-type": "application/json"}

Act = Callable[[], object]
_ids = itertools.count(1)


def measure(finished: int = FINISHED, rounds: int = 3, tenants: int = TENANTS) -> dict[str, Any]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    with ExitStack() as stack:
        full = stack.enter_context(world(tenants, finished, max(finished // 10, WAITING_MIN)))
        empty = stack.enter_context(world(tenants, 0, WAITING_MIN))
        found: dict[str, Any] = {"messages": finished, "fillSeconds": full.fill_seconds}
        beside, grown = acts(empty, rounds), acts(full, rounds)
        for name in beside:
            found[name] = _compare(beside[name], grown[name], rounds)
        return found | check_plans(full)


def check_plans(
    full: World, settings: dict[str, str] | None = None, work_seconds: float = WORK_SECONDS
) -> dict[str, Any]:
    """Of everything that the world was asked for, of all pages and lists, and of workers."""
    Asker(full.demo).ask_once()
    with TestService(full.recorder.dsn(full.dsn), full.folder, settings=callbacks.ENV):
        time.sleep(work_seconds)
    offending = asyncio.run(full.recorder.offenders(full.dsn, GROWING, settings))
    count = len({query for query, *_ in full.recorder.statements})
    return {"statements": count, "offenders": len(offending), "offending": offending}


def acts(of: World, rounds: int) -> dict[str, Act]:
    """What is timed, by name."""
    statuses = _statuses(of, TIMES * rounds + TIMES)
    lists = itertools.cycle(LISTS)
    return {
        "claim": partial(_claim, of),
        "accept": partial(_accept, of),
        "status": lambda: of.ask(200, *next(statuses)),
        "list": lambda: of.ask(200, "GET", f"/api/v1{next(lists)}", of.demo.demo.headers),
    }


def _compare(empty: Act, full: Act, rounds: int) -> dict[str, Any]:
    """In turns, a few at a time; the first of each warm up."""
    times: dict[str, list[float]] = {"empty": [], "full": []}
    for act in (empty, full):
        for _ in range(TIMES // 2):
            act()
    for _ in range(rounds * 4):
        for name, act in (("empty", empty), ("full", full)):
            for _ in range(TIMES // 4):
                began = time.perf_counter()
                act()
                times[name].append(time.perf_counter() - began)
    one, other = (statistics.median(taken) * 1000 for taken in times.values())
    return {"emptyMs": round(one, 2), "fullMs": round(other, 2), "ratio": round(other / one, 2)}


def _claim(of: World) -> None:
    """A hundred jobs that are due, rolled back."""
    claimer = Claimer(PoolJobs("send"))
    db = of.service.ctx.db
    claimed = of.service.call(
        lambda: db.preview(lambda tx: claimer.claim(tx, EqualShares(CLAIMED)))
    )
    assert claimed.jobs, "nothing was due"


def _accept(of: World) -> None:
    """A hundred messages for later: nothing is sent."""
    at = later()
    messages = [
        {"clientMessageId": f"grown-{os.getpid()}-{n}", "to": f"97253{n % 10_000_000:07d}",
         "templateName": "hello", "templateParams": ["Dana"], "scheduledFor": at}
        for n in itertools.islice(_ids, BULK)
    ]  # fmt: skip
    body = json.dumps({"messages": messages})
    answer = of.ask(202, "POST", "/api/v1/messages/bulk", of.tenant.headers | JSON, body)
    require_accepted(answer)


def _statuses(of: World, count: int) -> Iterator[tuple[str, str, dict[str, str], bytes]]:
    """Callbacks about messages that were sent."""
    first = time.time_ns()
    asyncio.run(callbacks.seed_into(of.dsn, of.live.id, first, count))
    for raw in callbacks.callbacks(first, count):
        head, body = raw.split(b"\r\n\r\n", 1)
        _, *lines = head.decode().split("\r\n")
        yield "POST", callbacks.PATH, dict(line.split(": ", 1) for line in lines), body
