"""`tidings serve --processes N`: several processes on one port, restarted when they die.

The supervisor serves the operator's pages for all of them (`operator.py`).
"""

import asyncio
import os
import secrets
import sys
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from tidings import limits
from tidings.clock import DatabaseClock
from tidings.engine.http.server import Running, listen
from tidings.engine.http.server import serve as serve_http
from tidings.engine.metrics import forget_gauges
from tidings.settings import Settings, variable

from .hung import end_hung
from .operator import ProcessGroup, address_of, group_pages, open_listener
from .slot import Slot
from .startup import database, on_signals, stop_with
from .systemd import Passed, notify, watched, without_messages

log = structlog.get_logger()

RESTART_SECONDS = 1.0  # a process that cannot start must not be restarted in a tight loop
READY_POLL_SECONDS = 0.2


async def supervise(
    settings: Settings,
    *,
    host: str,
    port: int,
    processes: int,
    roles: frozenset[str],
    passed: Passed,
) -> None:
    """Keep the processes running until a signal stops the supervisor."""
    stopping = on_signals()
    stop_with(stopping, partial(notify, "STOPPING=1"))
    if "api" in roles and not passed.public:
        # The processes share the port by SO_REUSEPORT, which would also let another server join.
        listen(host, port).close()
    operator = passed.operator or open_listener(settings, demo=False)
    command = [sys.executable, "-m", "tidings.cli", "serve", "--host", host]
    command += ["--port", str(port), "--roles", ",".join(sorted(roles))]
    env = without_messages(os.environ) | passed.environment()
    env |= {"TIDINGS_SHARED_PORT": "1", "TIDINGS_RATE": "shared", "PYTHONFAULTHANDLER": "1"}
    if operator is not None:
        # The processes refuse to post webhooks to this address.
        env[variable("operator_address")] = str(address_of(operator))
    name = secrets.token_hex(4)
    # The folder is for this user only: whoever connects to a socket in it is one of ours.
    with TemporaryDirectory(prefix="tidings-processes-") as folder:
        slots = [Slot.make(number, name) for number in range(processes)]
        names = ",".join(sorted(roles))
        group = ProcessGroup(slots, Path(folder), names, passed.descriptors, shutdown_max(settings))
        # Migrated once, here; an embedded server runs as long as the supervisor.
        async with (
            database(settings, DatabaseClock(), "tidings supervisor", stopping),
            asyncio.TaskGroup() as tasks,
        ):
            tasks.create_task(_notify_when_ready(group, stopping))
            silent_max = timedelta(seconds=settings.hung_seconds)
            tasks.create_task(end_hung(group, silent_max, stopping))
            for slot in group.slots:
                running = _keep_running(slot, group, command=command, env=env, stopping=stopping)
                tasks.create_task(running)
            if operator is not None:
                pages = group_pages(group, docs_url=f"{settings.public_url}/guide/errors")
                ready = partial(_stop_on_signal, stopping)
                tasks.create_task(serve_http(pages, sockets=[operator], ready=ready))


def shutdown_max(settings: Settings) -> timedelta:
    """How long a process may take to stop; then it is killed."""
    beyond_drain = limits.SHUTDOWN_MAX - limits.SHUTDOWN_DRAIN
    return timedelta(seconds=settings.drain_seconds) + beyond_drain


async def _keep_running(
    slot: Slot,
    group: ProcessGroup,
    *,
    command: list[str],
    env: dict[str, str],
    stopping: asyncio.Event,
) -> None:
    env = env | slot.environment(group.folder)
    while not stopping.is_set():
        try:
            child = await asyncio.create_subprocess_exec(
                *command, env=env, pass_fds=(slot.listener.fileno(), *group.descriptors)
            )
        except OSError as reason:  # no memory, no descriptors: the other processes must go on
            log.error("process.not_started", slot=slot.number, reason=str(reason))
            await asyncio.sleep(RESTART_SECONDS)
            continue
        group.running[slot.number] = child.pid
        log.info("process.spawned", slot=slot.number, child=child.pid)
        exited = asyncio.create_task(child.wait())
        stopped = asyncio.create_task(stopping.wait())
        await asyncio.wait({exited, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        group.ended(slot.number)
        if not exited.done():
            await _terminate(child, exited, group.shutdown_max)
        else:
            log.error("process.died", slot=slot.number, child=child.pid, status=exited.result())
            forget_gauges(group.folder, slot.number)
            group.restarts[slot.number] += 1
            await asyncio.sleep(RESTART_SECONDS)


async def _notify_when_ready(group: ProcessGroup, stopping: asyncio.Event) -> None:
    """Tell systemd once every process accepts requests; then answer its watchdog."""
    while not stopping.is_set() and await group.find_failing("/readyz"):
        await asyncio.sleep(READY_POLL_SECONDS)
    if stopping.is_set():
        return
    notify("READY=1")
    with watched():
        await stopping.wait()


async def _terminate(
    child: asyncio.subprocess.Process, exited: asyncio.Task[int], longest: timedelta
) -> None:
    with suppress(ProcessLookupError):  # Ctrl-C reaches it, too, and it may have ended by itself
        child.terminate()
    await asyncio.wait({exited}, timeout=longest.total_seconds())
    if not exited.done():
        with suppress(ProcessLookupError):
            child.kill()
    await exited


def _stop_on_signal(stopping: asyncio.Event, running: Running) -> None:
    log.info(
        "listener.opened", listener="operator", address=f"http://{running.host}:{running.port}"
    )
    stop_with(stopping, running.stop)
