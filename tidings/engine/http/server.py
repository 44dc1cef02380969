"""Runs an application on a socket until stopped. The caller owns the loop and signals."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from tidings.engine.http.intake import IntakeLimits
from tidings.engine.http.listener import Application, Listener
from tidings.engine.http.protocol import Connection

_BACKLOG = 2048
_DATE_SECONDS = 1
_NEWCOMERS = timedelta(seconds=1)  # in which the first request of a new connection must begin
_CANCELLED_SECONDS = 1  # in which cancelled requests are answered


@dataclass(frozen=True, slots=True)
class Running:
    """A server that accepts connections. `stop` is idempotent and thread-safe."""

    host: str
    port: int
    stop: Callable[[], None]


async def serve(
    app: Application,
    host: str = "127.0.0.1",
    port: int = 8080,
    *,
    intake: IntakeLimits = IntakeLimits(),  # noqa: B008 - frozen
    sockets: list[socket.socket] | None = None,
    ready: Callable[[Running], None] | None = None,
) -> None:
    """Serve until `Running.stop`; then finish requests in flight, for at most `intake.drain`, and
    return.

    Port 0 selects a free port, which `ready` receives. An address in use raises OSError.
    """
    loop = asyncio.get_running_loop()
    listening = sockets if sockets is not None else [listen(host, port)]
    listener = Listener(app, intake)
    stopping = asyncio.Event()
    servers = [
        await loop.create_server(lambda: Connection(listener), sock=one, backlog=_BACKLOG)
        for one in listening
    ]
    try:
        if ready is not None:
            bound_host, bound_port = listening[0].getsockname()[:2]
            ready(Running(bound_host, bound_port, _stopper(loop, stopping)))
        await _keep_date(listener, stopping)
        for server in servers:
            server.close()
        await _drain(listener, intake.drain)
    finally:
        for server in servers:
            server.close()
        for connection in list(listener.connections):
            connection.finish()


def listen(host: str, port: int) -> socket.socket:
    """Raises OSError if the address is in use or is not an address of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_BACKLOG)


def _stopper(loop: asyncio.AbstractEventLoop, stopping: asyncio.Event) -> Callable[[], None]:
    def stop() -> None:
        with suppress(RuntimeError):  # the loop is closed: stopped long ago
            loop.call_soon_threadsafe(stopping.set)

    return stop


async def _keep_date(listener: Listener, stopping: asyncio.Event) -> None:
    while not stopping.is_set():
        listener.refresh_date()
        with suppress(TimeoutError):
            async with asyncio.timeout(_DATE_SECONDS):
                await stopping.wait()


async def _drain(listener: Listener, longest: timedelta) -> None:
    """Close what is idle, and wait for the rest; what takes too long is cancelled.

    The first request of a connection that was accepted just before is on its way: closing at once
    would fail it, although its client did nothing wrong.
    """
    listener.is_stopping = listener.awaits_newcomers = True
    newcomers = min(longest, _NEWCOMERS)
    await _shut_down(listener, newcomers)
    listener.awaits_newcomers = False
    await _shut_down(listener, longest - newcomers)
    tasks = list(listener.tasks)
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CANCELLED_SECONDS)


async def _shut_down(listener: Listener, longest: timedelta) -> None:
    for connection in list(listener.connections):
        connection.shut_down()
    with suppress(TimeoutError):
        async with asyncio.timeout(longest.total_seconds()):
            await listener.idle()
