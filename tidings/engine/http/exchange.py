"""One HTTP exchange: a request as it arrives, the results of the checks, and its response.

The connection (`protocol.py`) makes one for each request and passes it to the application. Between
a complete request and its response nothing waits, unless the client reads slowly.
"""

import asyncio
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Protocol

from tidings.engine.budget import Allocation
from tidings.engine.http.client_address import Proxies, network_of
from tidings.engine.http.envelope import request_id
from tidings.engine.http.flow_control import FlowControl

STATUS_LINES = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}

_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_BODILESS = (204, 304)
_RETRYABLE = (429, 503)
_RETRY_AFTER = b"retry-after: 1\r\n"  # where the cause of such a status names no time itself


class Disconnected(Exception):
    """The client disconnected before its body was complete. No response is possible."""


class Channel(Protocol):
    """The connection, as its exchanges use it."""

    peer: str
    flow: FlowControl

    @property
    def date_line(self) -> bytes: ...
    def write(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    def on_response_complete(self) -> None: ...


class Exchange:
    """A request, and the results of the checks so far.

    Defaults are class attributes: most of them keep their value in most exchanges.
    """

    # The checks
    template = ""
    account: Any = None
    body: bytes | None = None  # where it is small and may be logged
    body_bytes = 0
    environment: str | None = None
    rate_headers = b""
    status = 0
    error_code = ""  # of the refusal
    must_close = False
    large: Allocation | None = None  # its share of the memory for large bodies

    # The request
    is_complete = False  # whether the whole body has arrived
    is_disconnected = False
    is_half_closed = False  # the client has sent EOF
    fault = ""  # why the rest of this body will not arrive
    awaits_continue = False
    has_received = False  # whether the body was asked for

    # The response
    is_endless = False  # only the client's leaving ends it
    is_started = False
    is_finished = False
    ends_with_connection = False  # of HTTP/1.0, without a length

    task: asyncio.Task[None]  # that answers it
    _has_news = False
    _changed: asyncio.Event | None = None
    _is_chunked = False
    _unsent: int | None = None  # of the declared Content-Length

    def __init__(
        self,
        channel: Channel,
        method: str,
        raw_path: bytes,
        raw_query: bytes,
        pairs: list[tuple[bytes, bytes]],
    ) -> None:
        self.channel = channel
        self.method = method
        self.raw_path = raw_path
        self.raw_query = raw_query
        self.pairs = pairs  # header names in lower case, and values
        self.headers = dict(pairs)
        self.has_repeats = len(self.headers) != len(pairs)
        if self.has_repeats:
            self.headers = _joined(pairs)
        self.version = "1.1"
        self.keep_alive = True
        self.id = request_id()
        self._parts: list[bytes] = []
        self.buffered_bytes = 0

    def count(self, name: bytes) -> int:
        return sum(1 for found, _ in self.pairs if found == name)

    def address(self, proxies: Proxies) -> str:
        """The address of the peer; behind our own proxies, that of the client."""
        peer = self.channel.peer
        if peer in proxies:
            peer = proxies.client(peer, self.headers.get(b"x-forwarded-for", b""))
        return network_of(peer)

    # The body, from the connection to the application

    def feed(self, part: bytes) -> None:
        self._parts.append(part)
        self.buffered_bytes += len(part)
        self.notify()

    def notify(self) -> None:
        """Something has happened that `wait` waits for."""
        self._has_news = True
        if self._changed is not None:
            self._changed.set()

    async def wait(self) -> None:
        """Until more of the body has arrived, or nothing more can: complete, faulty or gone."""
        self.has_received = True
        if self.is_disconnected or self.is_finished:
            return
        if self.awaits_continue:
            self.awaits_continue = False
            self.channel.write(_CONTINUE)
        self.channel.flow.resume_reading()
        if not self._has_news:
            self._changed = self._changed or asyncio.Event()
            self._changed.clear()
            await self._changed.wait()
        self._has_news = False

    def take(self) -> bytes:
        """What has arrived of the body since the last call."""
        parts, self._parts = self._parts, []
        self.buffered_bytes = 0
        return parts[0] if len(parts) == 1 else b"".join(parts)

    # The response

    async def respond(self, lines: bytes, body: bytes) -> None:
        """A whole response in one write. `lines` has all headers but those of the connection."""
        if self.channel.flow.is_write_paused:
            await self.channel.flow.drain()
        if self.is_disconnected:
            return
        head = self._head(lines)
        self.channel.write(head if self.method == "HEAD" else head + body)
        self._finish()

    async def start(self, lines: bytes, length: int | None) -> None:
        """The head of a response that is sent in parts; `length` as declared in the headers."""
        if self.channel.flow.is_write_paused:
            await self.channel.flow.drain()
        if self.is_disconnected:
            return
        has_body = self.method != "HEAD" and self.status not in _BODILESS
        self._unsent = length if has_body else None
        if length is None and has_body:
            if self.version == "1.1":
                self._is_chunked = True
                lines += b"transfer-encoding: chunked\r\n"
            else:
                self.ends_with_connection, self.keep_alive = True, False
        self.channel.write(self._head(lines))

    async def send(self, part: bytes) -> None:
        if self.channel.flow.is_write_paused:
            await self.channel.flow.drain()
        if self.is_disconnected or not part or self.method == "HEAD":
            return
        if self._is_chunked:
            part = b"%x\r\n%b\r\n" % (len(part), part)
        elif self._unsent is not None:
            self._unsent -= len(part)
            if self._unsent < 0:
                raise RuntimeError("the response is longer than its Content-Length")
        self.channel.write(part)

    def end(self) -> None:
        if self.is_disconnected:
            return
        if self._unsent:
            raise RuntimeError("the response is shorter than its Content-Length")
        if self._is_chunked:
            self.channel.write(b"0\r\n\r\n")
        self._finish()

    def _head(self, lines: bytes) -> bytes:
        self.is_started = True
        # Without `100 Continue` the client may send its body next, or a new request: the two
        # cannot be distinguished.
        if self.must_close or (b"expect" in self.headers and not self.has_received):
            self.keep_alive = False
        close = b"" if self.keep_alive else b"connection: close\r\n"
        if self.status in _RETRYABLE and b"\r\nretry-after:" not in b"\r\n" + lines:
            lines += _RETRY_AFTER
        line = STATUS_LINES.get(self.status) or b"HTTP/1.1 %d \r\n" % self.status
        return b"%b%b%b%b\r\n" % (line, self.channel.date_line, lines, close)

    def _finish(self) -> None:
        self.is_finished = True
        self.notify()
        if not self.keep_alive:
            self.channel.finish()
        self.channel.on_response_complete()


def _joined(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """A repeated header is a list (RFC 9110, 5.3): its values are joined."""
    values: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: b", ".join(several) for name, several in values.items()}
