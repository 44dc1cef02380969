"""uvicorn's HTTP/1.1 protocol, bounded: reliability.md 2.14. uvicorn itself bounds none of it.

One timer per connection looks at the clock; a chunk of bytes only moves counters. What is refused
before an application sees it is answered here, in our envelope. A fault inside a body is handed to
the application (`FAULT` in its scope), which knows the account and answers in full.

Of pipelined requests one is answered and at most one more is read; the bytes behind it stay unread.
So what a client sends ahead costs nothing before its turn, and its connections stand level with one
that sends nothing ahead.
"""

import asyncio
import functools
import socket
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tidings.engine.http.answering import Outlet, respond
from tidings.engine.http.envelope import raw_failure
from tidings.engine.http.intake import ConnectionLimiter, IntakeLimits
from tidings.errors import ApiError, Code

# In the ASGI scope:
FAULT = "tidings.fault"  # why no more of this body will come
RESPOND = "tidings.respond"  # a whole answer in one call; see `answering.respond`

_HOP_BY_HOP = frozenset({b"upgrade", b"connection", b"http2-settings"})
_LINGER_SECONDS_MAX = 30.0
_UNSENT_BYTES_MAX = 64 * 1024
_HEAD_END = b"\r\n\r\n"
_CHUNKED_PART_BYTES = 4096  # at least: a chunked body may hold any number of empty lines


# What the client is doing, as far as its bytes show. Plain numbers: compared at every chunk.
_IDLE = 0  # between requests
_HEAD = 1  # sending a request line and headers
_BODY = 2  # sending a body
_BUSY = 3  # has sent all; waits for our answer
_DROPPED = 4  # sent what we cannot read; the request before it is still being answered
_LINGER = 5  # has our last answer; what still comes is thrown away, so that it can be read


