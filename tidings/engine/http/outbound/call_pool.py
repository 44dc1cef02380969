"""Calls to one server that we trust, over a bounded pool of keep-alive connections.

A failed call says whether the server may have acted on it: `NotWritten` if not a byte of the
request was handed to the transport, `NotAnswered` from then on. A call is never repeated here, and
requests are never pipelined.

There is one timer for all connections and not one for each call: a connection has a deadline, of
its call or of its idling, and the timer is set to the earliest one.
"""

import asyncio
import ssl
from datetime import timedelta

from tidings import limits
from tidings.engine.http.outbound.call_connection import CallConnection, HttpResponse, NotAnswered
from tidings.engine.http.outbound.connector import Connector, Destination, Guard
from tidings.engine.http.outbound.resolver import Resolver

NEVER = float("inf")
# Shorter than for webhooks: connecting to the platform has three seconds in all.
NEXT_ADDRESS_AFTER = 0.5


class NotWritten(Exception):
    """The server cannot have acted: no byte of the request was written."""


class CallPool:
    """Create it in the running loop."""

    def __init__(
        self,
        destination: Destination,
        *,
        connections: int,
        connect_timeout: timedelta,
        timeout: timedelta,
        keep_alive: timedelta,
        response_bytes_max: int,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`connect_timeout` includes waiting for one of the `connections`, `timeout` everything.
        `keep_alive`: how long an idle connection is kept."""
        self._destination = destination
        self._connect_timeout = min(connect_timeout, timeout).total_seconds()
        self._timeout = timeout.total_seconds()
        self._keep_alive = keep_alive.total_seconds()
        self._slots = asyncio.Semaphore(connections)
        # The operator chose the address: it may be private, and an error of DNS is not remembered.
        self._connector = Connector(
            lambda: CallConnection(self._discard, response_bytes_max),
            Guard(allow_private=True),
            Resolver(failure_kept=timedelta(0), timeout=limits.DNS_TIMEOUT),
            tls,
            next_address_after=NEXT_ADDRESS_AFTER,
        )
        self._loop = asyncio.get_running_loop()
        self._open: set[CallConnection] = set()
        self._idle: list[CallConnection] = []  # the most recently used last
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = NEVER
        self._is_closed = False

    async def call(self, request: bytes) -> HttpResponse:
        """Write a request, head and body, and read the response. Raises NotWritten, NotAnswered."""
        began = self._loop.time()
        if self._slots.locked():
            await self._wait_for_slot(began)
        else:
            await self._slots.acquire()  # does not wait
        try:
            connection = self._take() or await self._connect(began)
            self._watch(connection, began + self._timeout)
            try:
                answer = await connection.send(request)
            finally:
                self._keep(connection)
        finally:
            self._slots.release()
        if isinstance(answer, NotAnswered):
            raise answer
        return answer

    async def close(self) -> None:
        self._is_closed = True
        for connection in list(self._open):
            connection.close()
        self._idle.clear()
        self._set_timer(NEVER)
        await asyncio.sleep(0)  # lets the transports close

    async def _wait_for_slot(self, began: float) -> None:
        try:
            async with asyncio.timeout_at(began + self._connect_timeout):
                await self._slots.acquire()
        except TimeoutError:
            raise NotWritten("every connection is in use") from None

    def _take(self) -> CallConnection | None:
        """The most recently used connection: older ones are closer to being closed."""
        while self._idle:
            connection = self._idle.pop()
            if connection.is_reusable():
                return connection
            connection.close()
        return None

    async def _connect(self, began: float) -> CallConnection:
        try:
            async with asyncio.timeout_at(began + self._connect_timeout):
                connection = await self._connector.connect(self._destination)
        except OSError as error:
            raise NotWritten(type(error).__name__) from None
        if self._is_closed or not connection.is_open:
            connection.close()
            raise NotWritten("connection closed")
        self._open.add(connection)
        return connection

    def _keep(self, connection: CallConnection) -> None:
        """For the next call, unless this one was cancelled or the connection is closing."""
        if connection.is_closing or not connection.is_at_rest:
            connection.close()
            return
        self._idle.append(connection)
        self._watch(connection, self._loop.time() + self._keep_alive)

    def _discard(self, connection: CallConnection) -> None:
        self._open.discard(connection)
        if connection in self._idle:
            self._idle.remove(connection)

    # The timer

    def _watch(self, connection: CallConnection, until: float) -> None:
        connection.until = until
        if until < self._timer_at:
            self._set_timer(until)

    def _set_timer(self, at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = at
        self._timer = None if at == NEVER else self._loop.call_at(at, self._expire)

    def _expire(self) -> None:
        now = self._loop.time()
        for connection in list(self._open):
            if connection.until <= now:
                connection.expire()
        left = (each.until for each in self._open if not each.is_closing)
        self._set_timer(min(left, default=NEVER))
