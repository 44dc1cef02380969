"""One HTTP/1.1 connection over httptools, with limits on all that a client may use (2.14).

Each connection has one timer; received bytes only update counters. Errors that occur before the
application sees a request are answered here, in our envelope. An error inside a body is passed to
the application (`Exchange.fault`), which knows the account and sends the full response.

Of pipelined requests one is being answered and at most one more is parsed; the bytes after it stay
unparsed. So pipelined requests cost nothing until they are reached, and give a client no advantage
over one that waits for each response.
"""

import asyncio
from collections import deque

import httptools

from tidings.engine.http import request_head
from tidings.engine.http.envelope import raw_failure
from tidings.engine.http.exchange import Exchange
from tidings.engine.http.flow_control import FlowControl
from tidings.engine.http.intake import limit_kernel_buffer, reset
from tidings.engine.http.listener import Listener
from tidings.engine.http.reading_speed import ReadingSpeed
from tidings.errors import ApiError, Code

_LINGER_SECONDS_MAX = 30.0
_HEAD_END = b"\r\n\r\n"
_CHUNKED_PART_BYTES = 4096  # at least: a chunked body may hold any number of empty lines
_BUFFERED_BYTES_MAX = 65_536  # of a body that the application has not asked for yet

# The phase of a connection. Plain integers, because they are compared for every chunk.
_IDLE = 0  # between requests
_HEAD = 1  # receiving a request line and headers
_BODY = 2  # receiving a body
_BUSY = 3  # request complete; the response is being produced
_DROPPED = 4  # received something unparsable; the previous request is still being answered
_LINGER = 5  # last response sent; further bytes are discarded until the client has read it