class BoundedProtocol(HttpToolsProtocol):
    """One connection. Made by uvicorn; `intake` and `limiter` are bound in by `serve`."""

    def __init__(
        self, *args: Any, intake: IntakeLimits, limiter: ConnectionLimiter, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._intake = intake
        self._limiter = limiter
        self._address = ""
        self._phase = _IDLE
        self._since = self._ticked_at = self.loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._fault = ""
        self._served: RequestResponseCycle | None = None  # the one being answered
        self._fresh_bytes = 0  # of the chunk at hand, while no request of it has begun
        self._held = b""  # bytes behind a request that waits for its turn
        self._has_ended = False  # the client has said all, and what it said is still held
        self._length: int | None = None  # of the body, where it was declared
        self._head_bytes = 0  # received for the head being read; 0 also where that is not known
        self._body_bytes = 0
        self._idle_bytes = 0  # received inside a body without adding to it: extensions, trailers
        self._unsent_bytes = self._written_bytes = 0  # at the last tick
        self._behind_seconds = 0.0  # for so long the client has had something to read,
        self._read_bytes = 0  # and so much of it was read
        self._lingering = False  # whether bytes came since the last tick

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._raw = transport
        self._out = Outlet(self, transport)
        self.transport = self._out  # type: ignore[assignment]
        _shorten_queue(transport)
        self._address = self._limiter.counted_as(self.client[0]) if self.client else ""
        self._timer = self.loop.call_later(self._intake.tick_seconds, self._tick)
        if not self._limiter.join(self._address):
            self._turn_away()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._limiter.leave(self._address)
        if self._served is not None:  # uvicorn notifies only the newest, which may still be queued
            self._served.disconnected = True
            self._served.message_event.set()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]
        """A client that has said all may still listen: it gets its answer, then the end."""
        if self._held or self.pipeline:
            self._has_ended = True
            return True
        if self._phase != _BUSY:
            return False
        self.cycle.keep_alive = False
        return True

    def _turn_away(self) -> None:
        if self._limiter.overloaded:
            self._raw.abort()
            return
        text = "too many connections; keep fewer open and use each for many requests"
        self._answer(ApiError(Code.SERVICE_UNAVAILABLE, text, retry_after=1))

    # Bytes in

    def data_received(self, data: bytes) -> None:
        phase = self._phase
        if phase >= _DROPPED:
            self._lingering = True
            return
        if self.pipeline:
            self._held += data
            self.flow.pause_reading()
            return
        self._feed(data)

    def _feed(self, data: bytes) -> None:
        """Give the parser one message after the other, until one has to wait for its turn."""
        while data and self._phase < _DROPPED and not self._raw.is_closing():
            if self.pipeline:
                self._held += data
                return
            end = self._end_of_part(data)
            part, data = (data, b"") if end >= len(data) else (data[:end], data[end:])
            self._feed_part(part)

    def _end_of_part(self, data: bytes) -> int:
        """Where the head ends or the body, as far as can be seen from here."""
        if self._phase != _BODY:
            found = data.find(_HEAD_END)
        elif self._length is not None:
            return self._length - self._body_bytes or len(data)
        else:
            found = data.find(_HEAD_END, _CHUNKED_PART_BYTES)
        return found + len(_HEAD_END) if found >= 0 else len(data)

    def _feed_part(self, data: bytes) -> None:
        phase = self._phase
        if phase == _HEAD:
            self._head_bytes += len(data)
        self._fresh_bytes = len(data) if phase == _IDLE else 0
        cycle, body_bytes = self.cycle, self._body_bytes
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._read_without_upgrade(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._refuse(self._fault or "the request is not well-formed HTTP/1.1")
        else:
            if self._phase == _HEAD and self._head_bytes > self._intake.header_bytes_max:
                self._refuse(self._header_fault())
            elif self._phase == _BODY and self.cycle is cycle:
                self._count_idle_bytes(len(data), moved=self._body_bytes != body_bytes)

    def _count_idle_bytes(self, size: int, *, moved: bool) -> None:
        self._idle_bytes = 0 if moved else self._idle_bytes + size
        if self._idle_bytes > self._intake.header_bytes_max:
            self._refuse("the body has too many bytes of chunk extensions or trailers")

    def _read_without_upgrade(self, rest: bytes) -> None:
        """The parser stops at a request that offers another protocol (Java's client offers h2c).

        We speak only this one, so the same request is read once more without the offer.
        """
        kept = [(name, value) for name, value in self.headers if name not in _HOP_BY_HOP]
        head = [self.scope["method"].encode() + b" " + self.url + b" HTTP/1.1"]
        head += [name + b": " + value for name, value in kept]
        self.parser = httptools.HttpRequestParser(self)
        self._phase = _IDLE
        self.data_received(b"\r\n".join([*head, b"", b""]) + rest)

    # Callbacks of the parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._phase = _HEAD
        self._length = None
        self._since = self.loop.time()
        self._head_bytes, self._fresh_bytes = self._fresh_bytes, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._phase != _HEAD:
            return  # a trailer must not pass for a header
        name = name.lower()
        if name == b"content-length" and value.isdigit():
            self._length = int(value)
        elif name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        intake = self._intake
        self._body_bytes = self._idle_bytes = 0
        if len(self.headers) > intake.headers_max:
            self._fail(self._header_fault())
        if not 0 < self._head_bytes <= intake.header_bytes_max and self._is_head_too_long():
            self._fail(self._header_fault())
        if self.parser.should_upgrade():
            self.scope["method"] = self.parser.get_method().decode()
            if self.scope["method"] == "CONNECT":
                self._fail("CONNECT is not offered; this is not a proxy")
            return
        super().on_headers_complete()
        self.scope[RESPOND] = functools.partial(respond, self.cycle)  # type: ignore[literal-required]
        self._phase = _BODY
        self._since = self.loop.time()

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        if self._body_bytes > self._intake.body_bytes_max and self.cycle.response_complete:
            self._raw.close()  # answered long ago, and still talking
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self._phase != _BODY:
            return  # of a request that `_read_without_upgrade` is about to read again
        self._phase = _BUSY
        super().on_message_complete()
        if self.cycle.response_complete:
            self._rest()

    def on_response_complete(self) -> None:
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        if self.pipeline:  # uvicorn would read on here, and its queue grow without end
            self._start_asgi_task(*self.pipeline.pop())
        elif self._phase == _BUSY:
            self._rest()
        if self._held:
            held, self._held = self._held, b""
            self._feed(held)
        if self._held or self.pipeline:
            return
        if self._has_ended:
            if not self.eof_received():
                self._raw.close()
        else:
            self.flow.resume_reading()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._served = cycle
        super()._start_asgi_task(cycle, app)

    def _rest(self) -> None:
        self._phase = _IDLE
        self._since = self.loop.time()

    # Refusals

    def _is_head_too_long(self) -> bool:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        return size > self._intake.header_bytes_max

    def _header_fault(self) -> str:
        return (
            f"the headers must be at most {self._intake.header_bytes_max} bytes "
            f"and {self._intake.headers_max} in number"
        )

    def _fail(self, fault: str) -> None:
        """Out of the parser; `data_received` answers."""
        self._fault = fault
        raise ValueError(fault)

    def _refuse(self, fault: str) -> None:
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            self._answer(ApiError(Code.VALIDATION_ERROR, fault))
            return
        # A request is being answered: the one whose body this is, or the one before. It ends first.
        self._phase = _DROPPED
        cycle.scope[FAULT] = fault  # type: ignore[literal-required]
        cycle.keep_alive = False
        cycle.message_event.set()

    def _answer(self, refusal: ApiError) -> None:
        self._raw.write(raw_failure(refusal, self._intake.docs_url))
        self._linger()

    def finish(self) -> None:
        """Close; where the client is still sending, only after it could read our answer.

        Closing a socket with unread bytes resets it, and a reset takes the answer with it.
        """
        if self._phase in (_HEAD, _BODY, _DROPPED):
            self._linger()
        elif self._phase != _LINGER:
            self._raw.close()

    @property
    def is_lingering(self) -> bool:
        return self._phase == _LINGER

    def _linger(self) -> None:
        self._phase = _LINGER
        self._since = self.loop.time()
        self._lingering = True
        self.flow.resume_reading()
        if not self._raw.is_closing() and self._raw.can_write_eof():
            self._raw.write_eof()

    # Time

    def _tick(self) -> None:
        now = self.loop.time()
        passed, self._ticked_at = now - self._ticked_at, now
        self._timer = self.loop.call_later(self._intake.tick_seconds, self._tick)
        if self._reads_too_slowly(passed):
            self._raw.abort()
            return
        if self.flow.read_paused or self._held:
            self._since += passed  # we are the slow ones
        seconds = now - self._since
        if self._phase == _IDLE:
            if seconds > self._intake.keep_alive.total_seconds():
                self._raw.close()
        elif self._phase == _HEAD:
            if seconds > self._intake.headers_timeout.total_seconds():
                self._refuse("the headers took too long to arrive")
        elif self._phase == _BODY:
            self._tick_body(seconds)
        elif self._phase == _LINGER:
            self._tick_linger(seconds)

    def _tick_body(self, seconds: float) -> None:
        late = seconds > self._intake.body_timeout.total_seconds()
        fast_for = seconds - self._intake.body_slow_start.total_seconds()
        slow = self._body_bytes < fast_for * self._least_body_speed
        if not late and not slow:
            return
        if self.cycle.response_complete:
            self._raw.close()
        else:
            self._refuse("body: it took too long to arrive; send it faster or in smaller parts")

    @property
    def _least_body_speed(self) -> float:
        """Bytes a second. A long body needs more, or it could never be whole in time: half of what
        would do is asked for."""
        in_time = (self._length or 0) / self._intake.body_timeout.total_seconds()
        return max(self._intake.body_bytes_per_second_min, in_time / 2)

    def _tick_linger(self, seconds: float) -> None:
        if not self._lingering or seconds > _LINGER_SECONDS_MAX:
            self._raw.abort()
        self._lingering = False

    def _reads_too_slowly(self, passed: float) -> bool:
        """Whether the client has taken less than the least speed over a whole window."""
        unsent, written = self._raw.get_write_buffer_size(), self._out.written
        self._read_bytes += self._unsent_bytes + written - self._written_bytes - unsent
        self._behind_seconds += passed
        self._unsent_bytes, self._written_bytes = unsent, written
        window = self._intake.reading_window.total_seconds()
        if unsent and self._behind_seconds < window:
            return False
        least = self._intake.read_bytes_per_second_min * self._behind_seconds
        is_slow = unsent > 0 and self._read_bytes < least
        self._behind_seconds, self._read_bytes = 0.0, 0
        return is_slow


def _shorten_queue(transport: asyncio.Transport) -> None:
    """Of bytes not yet on the wire the kernel keeps few, so that ours tell how fast a client reads.

    Without it megabytes are queued there, and one that reads nothing looks like one that does.
    """
    peer: socket.socket | None = transport.get_extra_info("socket")
    if peer is not None and peer.family in (socket.AF_INET, socket.AF_INET6):
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES_MAX)
