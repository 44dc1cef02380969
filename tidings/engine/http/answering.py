"""The way out of a connection: what uvicorn's cycle writes to, and a whole answer in one call."""

import asyncio
import functools
from typing import Protocol

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle


class Finishing(Protocol):
    """What a protocol says of its own end."""

    @property
    def is_lingering(self) -> bool: ...

    def finish(self) -> None: ...


class Outlet:
    """The transport as uvicorn's cycle sees it: writing is counted, closing is ours."""

    __slots__ = ("_protocol", "_transport", "_write", "written")

    def __init__(self, protocol: Finishing, transport: asyncio.Transport) -> None:
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


def respond(cycle: RequestResponseCycle, status: int, head: bytes, body: bytes) -> bool:
    """What two ASGI messages do, in one write: `head` is header lines, Content-Length excluded.

    False: it cannot be done now (the client reads slowly), and ASGI must do it.
    """
    if cycle.flow.write_paused or cycle.response_started:
        return False
    cycle.response_started = cycle.response_complete = True
    if cycle.waiting_for_100_continue:
        # The body was never asked for. What the client sends next may be that body or a new
        # request, and nobody could tell which.
        cycle.waiting_for_100_continue = cycle.keep_alive = False
    if cycle.disconnected:
        return True
    if b"\r\nconnection: close\r\n" in head:
        cycle.keep_alive = False
    elif not cycle.keep_alive:
        head += b"connection: close\r\n"
    date = b"".join([b"%b: %b\r\n" % pair for pair in cycle.default_headers])
    shown = b"" if cycle.scope["method"] == "HEAD" else body
    cycle.transport.write(
        b"%b%b%bcontent-length: %d\r\n\r\n%b" % (STATUS_LINE[status], date, head, len(body), shown)
    )
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True


def has_left(responding: functools.partial[bool] | None) -> bool:
    """Whether the client of a request is gone, by what its scope has for whole answers."""
    return responding is not None and bool(responding.args[0].disconnected)
