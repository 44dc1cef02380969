"""One connection to a customer's server: sends a request, reads the head of the response.

A minimal protocol over httptools, because only POST is needed: it costs a quarter of the CPU time
of a general client. Of a response's body the beginning is kept; long ones are not read to the end.
"""

import asyncio
import ssl
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import httptools

from tidings import limits

HEAD_BYTES_MAX = 16 * 1024
SWITCHING = 101


class Fault(StrEnum):
    """Why a post got no response. Customers see these values."""

    TIMEOUT = "timeout"
    CONNECTION_FAILED = "connection failed"
    TLS_FAILED = "tls failed"
    BLOCKED = "blocked"
    BAD_RESPONSE = "bad response"


class Connection(asyncio.Protocol):
    """Used by one post at a time."""

    __slots__ = (
        "_answer", "_body", "_gone", "_loop", "_parser", "_read", "_rest", "_timer", "_transport",
        "is_at_rest", "is_closing",
    )  # fmt: skip

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: Any = None
        self._parser: Any = httptools.HttpResponseParser(self)
        self._answer: asyncio.Future[int | Fault] | None = None  # a status or a fault
        self._rest: asyncio.Future[None] | None = None  # done when the response has ended
        self._timer: asyncio.TimerHandle | None = None
        self._gone: Callable[[], None] | None = None  # called when an idle connection closes
        self._read = 0  # bytes of the current response
        self._body = b""  # how its body begins
        self.is_at_rest = True  # no request in flight, no response partly read
        self.is_closing = False

    @property
    def body(self) -> bytes:
        """How the body of the last response begins."""
        return self._body

    async def exchange(self, request: bytes, until: float) -> int | Fault:
        """Send a request; returns the response's status. `until` is a deadline in loop time."""
        self._stop_timer()
        self._gone = None
        self.is_at_rest = False
        self._read = 0
        self._body = b""
        answer: asyncio.Future[int | Fault] = self._loop.create_future()
        self._answer = answer
        self._timer = self._loop.call_at(until, self._fail, Fault.TIMEOUT)
        self._transport.write(request)
        try:
            return await answer
        except asyncio.CancelledError:
            self.close()
            raise
        finally:
            self._stop_timer()
            self._answer = None

    async def drained(self, until: float) -> None:
        """Wait until the response has ended, proves too long, or the deadline has passed."""
        self._rest = self._loop.create_future()
        try:
            async with asyncio.timeout_at(until):
                await self._rest
        except TimeoutError:
            self.close()
        finally:
            self._rest = None

    def close_after(self, seconds: float, gone: Callable[[], None]) -> None:
        """Close after this idle time; `gone` is called then, or when the server closes first."""
        self._stop_timer()
        self._gone = gone
        self._timer = self._loop.call_later(seconds, self.close)

    def close(self) -> None:
        """Close immediately, without waiting for unsent data."""
        self.is_closing = True
        self._stop_timer()
        if self._transport is not None:
            self._transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fail(self, fault: Fault) -> None:
        self._settle(fault)
        self.close()

    def _settle(self, answer: int | Fault) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    # Transport callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        self.is_closing = True
        self._stop_timer()
        broken = isinstance(error, ssl.SSLError)
        self._settle(Fault.TLS_FAILED if broken else Fault.CONNECTION_FAILED)
        self._end()
        if self._gone is not None:
            self._gone()

    def data_received(self, data: bytes) -> None:
        self._read += len(data)
        if self.is_at_rest:  # no request in flight
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail(Fault.BAD_RESPONSE)  # unless the status is known already
        else:
            self._bound()

    def _bound(self) -> None:
        """Limit the bytes that are read of a head and of a body."""
        if self._answer is not None and not self._answer.done():
            if self._read > HEAD_BYTES_MAX:
                self._fail(Fault.BAD_RESPONSE)
        elif not self.is_at_rest and self._read > limits.WEBHOOK_ANSWER_BYTES_MAX:
            self.close()
            self._end()

    # Parser callbacks

    def on_message_begin(self) -> None:
        if self.is_at_rest:  # a second response to one request
            self.close()

    def on_headers_complete(self) -> None:
        status: int = self._parser.get_status_code()
        if status >= 200 or status == SWITCHING:
            self._settle(status)

    def on_body(self, part: bytes) -> None:
        room = limits.WEBHOOK_ANSWER_KEPT_BYTES - len(self._body)
        if room > 0:
            self._body += part[:room]

    def on_message_complete(self) -> None:
        if self._answer is not None and not self._answer.done():
            return  # an interim response (1xx)
        if self._parser.should_keep_alive():
            self.is_at_rest = True
        else:
            self.close()
        self._end()

    def _end(self) -> None:
        if self._rest is not None and not self._rest.done():
            self._rest.set_result(None)
