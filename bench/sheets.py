"""A CSV file of 10,000 rows in the portal: uploaded, its columns chosen, checked, sent."""

import gc
import logging
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import structlog

from bench.processor import Processor
from tests.support import demo_world
from tests.support.database import fresh_database
from tests.support.portal import Visitor, signed_in
from tests.support.service import TestService

ROWS = 10_000
TARGET_MS = 2000  # from the file to the page that tells every mistake

Figures = dict[str, float]


def measure(rounds: int) -> dict[str, Figures]:
    """The least of all rounds, each with a service of its own, which is not yet sending."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    found = [_measure() for _ in range(rounds)]
    return {
        step: {name: min(one[step][name] for one in found) for name in figures}
        for step, figures in found[0].items()
    }


def checked_ms(found: dict[str, Figures], figure: str) -> float:
    return sum(figures[figure] for step, figures in found.items() if step != "send")


def _measure() -> dict[str, Figures]:
    dsn = fresh_database()
    with tempfile.TemporaryDirectory() as folder, TestService(dsn, Path(folder)) as service:
        world = demo_world.build(service, Path(folder))
        _collect_as_served()
        return _Walk(service, signed_in(world.demo)).steps()


def _collect_as_served() -> None:
    """As `tidings serve` does."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


class _Walk:
    """A person's way from the file to the batch."""

    def __init__(self, service: TestService, visitor: Visitor) -> None:
        self._processor = Processor(service)
        self._visitor = visitor
        page = visitor.get("/batches/new")
        self._token = {"csrf": str(page.form_of("Continue").select("input")[0]["value"])}

    def steps(self) -> dict[str, Figures]:
        lines = (f"97250{n:07},row-{n:06},Guest {n}" for n in range(ROWS))
        file = "\n".join(["phone,id,name", *lines]).encode()
        post, get = self._visitor.http.post, self._visitor.http.get
        found: dict[str, Figures] = {}
        send = partial(post, data=self._token | {"template": "hello/en"}, files={"file": file})
        columns = self._timed(found, "upload", partial(send, "/portal/batches/new"))
        self._timed(found, "columns", partial(get, columns))
        chosen = self._token | {"number": "0", "id": "1", "v1": "2"}
        check = self._timed(found, "choose", partial(post, columns, data=chosen))
        self._timed(found, "check", partial(get, check))
        self._timed(found, "send", partial(post, check, data=self._token))
        return found

    def _timed(self, found: dict[str, Figures], name: str, ask: Callable[[], Any]) -> str:
        """Where it leads."""
        self._processor.begin()
        before, began = self._processor.read_ms(), time.perf_counter()
        answer: httpx.Response = ask()
        passed = (time.perf_counter() - began) * 1000
        after = self._processor.read_ms()
        assert answer.status_code in (200, 303), answer.text
        found[name] = {
            "ms": round(passed),
            "serviceMs": round(after[0] - before[0]),
            "databaseMs": round(after[1] - before[1]),
        }
        return str(answer.headers.get("location", ""))
