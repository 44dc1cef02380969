"""One connection to a customer's server: a request goes out, the head of an answer comes back.

A protocol of our own over httptools, because a post is all we need: it costs a quarter of what
a general client does. Of an answer's body nothing is kept, and little is read.
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
    """Why a post had no answer: the whole vocabulary customers see."""

    TIMEOUT = "timeout"
    CONNECTION_FAILED = "connection failed"
    TLS_FAILED = "tls failed"
    BLOCKED = "blocked"
    BAD_RESPONSE = "bad response"


class Connection(asyncio.Protocol):
    """Used by one post at a time."""

    __slots__ = (
        "_answer", "_gone", "_loop", "_parser", "_read", "_rest", "_timer", "_transport",
        "is_at_rest", "is_closing",
    )  # fmt: skip

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: Any = None
        self._parser: Any = httptools.HttpResponseParser(self)
        self._answer: asyncio.Future[int | Fault] | None = None  # a status or a fault
        self._rest: asyncio.Future[None] | None = None  # the answer has ended
        self._timer: asyncio.TimerHandle | None = None
        self._gone: Callable[[], None] | None = None  # called when it ends while idle
        self._read = 0  # bytes of this answer
        self.is_at_rest = True  # no request is under way, and no answer half read
        self.is_closing = False

    async def exchange(self, request: bytes, until: float) -> int | Fault:
        """Send a request; the status of its answer, by a deadline in loop time."""
        self._stop_timer()
        self._gone = None
        self.is_at_rest = False
        self._read = 0
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
        """Wait until the answer has ended, or is found to be long, or time is up."""
        self._rest = self._loop.create_future()
        try:
            async with asyncio.timeout_at(until):
                await self._rest
        except TimeoutError:
            self.close()
        finally:
            self._rest = None

    def close_after(self, seconds: float, gone: Callable[[], None]) -> None:
        """At rest no longer than this; `gone` is called then, or when the other side hangs up."""
        self._stop_timer()
        self._gone = gone
        self._timer = self._loop.call_later(seconds, self.close)

    def close(self) -> None:
        """At once: nothing is left to be said."""
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

    # What the transport calls

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
        if self.is_at_rest:  # nobody has asked
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail(Fault.BAD_RESPONSE)  # unless the status is known already
        else:
            self._bound()

    def _bound(self) -> None:
        """Neither a head nor a body is read without end."""
        if self._answer is not None and not self._answer.done():
            if self._read > HEAD_BYTES_MAX:
                self._fail(Fault.BAD_RESPONSE)
        elif not self.is_at_rest and self._read > limits.WEBHOOK_ANSWER_BYTES_MAX:
            self.close()
            self._end()

    # What the parser calls

    def on_message_begin(self) -> None:
        if self.is_at_rest:  # a second answer to one question
            self.close()

    def on_headers_complete(self) -> None:
        status: int = self._parser.get_status_code()
        if status >= 200 or status == SWITCHING:
            self._settle(status)

    def on_message_complete(self) -> None:
        if self._answer is not None and not self._answer.done():
            return  # it was only "continue"
        if self._parser.should_keep_alive():
            self.is_at_rest = True
        else:
            self.close()
        self._end()

    def _end(self) -> None:
        if self._rest is not None and not self._rest.done():
            self._rest.set_result(None)
