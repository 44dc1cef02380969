"""uvicorn's HTTP/1.1 protocol with limits (reliability.md 2.14); uvicorn itself has none of them.

Each connection has one timer; received bytes only update counters. Errors that occur before the
application sees a request are answered here, in our envelope. An error inside a body is passed to
the application (`FAULT` in its scope), which knows the account and sends the full response.

Of pipelined requests one is being answered and at most one more is parsed; the bytes after it stay
unparsed. So pipelined requests cost nothing until they are reached, and give a client no advantage
over one that waits for each response.
"""

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tidings.engine.http.envelope import raw_failure
from tidings.engine.http.intake import ConnectionLimiter, IntakeLimits, limit_kernel_buffer, reset
from tidings.errors import ApiError, Code

# Keys in the ASGI scope:
FAULT = "tidings.fault"  # why the rest of this body will not arrive
DISCONNECTED = "tidings.disconnected"  # the client is gone; uvicorn discards writes silently
ENDLESS = "tidings.endless"  # set by a response that only the client's leaving ends
HALF_CLOSED = "tidings.half_closed"  # the client has sent EOF

_HOP_BY_HOP = frozenset({b"upgrade", b"connection", b"http2-settings"})
_LINGER_SECONDS_MAX = 30.0
_HEAD_END = b"\r\n\r\n"
_CHUNKED_PART_BYTES = 4096  # at least: a chunked body may hold any number of empty lines


# The state of a connection. Plain integers, because they are compared for every chunk.
_IDLE = 0  # between requests
_HEAD = 1  # receiving a request line and headers
_BODY = 2  # receiving a body
_BUSY = 3  # request complete; the response is being produced
_DROPPED = 4  # received something unparsable; the previous request is still being answered
_LINGER = 5  # last response sent; further bytes are discarded until the client has read it


class Outlet:
    """The transport that uvicorn writes to: counts bytes, and closes through `finish`."""

    __slots__ = ("_protocol", "_transport", "_write", "written")

    def __init__(self, protocol: "BoundedProtocol", transport: asyncio.Transport) -> None:
        self._protocol = protocol
        self._transport = transport
        self._write = transport.write
        self.written = 0

    def write(self, data: bytes) -> None:
        self.written += len(data)
        self._write(data)

    def is_closing(self) -> bool:
        return self._protocol.is_lingering or self._transport.is_closing()

    def close(self) -> None:
        self._protocol.finish()


