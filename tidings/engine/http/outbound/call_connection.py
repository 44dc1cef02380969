"""One connection to a server whose responses are read whole: one write, one response at a time.

A protocol over httptools without a task, a timer or a stream: a call sets a future, and the pool
that owns the connection (`call_pool.py`) watches the deadlines of all of them. Headers are parsed a
second time by the few callers that need them, because collecting them costs more than all the
rest.
"""

import asyncio
import select
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any, NamedTuple

import httptools

from tidings import limits

HEAD_BYTES_MAX = 64 * limits.KIB
OK = int(HTTPStatus.OK)  # below: interim responses


class HttpResponse(NamedTuple):
    status: int
    body: bytes
    head: bytes  # starts with the head as it was received; what follows is undefined

    def headers(self) -> dict[str, str]:
        """By lower-case name. Of a repeated header the last one counts."""
        return _read_headers(self.head)


class NotAnswered(Exception):
    """The request was written, and no complete response came: the server may have acted."""


class CallConnection(asyncio.Protocol):
    """Used by one call at a time."""

    __slots__ = (
        "_head", "_lost", "_parser", "_parts", "_pending", "_poll", "_read", "_read_max", "_status",
        "_transport", "is_closing", "until",
    )  # fmt: skip

    def __init__(self, lost: "Callable[[CallConnection], None]", read_max: int) -> None:
        """`lost` is called once, when the connection is gone. `read_max`: bytes of a response."""
        self._lost = lost
        self._read_max = read_max
        self._transport: Any = None
        self._poll: Callable[[int], list[tuple[int, int]]] = lambda _: []
        self._parser: Any = httptools.HttpResponseParser(self)
        self._pending: asyncio.Future[HttpResponse | NotAnswered] | None = None
        self._status = 0  # of the response being read, once its head is complete
        self._head = b""
        self._parts: list[bytes] = []  # of its body
        self._read = 0  # its bytes so far
        self.is_closing = False
        self.until = float("inf")  # in loop time: when the call times out, or idling ends

    @property
    def is_at_rest(self) -> bool:
        """No request in flight and no response partly read."""
        return self._pending is None

    @property
    def is_open(self) -> bool:
        return not (self.is_closing or self._transport.is_closing())

    def is_reusable(self) -> bool:
        """Whether a request may be written to this idle connection.

        What the server has sent since the last response, its FIN above all, may still be in the
        kernel while the loop is busy. A request would then be written in vain, and nobody would
        know whether the server has acted on it.
        """
        return self.is_open and not self._poll(0)

    def send(self, request: bytes) -> asyncio.Future[HttpResponse | NotAnswered]:
        """Write a request. From here on the server may have acted on it."""
        pending: asyncio.Future[HttpResponse | NotAnswered]
        pending = self._pending = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return pending

    def expire(self) -> None:
        """`until` has passed: end the call, or the idle connection."""
        self._fail("TimeoutError")

    def close(self) -> None:
        """Close immediately, without waiting for unsent data."""
        if not self.is_closing:
            self.is_closing = True
            self._transport.abort()

    def _fail(self, reason: str) -> None:
        self._settle(NotAnswered(reason))
        self.close()

    def _settle(self, answer: HttpResponse | NotAnswered) -> None:
        pending, self._pending = self._pending, None
        self._status, self._head, self._parts, self._read = 0, b"", [], 0
        if pending is not None and not pending.done():  # done: its caller was cancelled
            pending.set_result(answer)

    def _complete(self) -> None:
        self._settle(HttpResponse(self._status, b"".join(self._parts), self._head))

    # Transport callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        poller = select.poll()
        poller.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
        self._poll = poller.poll

    def data_received(self, data: bytes) -> None:
        if self._pending is None:  # nothing was asked
            self.close()
            return
        if not self._status:
            self._head += data
        self._read += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail("not a valid HTTP response")  # unless the response was complete
        else:
            if self._read > (self._read_max if self._status else HEAD_BYTES_MAX):
                self._fail("the response is too long")

    def eof_received(self) -> None:
        """A response without a length ends here; any other one is cut short."""
        if self._status and _ends_with_connection(self._head):
            self._complete()

    def connection_lost(self, error: Exception | None) -> None:
        self.is_closing = True
        self._settle(NotAnswered("connection closed" if error is None else type(error).__name__))
        self._lost(self)

    # Parser callbacks

    def on_message_begin(self) -> None:
        if self._pending is None:  # a second response to one request
            self.close()

    def on_headers_complete(self) -> None:
        status: int = self._parser.get_status_code()
        self._status = status if status >= OK else 0

    def on_body(self, part: bytes) -> None:
        self._parts.append(part)

    def on_message_complete(self) -> None:
        if self._status and self._pending is not None:
            if not self._parser.should_keep_alive():
                self.close()
            self._complete()


def _ends_with_connection(head: bytes) -> bool:
    return _read_headers(head).keys().isdisjoint({"content-length", "transfer-encoding"})


def _read_headers(head: bytes) -> dict[str, str]:
    """Of the final response in these bytes, whose head a parser has accepted before."""
    found: dict[str, str] = {}
    is_final = False

    def begin() -> None:
        if not is_final:  # what was found belongs to an interim response
            found.clear()

    def add(name: bytes, value: bytes) -> None:
        if not is_final:
            found[name.decode("latin-1").lower()] = value.decode("latin-1")

    def complete() -> None:
        nonlocal is_final
        is_final = is_final or parser.get_status_code() >= OK

    callbacks = SimpleNamespace(on_message_begin=begin, on_header=add, on_headers_complete=complete)
    parser: Any = httptools.HttpResponseParser(callbacks)
    # In what follows the head anything may be.
    with suppress(httptools.HttpParserError, httptools.HttpParserUpgrade):
        parser.feed_data(head)
    return found
