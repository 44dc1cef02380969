"""Runs an ASGI application on a socket until stopped. The caller owns the loop and signals."""

import functools
import math
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import uvicorn

from tidings.engine.http.intake import ConnectionLimiter, IntakeLimits
from tidings.engine.http.protocol import BoundedProtocol
from tidings.limits import SHUTDOWN_DRAIN

_BACKLOG = 2048


@dataclass(frozen=True, slots=True)
class Running:
    """A server that accepts connections. `stop` is idempotent and thread-safe."""

    host: str
    port: int
    stop: Callable[[], None]


async def serve(
    app: Any,
    host: str = "127.0.0.1",
    port: int = 8080,
    *,
    intake: IntakeLimits = IntakeLimits(),  # noqa: B008 - frozen
    sockets: list[socket.socket] | None = None,
    ready: Callable[[Running], None] | None = None,
    drain: timedelta = SHUTDOWN_DRAIN,
) -> None:
    """Serve until `Running.stop`; then finish requests in flight, for at most `drain`, and return.

    Port 0 selects a free port, which `ready` receives. An address in use raises OSError.
    """
    listening = sockets if sockets is not None else [listen(host, port)]
    protocol = functools.partial(BoundedProtocol, intake=intake, limiter=ConnectionLimiter(intake))
    config = uvicorn.Config(
        app,
        http=protocol,  # type: ignore[arg-type]
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=math.ceil(drain.total_seconds()),
    )
    server = _Server(config, listening, ready)
    try:
        await server.serve(sockets=listening)
    finally:
        for connection in list(server.server_state.connections):
            connection.transport.close()


class _Server(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        listening: list[socket.socket],
        ready: Callable[[Running], None] | None,
    ) -> None:
        super().__init__(config)
        host, port = listening[0].getsockname()[:2]
        self._ready = ready
        self._running = Running(host, port, self.stop)

    def stop(self) -> None:
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield  # the caller handles signals

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._ready is not None:
            self._ready(self._running)


def listen(host: str, port: int) -> socket.socket:
    """Raises OSError if the address is in use or is not an address of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_BACKLOG)
