"""One HTTP/1.1 connection: reads requests, writes responses, or simulates a network fault.

A protocol over httptools, not a web framework: most responses are computed synchronously, so they
need no task, and faults (reset, hang, delay) need direct access to the transport.
"""

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Protocol, cast
from urllib.parse import parse_qsl

import httptools

BODY_BYTES_MAX = 110 * 1024 * 1024  # the platform accepts documents of 100 MB
JSON = "application/json; charset=UTF-8"
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # makes close() send a TCP reset


@dataclass(slots=True)
class Request:
    """One request. `body` is empty until it has been received."""

    method: str
    path: str
    raw_query: str
    headers: dict[bytes, bytes]  # lower-case names
    body: bytes = b""
    _query: dict[str, str] | None = field(default=None, repr=False)

    @property
    def query(self) -> dict[str, str]:
        if self._query is None:
            self._query = dict(parse_qsl(self.raw_query, keep_blank_values=True))
        return self._query

    def header(self, name: bytes) -> str:
        return self.headers.get(name, b"").decode("latin-1")


@dataclass(slots=True)
class Response:
    status: int
    body: bytes
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reset:
    """A TCP reset instead of a response."""


@dataclass(frozen=True, slots=True)
class Hang:
    """Never a response; the connection stays open."""


@dataclass(frozen=True, slots=True)
class Delayed:
    """A response, or a fault, after a delay."""

    seconds: float
    then: "Response | Reset | Hang"


Handled = Response | Reset | Hang | Delayed | Coroutine[Any, Any, Response]


class App(Protocol):
    def accept(self) -> Reset | None:
        """Called for a new connection; None accepts it."""
        ...

    def begin(self, request: Request) -> Reset | None:
        """Called when the headers have been received; None continues with the body."""
        ...

    def handle(self, request: Request) -> Handled: ...


class Connection(asyncio.Protocol):
    """Handles requests in order, including pipelined ones."""

    def __init__(self, app: App, open_ones: "set[Connection]") -> None:
        self._app = app
        self._open = open_ones
        self._parser = httptools.HttpRequestParser(self)
        self._waiting: deque[tuple[Request, bool]] = deque()
        self._busy = False
        self._task: asyncio.Task[None] | None = None
        self._start()

    def _start(self) -> None:
        self._url = b""
        self._headers: dict[bytes, bytes] = {}
        self._body: list[bytes] = []
        self._size = 0
        self._call: Request | None = None

    # Transport callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._open.add(self)
        if self._app.accept() is not None:
            self._reset()

    def connection_lost(self, _reason: Exception | None) -> None:
        self._open.discard(self)
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not self._transport.is_closing():
                self._write(Response(400, b"Bad Request", "text/plain"), keep=False)
            return
        self._go_on()

    # Parser callbacks

    def on_message_begin(self) -> None:
        self._start()

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        path, _, query = self._url.decode("latin-1").partition("?")
        request = Request(self._parser.get_method().decode(), path, query, self._headers)
        self._call = request
        if self._app.begin(request) is not None:
            self._reset()
        elif self._headers.get(b"expect", b"").lower() == b"100-continue":
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > BODY_BYTES_MAX:
            self._write(Response(413, b"", "text/plain"), keep=False)
        else:
            self._body.append(data)

    def on_message_complete(self) -> None:
        assert self._call is not None
        self._call.body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        self._waiting.append((self._call, self._parser.should_keep_alive()))

    # Responses

    def _go_on(self) -> None:
        while self._waiting and not self._busy and not self._transport.is_closing():
            request, keep = self._waiting.popleft()
            self._act(self._app.handle(request), keep)

    def _act(self, outcome: Handled, keep: bool) -> None:
        if isinstance(outcome, Response):
            self._write(outcome, keep)
        elif isinstance(outcome, Reset):
            self._reset()
        elif isinstance(outcome, Hang):
            self._busy = True
        elif isinstance(outcome, Delayed):
            self._busy = True
            loop = asyncio.get_running_loop()
            loop.call_later(outcome.seconds, self._resume, outcome.then, keep)
        else:
            self._busy = True
            self._task = asyncio.ensure_future(self._wait(outcome, keep))

    async def _wait(self, work: Coroutine[Any, Any, Response], keep: bool) -> None:
        self._resume(await work, keep)

    def _resume(self, outcome: Response | Reset | Hang, keep: bool) -> None:
        self._busy = False
        if not self._transport.is_closing():
            self._act(outcome, keep)
            self._go_on()

    def _write(self, answer: Response, keep: bool) -> None:
        reason = _REASONS.get(answer.status, "Unknown")
        more = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
        ending = "" if keep else "Connection: close\r\n"
        head = (
            f"HTTP/1.1 {answer.status} {reason}\r\nContent-Type: {answer.content_type}\r\n"
            f"Content-Length: {len(answer.body)}\r\n{more}{ending}\r\n"
        )
        self._transport.write(head.encode("latin-1") + answer.body)
        if not keep:
            self._transport.close()

    def _reset(self) -> None:
        connection = self._transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._transport.abort()

    def close(self) -> None:
        self._transport.abort()
