"""How long the server takes for each page of the portal: with the demo's data, and with a million
messages. Beside them the first pages of the API's lists.

Measured twice: the time that passed, and the processor time of the service and of its database,
which other work on the machine hardly changes."""

import asyncio
import logging
import re
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
from bench.processor import Processor
from tests.support import demo_world
from tests.support.database import fresh_database
from tests.support.demo_world import DemoWorld
from tests.support.portal import Visitor, signed_in
from tests.support.service import TestService
from tidings.portal.pages import PAGES

TIMES = 15  # each page is asked for, after two to warm up
DEMO_MS, MILLION_MS, LIST_MS = 100, 300, 20
NO_PAGES = {"/language", "/stream", "/sign-in/code", "/welcome"}  # they lead elsewhere or wait
WHOLE = ("/media/", ".csv", "/pdf", ".pdf")  # downloads: they take as long as they are large
VIEWS = (
    "/messages?status=failed", "/messages?status=queued", "/messages?search=972521234567",
    "/messages?kind=invitation&status=failed", "/events/wedding?state=confirmed",
    "/events/wedding?state=expired", "/privacy?number=972521234567", "/requests?status=500",
    "/optouts?number=972520000000", "/webhooks?status=failed", "/phone?number=972521234567",
)  # fmt: skip
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
        asker = Asker(world)
        demo = asker.ask_all()
        began = time.perf_counter()
        asyncio.run(_fill(dsn, world))
        seconds = time.perf_counter() - began
        large = asker.ask_all()
        lists = asker.ask_lists()
    return {"demo": demo, "million": large, "lists": lists, "fillSeconds": round(seconds, 1)}


class Asker:
    """People with browsers, and a program with a key, who ask for everything that there is."""

    def __init__(self, world: DemoWorld) -> None:
        self._world = world
        self._owner = signed_in(world.demo, operator=True)
        self._partner = signed_in(world.partner)
        self._stranger = Visitor(world.demo.service)
        self._processor = Processor(world.demo.service)

    def ask_all(self) -> dict[str, Figures]:
        paths = [*_addresses(self._world), *VIEWS]
        return {path: self._timed(partial(self._visitor(path).raw, "GET", path)) for path in paths}

    def ask_once(self) -> None:
        """Everything, for the statements that it takes."""
        for path in (*_addresses(self._world), *VIEWS):
            self._visitor(path).raw("GET", path)
        for path in LISTS:
            self._world.demo.get(path)

    def ask_lists(self) -> dict[str, Figures]:
        return {path: self._timed(partial(self._world.demo.get, path)) for path in LISTS}

    def _visitor(self, path: str) -> Visitor:
        if path.startswith("/sign-"):
            return self._stranger
        return self._partner if path.startswith("/partner") else self._owner

    def _timed(self, ask: Callable[[], httpx.Response]) -> Figures:
        began = time.perf_counter()
        first = ask()
        first_ms = (time.perf_counter() - began) * 1000
        ask()
        self._processor.begin()
        passed, service, database = [], [], []
        for _ in range(TIMES):
            before, began = self._processor.read_ms(), time.perf_counter()
            ask()
            passed.append((time.perf_counter() - began) * 1000)
            after = self._processor.read_ms()
            service.append(after[0] - before[0])
            database.append(after[1] - before[1])
        return {
            "status": first.status_code,
            "firstMs": round(first_ms, 1),
            "p50ms": round(statistics.median(passed), 1),
            "p95ms": round(sorted(passed)[round(0.95 * (TIMES - 1))], 1),
            "serviceMs": round(min(service), 1),
            "databaseMs": round(min(database), 1),
        }


def processor_ms(figures: Figures) -> float:
    return figures["serviceMs"] + figures["databaseMs"]


def _addresses(world: DemoWorld) -> list[str]:
    """Of every page that can be opened; fails where the demo has no value for a path parameter."""
    found = set()
    for page in PAGES:
        if page.get is None or page.path in NO_PAGES or any(part in page.path for part in WHOLE):
            continue
        path = re.sub(r"{(\w+)}", lambda one: world.params[one[1]], page.path)
        found.add(path)
    return sorted(found)


async def _fill(dsn: Any, world: DemoWorld) -> None:
    connection = await asyncpg.connect(**dsn)
    await million.fill(connection, world.demo.id)
    await connection.close()
