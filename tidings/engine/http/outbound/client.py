"""Posts to customers' URLs, with an SSRF check at every connect (6.1, reliability 2.10, 2.11).

The form of a URL is checked when it is stored; the address it resolves to is checked at each
connect (`connector.py`). Network errors are not raised but returned as one of five values
(`Fault`), which reveal no details of our network. docs/decisions/0006-egress-guard.md
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from datetime import timedelta
from functools import lru_cache
from types import TracebackType
from typing import NamedTuple, Self

from tidings import __version__, limits
from tidings.clock import Clock
from tidings.engine.http.outbound.connection import Connection, Fault
from tidings.engine.http.outbound.connector import Blocked, Connector, Destination, Guard
from tidings.engine.http.outbound.resolver import Resolve, Resolver, resolve_by_system
from tidings.urls import find_postable

__all__ = ["Fault", "Outbound", "Posted"]

CONNECTIONS_MAX = 256
# Shorter than the five seconds after which common servers close an idle connection: a post on a
# connection that is just being closed would fail although the server is healthy.
KEEP_ALIVE = timedelta(seconds=4)
DRAIN_MAX = timedelta(seconds=1)  # for the rest of a small response, to reuse the connection


class Posted(NamedTuple):
    """The result of one post: a status code or a fault, never both."""

    status: int | None
    error: Fault | None
    ms: int
    body: bytes = b""  # how the response's body begins


class _Target(NamedTuple):
    """A parsed URL: where to connect, and the first lines of the request."""

    destination: Destination
    head: bytes


class Outbound:
    """A pool of keep-alive connections to customers' servers. Create it in the running loop."""

    def __init__(
        self,
        clock: Clock,
        *,
        connections: int = CONNECTIONS_MAX,
        allow_private: bool = False,
        own: Iterable[tuple[str, int]] = (),
        resolve: Resolve = resolve_by_system,
        lookups_max: int = limits.LOOK_UPS_MAX,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`own`: the addresses this service listens on; it never posts to those.

        `lookups_max`: the number of concurrent DNS lookups (`resolve`) of all tenants.
        """
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._allow_private = allow_private
        self._slots = asyncio.Semaphore(connections)
        guard = Guard.of(allow_private=allow_private, own=own)
        resolver = Resolver(resolve, concurrency=lookups_max)
        self._connector = Connector(Connection, guard, resolver, tls)
        self._idle: dict[Destination, deque[Connection]] = {}

    async def post(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        *,
        timeout: timedelta,
        tenant: Hashable = None,
    ) -> Posted:
        """Post once, without redirects or retries.

        `timeout` limits connecting, writing and waiting for status line and headers in total. It
        starts once a connection slot is free, so time spent queueing does not count.
        `tenant`: the account whose share of DNS lookups is used.
        """
        target = _parse(url, self._allow_private)
        if target is None:
            return Posted(None, Fault.BLOCKED, 0)
        request = _request(target.head, body, headers)
        async with self._slots:
            began = self._clock.monotonic()
            until = self._loop.time() + timeout.total_seconds()
            answer = await self._exchange(target.destination, request, until, tenant)
            ms = round((self._clock.monotonic() - began) * 1000)
            if isinstance(answer, Fault):
                return Posted(None, answer, ms)
            connection, status = answer
            if not connection.is_closing and not connection.is_at_rest:
                await connection.drained(min(until, self._loop.time() + DRAIN_MAX.total_seconds()))
            self._keep(target.destination, connection)
            return Posted(status, None, ms, connection.body)

    async def close(self) -> None:
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()
        await asyncio.sleep(0)  # lets the transports close

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def _exchange(
        self, destination: Destination, request: bytes, until: float, tenant: Hashable
    ) -> tuple[Connection, int] | Fault:
        connection = self._take(destination)
        if connection is None:
            try:
                async with asyncio.timeout_at(until):
                    connection = await self._connector.connect(destination, tenant)
            except Blocked:
                return Fault.BLOCKED
            except TimeoutError:
                return Fault.TIMEOUT
            except ssl.SSLError:
                return Fault.TLS_FAILED
            except OSError:
                return Fault.CONNECTION_FAILED
        answer = await connection.exchange(request, until)
        return answer if isinstance(answer, Fault) else (connection, answer)

    def _take(self, destination: Destination) -> Connection | None:
        """The most recently used connection: older ones may be about to be closed by the server."""
        idle = self._idle.get(destination)
        while idle:
            connection = idle.pop()
            if not idle:
                del self._idle[destination]
            if not connection.is_closing:
                return connection
        return None

    def _keep(self, destination: Destination, connection: Connection) -> None:
        if connection.is_closing or not connection.is_at_rest:
            connection.close()
            return
        idle = self._idle.get(destination)
        if idle is None:
            idle = self._idle[destination] = deque()
        idle.append(connection)
        connection.close_after(
            KEEP_ALIVE.total_seconds(), lambda: self._drop(destination, connection)
        )

    def _drop(self, destination: Destination, connection: Connection) -> None:
        idle = self._idle.get(destination)
        if idle is not None and connection in idle:
            idle.remove(connection)
            if not idle:
                del self._idle[destination]


def _request(head: bytes, body: bytes, headers: Mapping[str, str]) -> bytes:
    lines = "".join([f"{name}: {text}\r\n" for name, text in headers.items()])
    return b"%b%bContent-Length: %d\r\n\r\n%b" % (head, lines.encode("ascii"), len(body), body)


@lru_cache(maxsize=4096)
def _parse(url: str, allow_private: bool) -> _Target | None:
    """Checks the form again, because a URL may have been stored under older rules."""
    found = find_postable(url, allow_private=allow_private)
    if found is None or found.raw_host is None or found.port is None:
        return None
    head = (
        f"POST {found.raw_path_qs} HTTP/1.1\r\n"
        f"Host: {found.host_port_subcomponent}\r\n"
        f"User-Agent: Tidings/{__version__}\r\n"
        "Accept: */*\r\n"
        "Accept-Encoding: identity\r\n"
    )
    destination = Destination(found.raw_host, found.port, is_tls=found.scheme == "https")
    return _Target(destination, head.encode("ascii"))


assert CONNECTIONS_MAX >= limits.WEBHOOK_SLOTS, "what has its turn must not wait here"
