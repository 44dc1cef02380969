"""`tidings serve --processes N`: several processes on one port, kept running by their parent.

The parent serves the operator, for all of them together (`merged_page.py`).
"""

import asyncio
import os
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from tidings import limits
from tidings.clock import SystemClock
from tidings.engine.http.server import Running, listen
from tidings.engine.http.server import serve as serve_http
from tidings.settings import Settings, variable

from .merged_page import Family, merged_page
from .operator_address import address_of, open_listener
from .slot import Slot
from .startup import database, on_signals, stop_with

log = structlog.get_logger()

RESTART_AFTER = 1.0  # seconds, so that a process that cannot start does not spin


async def supervise(
    settings: Settings, host: str, port: int, processes: int, roles: frozenset[str]
) -> None:
    """Keep several processes running; one that dies is started afresh."""
    stopping = on_signals()
    if "api" in roles:
        listen(host, port).close()  # the processes share the port, and with nobody else
    operator = open_listener(settings, demo=False)
    command = [sys.executable, "-m", "tidings.cli", "serve", "--host", host]
    command += ["--port", str(port), "--roles", ",".join(sorted(roles))]
    env = os.environ | {"TIDINGS_SHARED_PORT": "1", "TIDINGS_RATE": "shared"}
    if operator is not None:
        env[variable("operator_address")] = str(address_of(operator))  # no webhook goes there
    with TemporaryDirectory(prefix="tidings-metrics-") as folder:
        family = Family([Slot.make(number) for number in range(processes)], Path(folder))
        async with database(settings, SystemClock()), asyncio.TaskGroup() as group:
            # The database is migrated once, and kept up for all.
            for slot in family.slots:
                group.create_task(_keep_alive(command, env, family, slot, stopping))
            if operator is not None:
                ready = partial(_until, stopping)
                page = merged_page(family, docs_url=f"{settings.public_url}/docs")
                group.create_task(serve_http(page, sockets=[operator], ready=ready))


async def _keep_alive(
    command: list[str], env: dict[str, str], family: Family, slot: Slot, stopping: asyncio.Event
) -> None:
    env = env | slot.environment(family.metrics)
    while not stopping.is_set():
        child = await asyncio.create_subprocess_exec(
            *command, env=env, pass_fds=(slot.listener.fileno(),)
        )
        family.running.add(slot.number)
        ended = asyncio.create_task(child.wait())
        told = asyncio.create_task(stopping.wait())
        await asyncio.wait({ended, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        family.running.discard(slot.number)
        if not ended.done():
            await _end(child, ended)
        else:
            log.error("process.died", status=ended.result())
            await asyncio.sleep(RESTART_AFTER)


async def _end(child: asyncio.subprocess.Process, ended: asyncio.Task[int]) -> None:
    child.terminate()
    await asyncio.wait({ended}, timeout=limits.SHUTDOWN_MAX.total_seconds())
    if not ended.done():
        child.kill()
    await ended


def _until(stopping: asyncio.Event, running: Running) -> None:
    log.info("serving.operator", address=f"http://{running.host}:{running.port}")
    stop_with(stopping, running.stop)