class Connection(asyncio.Protocol):
    """One connection of a listener."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._intake = listener.intake
        self._loop = listener.loop
        self._parser = request_head.new_parser(self)
        self.peer = ""
        self._counted_as = ""
        self._phase = _IDLE
        self._since = self._ticked_at = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._fault = ""
        self._latest: Exchange | None = None  # the request that was parsed last
        self._served: Exchange | None = None  # being answered
        self._queued: deque[Exchange] = deque()  # pipelined: behind the one being answered
        self._url = b""
        self._pairs: list[tuple[bytes, bytes]] = []
        self._fresh_bytes = 0  # of the current chunk, until a request begins in it
        self._held = b""  # unparsed bytes after a pipelined request
        self._has_ended = False  # EOF received while bytes are held
        self._length: int | None = None  # declared Content-Length
        self._head_bytes = 0  # received of the current head; 0 if unknown
        self._body_bytes = 0
        self._overhead_bytes = 0  # received in a body without payload: chunk extensions, trailers
        self._written_bytes = 0
        self._reading_speed = ReadingSpeed(self._intake)
        self._lingering = False  # whether bytes arrived since the last tick

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self.flow = FlowControl(transport)
        self._listener.connections.add(self)
        limit_kernel_buffer(transport)
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple):  # not of a local socket
            self.peer = str(peer[0])
            self._counted_as = self._listener.limiter.counted_as(self.peer)
        self._timer = self._loop.call_later(self._intake.tick_seconds, self._tick)
        if not self._listener.limiter.join(self._counted_as):
            self._reject()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._listener.leave(self)
        self._listener.limiter.leave(self._counted_as)
        for exchange in (self._served, self._latest):
            if exchange is not None and not exchange.is_finished:
                exchange.is_disconnected = True
                exchange.notify()
        self.flow.resume_writing()

    def pause_writing(self) -> None:
        self.flow.pause_writing()

    def resume_writing(self) -> None:
        self.flow.resume_writing()

    def eof_received(self) -> bool:
        """Half-closed: the client has sent everything and still gets its response, unless that
        would never end: a browser that leaves a page closes its stream this way."""
        if self._held or self._queued:
            self._has_ended = True
            return True
        if self._phase != _BUSY or self._latest is None:
            return False
        self._latest.is_half_closed = True
        if self._latest.is_endless:
            return False
        self._latest.keep_alive = False
        return True

    def shut_down(self) -> None:
        """The server stops: finish what is being answered, then close."""
        if self._latest is None and self._listener.awaits_newcomers and self._phase != _LINGER:
            return
        if self._latest is None or self._latest.is_finished:
            self.finish()
        else:
            self._latest.keep_alive = False

    def _reject(self) -> None:
        if self._listener.limiter.overloaded:
            self._transport.abort()
            return
        text = "too many connections; keep fewer open and use each for many requests"
        self._answer(ApiError(Code.SERVICE_UNAVAILABLE, text, retry_after=1))

    # Bytes in

    def data_received(self, data: bytes) -> None:
        phase = self._phase
        if phase == _IDLE and not self._queued and data.count(_HEAD_END) == 1:
            self._feed_part(data)  # the usual chunk: one head, and what follows of its body
        elif phase >= _DROPPED:
            self._lingering = True
        elif self._queued:
            self._held += data
            self.flow.pause_reading()
        else:
            self._feed(data)

    def _feed(self, data: bytes) -> None:
        """Parse message by message, until one has to wait for the response before it."""
        while data and self._phase < _DROPPED and not self._transport.is_closing():
            if self._queued:
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
        self._fresh_bytes = 0 if phase == _BODY else len(data)
        latest, body_bytes = self._latest, self._body_bytes
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._read_without_upgrade(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._refuse(self._fault or "the request is not well-formed HTTP/1.1")
        else:
            if self._phase == _HEAD:
                if phase == _IDLE and self._latest is not latest:  # it began behind a whole request
                    self._head_bytes = len(data.partition(_HEAD_END)[2]) - self._body_bytes
                if self._head_bytes > self._intake.header_bytes_max:
                    self._refuse(self._intake.header_fault)
            elif self._phase == _BODY and self._latest is latest:
                self._count_overhead(len(data), moved=self._body_bytes != body_bytes)
            elif self._phase == _BODY and phase == _IDLE:  # the part began with the head
                self._count_overhead(len(data.partition(_HEAD_END)[2]), moved=self._body_bytes > 0)

    def _count_overhead(self, size: int, *, moved: bool) -> None:
        self._overhead_bytes = 0 if moved else self._overhead_bytes + size
        if self._overhead_bytes > self._intake.header_bytes_max:
            self._refuse("the body has too many bytes of chunk extensions or trailers")

    def _read_without_upgrade(self, rest: bytes) -> None:
        """The parser stops at a request with an Upgrade header (Java's client offers h2c).

        We support only HTTP/1.1, so the request is parsed again without that header.
        """
        head = request_head.without_upgrade(self._parser.get_method(), self._url, self._pairs)
        self._parser = request_head.new_parser(self)
        self._phase = _IDLE
        self._feed(head + rest)

    # Parser callbacks

    def on_message_begin(self) -> None:
        self._url = b""
        self._pairs = []
        self._phase = _HEAD
        self._length = None
        self._since = self._loop.time()
        self._head_bytes, self._fresh_bytes = self._fresh_bytes, 0

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._phase == _HEAD:  # a trailer is not a header
            self._pairs.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        intake = self._intake
        self._body_bytes = self._overhead_bytes = 0
        may_be_long = not 0 < self._head_bytes <= intake.header_bytes_max
        if len(self._pairs) > intake.headers_max or (may_be_long and self._is_head_too_long()):
            self._fail(intake.header_fault)
        if self._parser.should_upgrade():
            if self._parser.get_method() == b"CONNECT":
                self._fail("CONNECT is not offered; this is not a proxy")
            return
        self._begin(request_head.new_exchange(self, self._parser, self._url, self._pairs))
        self._phase = _BODY
        self._since = self._loop.time()

    def _begin(self, exchange: Exchange) -> None:
        """Start answering, or wait for the response before it."""
        self._length = request_head.declared_length(exchange)
        exchange.keep_alive = exchange.keep_alive and not self._listener.is_stopping
        before, self._latest = self._latest, exchange
        if before is None or before.is_finished:
            self._start(exchange)
        else:
            self.flow.pause_reading()
            self._queued.append(exchange)

    def on_body(self, body: bytes) -> None:
        exchange = self._latest
        assert exchange is not None
        self._body_bytes += len(body)
        if not exchange.is_finished:
            exchange.feed(body)
            if exchange.buffered_bytes > _BUFFERED_BYTES_MAX:
                self.flow.pause_reading()
        elif self._body_bytes > self._intake.body_bytes_max:
            self._transport.close()  # already answered, and still sending

    def on_message_complete(self) -> None:
        if self._phase != _BODY:
            return  # `_read_without_upgrade` is about to parse this request again
        exchange = self._latest
        assert exchange is not None
        self._phase = _BUSY
        if exchange.is_finished:
            self._become_idle()
        else:
            exchange.is_complete = True
            exchange.notify()

    # Responses

    def _start(self, exchange: Exchange) -> None:
        self._served = exchange
        task = self._loop.create_task(self._run(exchange))
        self._listener.tasks.add(task)
        exchange.task = task

    async def _run(self, exchange: Exchange) -> None:
        try:
            await self._listener.app(exchange)
        finally:
            self._listener.end(exchange.task)
            if not exchange.is_finished and not exchange.is_disconnected:
                self._give_up(exchange)

    def _give_up(self, exchange: Exchange) -> None:
        """The application has returned without a whole response."""
        exchange.is_finished = True
        if exchange.ends_with_connection:
            reset(self._transport)  # closed in order, the response would look complete
        elif exchange.is_started:
            self._transport.close()
        else:
            self._answer(ApiError(Code.INTERNAL_ERROR))

    def on_response_complete(self) -> None:
        if self._phase == _LINGER or self._transport.is_closing():
            return
        if self._queued:
            self._start(self._queued.popleft())
        elif self._phase == _BUSY:
            self._become_idle()
        if self._held:
            held, self._held = self._held, b""
            self._feed(held)
        if self._held or self._queued:
            return
        if self._has_ended:
            if not self.eof_received():
                self._transport.close()
        else:
            self.flow.resume_reading()

    def _become_idle(self) -> None:
        self._phase, self._since = _IDLE, self._loop.time()

    @property
    def date_line(self) -> bytes:
        return self._listener.date_line

    def write(self, data: bytes) -> None:
        self._written_bytes += len(data)
        self._transport.write(data)

    # Refusals

    def _is_head_too_long(self) -> bool:
        size = len(self._url) + sum(len(name) + len(value) + 4 for name, value in self._pairs)
        return size > self._intake.header_bytes_max

    def _fail(self, fault: str) -> None:
        """Raised through the parser; `_feed_part` sends the response."""
        self._fault = fault
        raise ValueError(fault)

    def _refuse(self, fault: str) -> None:
        exchange = self._latest
        if exchange is None or exchange.is_finished:
            self._answer(ApiError(Code.VALIDATION_ERROR, fault))
            return
        # A request is still being answered: this one or the previous one. It finishes first.
        self._phase = _DROPPED
        exchange.fault = fault
        exchange.keep_alive = False
        exchange.notify()

    def _answer(self, refusal: ApiError) -> None:
        self._transport.write(raw_failure(refusal, self._intake.docs_url))
        self._linger()

    def finish(self) -> None:
        """Close; while the client is still sending, only after it could read the response.

        Closing a socket with unread bytes resets the connection, which discards the response.
        """
        if self._phase in (_HEAD, _BODY, _DROPPED):
            self._linger()
        elif self._phase != _LINGER:
            self._transport.close()

    def _linger(self) -> None:
        self._phase, self._since = _LINGER, self._loop.time()
        self._lingering = True
        self.flow.resume_reading()
        if not self._transport.is_closing() and self._transport.can_write_eof():
            self._transport.write_eof()

    # Time

    def _tick(self) -> None:
        now = self._loop.time()
        passed, self._ticked_at = now - self._ticked_at, now
        self._timer = self._loop.call_later(self._intake.tick_seconds, self._tick)
        unsent = self._transport.get_write_buffer_size()
        if self._reading_speed.is_too_slow(passed, unsent=unsent, written=self._written_bytes):
            reset(self._transport)
            return
        if self.flow.is_read_paused or self._held:
            self._since += passed  # the delay is ours
        self._limit_phase(now - self._since)

    def _limit_phase(self, seconds: float) -> None:
        """How long the connection may stay as it is."""
        intake = self._intake
        if self._phase == _IDLE and seconds > intake.keep_alive.total_seconds():
            self._transport.close()
        elif self._phase == _HEAD and seconds > intake.headers_timeout.total_seconds():
            self._refuse("the headers took too long to arrive")
        elif self._phase == _BODY:
            if intake.is_body_late(seconds, received=self._body_bytes, length=self._length):
                self._refuse_body()
        elif self._phase == _LINGER:
            if not self._lingering or seconds > _LINGER_SECONDS_MAX:
                self._transport.abort()
            self._lingering = False

    def _refuse_body(self) -> None:
        if self._latest is not None and self._latest.is_finished:
            self._transport.close()
        else:
            self._refuse("body: it took too long to arrive; send it faster or in smaller parts")
