"""Limits that an operator has changed: each reaches the part that a process opens with it."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.database import fresh_database, opened_database, variables_of
from tests.support.loops import HurriedLoop
from tests.support.waiting import until
from tidings.app import Service, open_graph, open_outbound
from tidings.cli.running.startup import database
from tidings.clock import SystemClock
from tidings.context import Context
from tidings.engine.db.connections import Connections
from tidings.engine.db.tx import Tx
from tidings.platforms.whatsapp.call_errors import NoResponse
from tidings.settings import Settings

TIMEOUT = timedelta(seconds=30)
MANY = 40  # threads: more than those that all kinds of work share on a small machine


@asynccontextmanager
async def opened(folder: Path, **settings: str) -> AsyncIterator[Context]:
    """All parts of a process, which has not begun to work."""
    given = Settings.from_env({"TIDINGS_DATA": str(folder), **settings})
    async with opened_database(fresh_database(), SystemClock()) as db:
        service = await Service.open(given, db, clock=SystemClock())
        try:
            yield service.ctx
        finally:
            await service.stop()


class Crowd:
    """Work for threads that ends when so many do it at once; more of them are noticed."""

    def __init__(self, size: int) -> None:
        self._together = threading.Barrier(size, timeout=60)
        self._lock = threading.Lock()
        self._inside = self.most = 0

    def join(self) -> bytes:
        with self._lock:
            self._inside += 1
            self.most = max(self.most, self._inside)
        self._together.wait()
        time.sleep(0.002)  # in which one too many would come in
        with self._lock:
            self._inside -= 1
        return b""


@pytest.mark.parametrize("size", [1, MANY])
async def test_as_many_passwords_are_checked_at_once_as_set(tmp_path: Path, size: int) -> None:
    async with opened(tmp_path, TIDINGS_PASSWORDS_AT_ONCE=str(size)) as ctx:
        crowd = Crowd(size)
        await asyncio.gather(*(ctx.passwords.run(crowd.join) for _ in range(2 * size)))
    assert crowd.most == size


@pytest.mark.parametrize("size", [1, MANY])
async def test_as_many_invoices_are_typeset_at_once_as_set(tmp_path: Path, size: int) -> None:
    async with opened(tmp_path, TIDINGS_DOCUMENTS_AT_ONCE=str(size)) as ctx:
        crowd = Crowd(size)
        making = (ctx.documents.make(account, crowd.join) for account in range(2 * size))
        await asyncio.gather(*making)
    assert crowd.most == size


async def test_a_process_opens_as_many_database_connections_as_set(tmp_path: Path) -> None:
    direct = dict(fresh_database())  # a pooler would have a size of its own
    settings = Settings.from_env(
        variables_of(direct)
        | {"TIDINGS_DATABASE_CONNECTIONS": "4", "TIDINGS_REPORT_CONNECTIONS": "5"}
    )
    async with database(settings, SystemClock(), "tidings tests", asyncio.Event()) as db:
        await _require_size(4, db.transact, db.connections)
        await _require_size(5, db.report, db.report_connections)


async def _require_size(size: int, run: Callable[..., Any], pool: Connections) -> None:
    """So many get a connection, and the next one waits."""
    inside, released = 0, asyncio.Event()

    async def hold(_tx: Tx) -> None:
        nonlocal inside
        inside += 1
        await released.wait()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(size):
            tasks.create_task(run(hold))
        await until(lambda: inside == size)
        tasks.create_task(run(hold))
        await until(lambda: pool.waiting == 1)
        assert inside == size
        released.set()


async def test_as_many_hosts_are_looked_up_at_once_as_set() -> None:
    crowd = Crowd(4)

    def resolve(_host: str) -> list[str]:
        crowd.join()
        raise OSError

    settings = Settings.from_env({"TIDINGS_LOOKUPS": "4"})
    async with open_outbound(settings, SystemClock(), resolve=resolve) as outbound:
        posts = (
            outbound.post(f"https://{n}.example.com/", b"", {}, timeout=TIMEOUT, tenant=n)
            for n in range(8)
        )
        await asyncio.gather(*posts)
    assert crowd.most == 4


def test_the_platform_may_take_as_long_as_set() -> None:
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(_call_a_silent_platform())


async def _call_a_silent_platform() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, HurriedLoop)
    asked = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(say_nothing, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        variables = {"TIDINGS_GRAPH_URL": f"http://127.0.0.1:{port}"}
        graph = open_graph(Settings.from_env(variables | {"TIDINGS_PLATFORM_SECONDS": "8"}))
        call = asyncio.create_task(graph.get_json("1055", "token"))
        await asked.wait()
        loop.skip(2)
        await asyncio.wait({call}, timeout=0.1)
        assert not call.done()
        loop.skip(8)
        await asyncio.wait({call}, timeout=1)
        assert call.done() and isinstance(call.exception(), NoResponse)
        await graph.close()
