"""How long the server takes for each page of the portal: with the demo's data, and with a million
messages. Beside them the first pages of the API's lists."""

import asyncio
import logging
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import structlog

from bench import million
from tests.support import demo_world
from tests.support.database import fresh_database
from tests.support.demo_world import DemoWorld
from tests.support.portal import Visitor, signed_in
from tests.support.service import TestService
from tidings.portal.pages import PAGES

TIMES = 15  # each page is asked for, after two to warm up
DEMO_MS, MILLION_MS, LIST_MS = 100, 300, 20
NO_PAGES = {"/language", "/stream", "/sign-in", "/sign-in/code", "/sign-up", "/welcome"}
WHOLE = (
    "/media/",
    "export",
    ".csv",
    "/csv",
    ".pdf",
    "/pdf",
)  # files, whose length is what they hold
LISTS = (
    "/messages", "/messages?status=failed", "/batches", "/events", "/events/wedding/guests",
    "/links", "/optouts", "/forms", "/charges", "/invoices",
)  # fmt: skip

Figures = dict[str, float]


def measure() -> dict[str, Any]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    dsn = fresh_database()
    with tempfile.TemporaryDirectory() as folder, TestService(dsn, Path(folder)) as service:
        world = demo_world.build(service, Path(folder))
        ask = _asker(world)
        demo = {path: ask(path) for path in _addresses(world)}
        began = time.perf_counter()
        asyncio.run(_fill(dsn, world))
        seconds = time.perf_counter() - began
        large = {path: ask(path) for path in demo}
        lists = {path: _timed(partial(world.demo.get, path)) for path in LISTS}
    return {"demo": demo, "million": large, "lists": lists, "fillSeconds": round(seconds, 1)}


def _asker(world: DemoWorld) -> Callable[[str], Figures]:
    owner = signed_in(world.demo, operator=True)
    partner = signed_in(world.partner)

    def ask(path: str) -> Figures:
        visitor: Visitor = partner if path.startswith("/partner") else owner
        return _timed(lambda: visitor.raw("GET", path))

    return ask


def _addresses(world: DemoWorld) -> list[str]:
    found = set()
    for page in PAGES:
        if page.get is None or page.path in NO_PAGES or any(part in page.path for part in WHOLE):
            continue
        path = page.path
        for name, value in world.params.items():
            path = path.replace(f"{{{name}}}", value)
        if "{" not in path:
            found.add(path)
    return sorted(found)


def _timed(ask: Callable[[], httpx.Response]) -> Figures:
    answer = ask()
    ask()
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        answer = ask()
        taken.append((time.perf_counter() - began) * 1000)
    ordered = sorted(taken)
    p95 = ordered[round(0.95 * (TIMES - 1))]
    return {
        "status": answer.status_code,
        "p50ms": round(statistics.median(ordered), 1),
        "p95ms": round(p95, 1),
    }


async def _fill(dsn: Any, world: DemoWorld) -> None:
    connection = await asyncpg.connect(**dsn)
    await million.fill(connection, world.demo.id)
    await connection.close()