class BoundedProtocol(HttpToolsProtocol):
    """One connection. Created by uvicorn; `serve` binds `intake` and `limiter`."""

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
        self._served: RequestResponseCycle | None = None  # being answered
        self._fresh_bytes = 0  # of the current chunk, until a request begins in it
        self._held = b""  # unparsed bytes after a pipelined request
        self._has_ended = False  # EOF received while bytes are held
        self._length: int | None = None  # declared Content-Length
        self._head_bytes = 0  # received of the current head; 0 if unknown
        self._body_bytes = 0
        self._overhead_bytes = 0  # received in a body without payload: chunk extensions, trailers
        self._unsent_bytes = self._written_bytes = 0  # at the last tick
        self._backlog_seconds = 0.0  # how long there has been unsent data,
        self._read_bytes = 0  # and how much of it was read meanwhile
        self._lingering = False  # whether bytes arrived since the last tick

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._raw = transport
        self._out = Outlet(self, transport)
        self.transport = self._out  # type: ignore[assignment]
        limit_kernel_buffer(transport)
        self._address = self._limiter.counted_as(self.client[0]) if self.client else ""
        self._timer = self.loop.call_later(self._intake.tick_seconds, self._tick)
        if not self._limiter.join(self._address):
            self._reject()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._limiter.leave(self._address)
        if self._served is not None:  # uvicorn notifies only the newest, which may still be queued
            self._served.disconnected = True
            self._served.scope[DISCONNECTED] = True  # type: ignore[literal-required]
            self._served.message_event.set()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]
        """Half-closed: the client has sent everything and still gets its response, unless that
        would never end: a browser that leaves a page closes its stream this way."""
        if self._held or self.pipeline:
            self._has_ended = True
            return True
        if self._phase != _BUSY:
            return False
        # A key of ours: the server declares the scope as a closed TypedDict.
        self.cycle.scope[HALF_CLOSED] = True  # type: ignore[literal-required]
        if ENDLESS in self.cycle.scope:
            return False
        self.cycle.keep_alive = False
        return True

    def _reject(self) -> None:
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
        """Parse message by message, until one has to wait for the response before it."""
        while data and self._phase < _DROPPED and not self._raw.is_closing():
            if self.pipeline:
                self._held += data
                return
            end = self._end_of_part(data)
            part, data = (data, b"") if end >= len(data) else (data[:end], data[end:])
            self._feed_part(part)

    def _end_of_part(self, data: bytes) -> int:
        """Where the current head or body ends, as far as is known."""
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
                self._count_overhead(len(data), moved=self._body_bytes != body_bytes)

    def _count_overhead(self, size: int, *, moved: bool) -> None:
        self._overhead_bytes = 0 if moved else self._overhead_bytes + size
        if self._overhead_bytes > self._intake.header_bytes_max:
            self._refuse("the body has too many bytes of chunk extensions or trailers")

    def _read_without_upgrade(self, rest: bytes) -> None:
        """The parser stops at a request with an Upgrade header (Java's client offers h2c).

        We support only HTTP/1.1, so the request is parsed again without that header.
        """
        kept = [(name, value) for name, value in self.headers if name not in _HOP_BY_HOP]
        head = [self.scope["method"].encode() + b" " + self.url + b" HTTP/1.1"]
        head += [name + b": " + value for name, value in kept]
        self.parser = httptools.HttpRequestParser(self)
        self._phase = _IDLE
        self.data_received(b"\r\n".join([*head, b"", b""]) + rest)

    # Parser callbacks

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._phase = _HEAD
        self._length = None
        self._since = self.loop.time()
        self._head_bytes, self._fresh_bytes = self._fresh_bytes, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._phase != _HEAD:
            return  # a trailer is not a header
        name = name.lower()
        if name == b"content-length" and value.isdigit():
            self._length = int(value)
        elif name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        intake = self._intake
        self._body_bytes = self._overhead_bytes = 0
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
        self._phase = _BODY
        self._since = self.loop.time()

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        if self._body_bytes > self._intake.body_bytes_max and self.cycle.response_complete:
            self._raw.close()  # already answered, and still sending
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self._phase != _BODY:
            return  # `_read_without_upgrade` is about to parse this request again
        self._phase = _BUSY
        super().on_message_complete()
        if self.cycle.response_complete:
            self._become_idle()

    def on_response_complete(self) -> None:
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        if self.pipeline:  # uvicorn would resume reading here, and queue without limit
            self._start_asgi_task(*self.pipeline.pop())
        elif self._phase == _BUSY:
            self._become_idle()
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

    def _become_idle(self) -> None:
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
        """Raised through the parser; `_feed_part` sends the response."""
        self._fault = fault
        raise ValueError(fault)

    def _refuse(self, fault: str) -> None:
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            self._answer(ApiError(Code.VALIDATION_ERROR, fault))
            return
        # A request is still being answered: this one or the previous one. It finishes first.
        self._phase = _DROPPED
        cycle.scope[FAULT] = fault  # type: ignore[literal-required]
        cycle.keep_alive = False
        cycle.message_event.set()

    def _answer(self, refusal: ApiError) -> None:
        self._raw.write(raw_failure(refusal, self._intake.docs_url))
        self._linger()

    def finish(self) -> None:
        """Close; while the client is still sending, only after it could read the response.

        Closing a socket with unread bytes resets the connection, which discards the response.
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
            reset(self._raw)
            return
        if self.flow.read_paused or self._held:
            self._since += passed  # the delay is ours
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
        slow = self._body_bytes < fast_for * self._body_speed_min
        if not late and not slow:
            return
        if self.cycle.response_complete:
            self._raw.close()
        else:
            self._refuse("body: it took too long to arrive; send it faster or in smaller parts")

    @property
    def _body_speed_min(self) -> float:
        """Bytes per second. A long body must be faster to arrive within the time-out; half of that
        speed is required."""
        in_time = (self._length or 0) / self._intake.body_timeout.total_seconds()
        return max(self._intake.body_bytes_per_second_min, in_time / 2)

    def _tick_linger(self, seconds: float) -> None:
        if not self._lingering or seconds > _LINGER_SECONDS_MAX:
            self._raw.abort()
        self._lingering = False

    def _reads_too_slowly(self, passed: float) -> bool:
        """Whether the client has read less than the minimum speed over a whole window."""
        unsent, written = self._raw.get_write_buffer_size(), self._out.written
        self._read_bytes += self._unsent_bytes + written - self._written_bytes - unsent
        self._backlog_seconds += passed
        self._unsent_bytes, self._written_bytes = unsent, written
        window = self._intake.reading_window.total_seconds()
        if unsent and self._backlog_seconds < window:
            return False
        least = self._intake.read_bytes_per_second_min * self._backlog_seconds
        is_slow = unsent > 0 and self._read_bytes < least
        self._backlog_seconds, self._read_bytes = 0.0, 0
        return is_slow
