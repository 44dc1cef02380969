"""What the connections of one listening server share."""

import asyncio
from collections.abc import Awaitable, Callable
from email.utils import format_datetime
from typing import Protocol

from tidings.clock import SystemClock
from tidings.engine.http.exchange import Exchange
from tidings.engine.http.intake import ConnectionLimiter, IntakeLimits

Application = Callable[[Exchange], Awaitable[None]]  # answers one exchange


class Served(Protocol):
    """A connection, as the server ends it."""

    def shut_down(self) -> None: ...
    def finish(self) -> None: ...


class Listener:
    """The application, the limits, and all that is under way."""

    def __init__(self, app: Application, intake: IntakeLimits) -> None:
        self.app = app
        self.intake = intake
        self.limiter = ConnectionLimiter(intake)
        self.loop = asyncio.get_running_loop()
        self.connections: set[Served] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_stopping = False  # every response is the last of its connection
        self.awaits_newcomers = False  # of connections that have not sent a request yet
        self._changed = asyncio.Event()
        self.refresh_date()

    def refresh_date(self) -> None:
        """The Date header of responses, once a second."""
        now = format_datetime(SystemClock().now(), usegmt=True)
        self.date_line = f"date: {now}\r\n".encode()

    def leave(self, connection: Served) -> None:
        self.connections.discard(connection)
        self._changed.set()

    def end(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self._changed.set()

    async def idle(self) -> None:
        """Until no connection is open and no request is being answered."""
        while self.connections or self.tasks:
            self._changed.clear()
            await self._changed.wait()
