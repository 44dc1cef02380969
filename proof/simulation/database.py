"""A process's connections to PostgreSQL: real sessions of a real server, over a simulated network.

asyncpg writes to a transport of ours. A request travels for a while, is executed while everything
else stands still, and its answer travels back; in between, the connection may be cut or the process
killed. A statement that waits for a lock is noticed by asking the server, and goes on when whoever
holds the lock has ended. So the server's answers follow from the order of events alone.
The server's time limits are ours as well, since its clock is the real one.

Notifications are lost, all of them: they save time and nothing else depends on them.
"""

import asyncio
import re
import select
import socket
import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from proof.simulation.sessions import KeptSession

_STARTUP = 0  # in the place of a message's type: the first message of a connection has none
_CANCEL_REQUEST = 80877102
_NOTIFICATION, _READY, _KEY_DATA, _AUTHENTICATION, _COPY_IN = b"A", b"Z", b"K", b"R", b"G"
_ROWS_DESCRIBED, _NO_ROWS, _ERROR = b"T", b"n", b"E"  # what ends the answer to a flush
_WANTS_REPLY = {3, 5, 10, 11}  # kinds of authentication
_TERMINATE, _SYNC, _FLUSH, _QUERY, _COPY_DONE, _PASSWORD = b"X", b"S", b"H", b"Q", b"c", b"p"
_FLUSH_MESSAGE = b"H\0\0\0\4"
_POLL_SECONDS = 0.002
_LOCK_CHECKED_AFTER = 0.006
_TIME_LIMITS = re.compile(rb"(_timeout\0'?)(\d+)")
_CANCELLED, _LOCK_TIMED_OUT = b"C57014\0", b"C55P03\0"  # in the server's error


# After which message of the server it is our turn.
_AFTER_SYNC = frozenset({_READY, _COPY_IN})
_AFTER_FLUSH = frozenset({_ROWS_DESCRIBED, _NO_ROWS, _ERROR})


class Blocked(Exception):
    """The statement waits for a lock."""


def messages(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The messages of the protocol in it: the kind of each, and all of its bytes."""
    at = 0
    while at + 5 <= len(data):
        end = at + 1 + struct.unpack_from("!i", data, at + 1)[0]
        yield data[at : at + 1], data[at:end]
        at = end


class Session:
    """One session at the server, over a socket that blocks."""

    def __init__(self, path: str, is_waiting: Callable[[int], bool]) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._buffer = b""
        self._is_waiting = is_waiting
        self.pid = 0
        self.is_open = True
        self._last = _AFTER_SYNC

    def execute(self, request: bytes) -> bytes:
        """The whole answer. Raises Blocked; then `collect` has it later."""
        describes = request.endswith(_FLUSH_MESSAGE)
        self._last = _AFTER_FLUSH if describes else _AFTER_SYNC
        self._socket.sendall(request)
        return self.collect()

    def collect(self) -> bytes:
        waited = 0.0
        while (answer := self._whole_answer()) is None:
            if select.select([self._socket], [], [], _POLL_SECONDS)[0]:
                received = self._socket.recv(1 << 16)
                if not received:
                    self.close()
                    return self._rest()
                self._buffer += received
                continue
            waited += _POLL_SECONDS
            if waited >= _LOCK_CHECKED_AFTER and self.pid and self._is_waiting(self.pid):
                raise Blocked
        return answer

    def collect_timed_out(self) -> bytes:
        """After the statement was cancelled in the place of the server's `lock_timeout`."""
        return self.collect().replace(_CANCELLED, _LOCK_TIMED_OUT)

    def close(self) -> None:
        self.is_open = False
        self._socket.close()

    def _rest(self) -> bytes:
        rest, self._buffer = self._buffer, b""
        return rest

    def _whole_answer(self) -> bytes | None:
        """Everything up to the message after which it is our turn; None: more is to come."""
        at, kept = 0, []
        while at + 5 <= len(self._buffer):
            kind = self._buffer[at : at + 1]
            (length,) = struct.unpack_from("!i", self._buffer, at + 1)
            end = at + 1 + length
            if end > len(self._buffer):
                return None
            if kind != _NOTIFICATION:
                kept.append(self._buffer[at:end])
            if kind == _KEY_DATA:
                (self.pid,) = struct.unpack_from("!i", self._buffer, at + 5)
            if kind in self._last or (
                kind == _AUTHENTICATION
                and struct.unpack_from("!i", self._buffer, at + 5)[0] in _WANTS_REPLY
            ):
                self._buffer = self._buffer[end:]
                return b"".join(kept)
            at = end
        return None


class Wire(Protocol):
    """The network between a process and its database: the world implements it."""

    def sent(self, connection: "DatabaseConnection", request: bytes) -> None: ...
    def cancel(self, request: bytes) -> None: ...
    def closed(self, connection: "DatabaseConnection") -> None: ...


class DatabaseConnection(asyncio.Transport):
    """asyncpg's transport."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        protocol: Any,
        wire: Wire,
        owner: Any,
    ) -> None:
        super().__init__()
        self.loop, self.protocol, self.owner = loop, protocol, owner
        self.session: KeptSession | None = None  # from the first message on
        self._wire = wire
        self._has_started = False
        self._unsent = b""
        self.is_lost = False  # the process has been told so, or has closed it
        loop.call_soon(protocol.connection_made, self)

    # What asyncpg calls

    def write(self, data: Any) -> None:
        if self.is_lost:
            return
        self._unsent += bytes(data)
        kind = self._last_kind()
        if kind == _CANCEL_REQUEST:
            self._cancel()
        elif kind == _TERMINATE:
            self.close()
        elif kind in (_STARTUP, _SYNC, _FLUSH, _QUERY, _COPY_DONE, _PASSWORD):
            request, self._unsent = self._unsent, b""
            if kind == _STARTUP:
                request = _TIME_LIMITS.sub(lambda found: found[1] + b"0" * len(found[2]), request)
            self._wire.sent(self, request)

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(bytes(one) for one in list_of_data))

    def close(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.loop.call_soon(self.protocol.connection_lost, None)
            self._wire.closed(self)

    abort = close

    def is_closing(self) -> bool:
        return self.is_lost

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0

    # What the network does

    def answer(self, data: bytes) -> None:
        if not self.is_lost:
            self.loop.call_soon(self.protocol.data_received, data)

    def lose(self) -> None:
        """The process sees that the connection has ended."""
        if not self.is_lost:
            self.is_lost = True
            error = ConnectionResetError("cut")
            self.loop.call_soon(self.protocol.connection_lost, error)

    def _last_kind(self) -> Any:
        """The type of the last message that was written; None while one is incomplete."""
        data = self._unsent
        if not self._has_started:
            if struct.unpack_from("!i", data, 4)[0] == _CANCEL_REQUEST:
                return _CANCEL_REQUEST
            self._has_started = True
            return _STARTUP
        at, kind = 0, None
        while at + 5 <= len(data):
            kind = data[at : at + 1]
            at += 1 + struct.unpack_from("!i", data, at + 1)[0]
        return kind if at == len(data) else None

    def _cancel(self) -> None:
        """A request of its own to stop a statement: it has no answer."""
        self._wire.cancel(self._unsent)
        self.close()
