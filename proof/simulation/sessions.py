"""A pool of PostgreSQL sessions, which simulated connections take turns on.

A history opens dozens of connections that prepare the same statements: parsing and planning them
took more time than all the rest. So when a connection closes, its session goes back to the pool
with its prepared statements, for the next connection with the same startup parameters. A statement
that the session has prepared already is not sent again: its first answer is returned from a cache.
All other state of the session is reset.
"""

import socket
import struct
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from proof.simulation.database import Session, messages
from proof.simulation.sign_in import sign_in

_AUTHENTICATED = b"R\0\0\0\x08\0\0\0\0"
_AUTHENTICATION, _PARSE, _BIND, _DESCRIBE, _ERROR, _READY = b"R", b"P", b"B", b"D", b"E", b"Z"
_FLUSH = b"H\0\0\0\4"
_SYNC = b"S\0\0\0\4"
_FAILED = b"E"  # the state of a transaction
_FORGET = "UNLISTEN *; SELECT pg_advisory_unlock_all(); RESET ALL"


class Sessions:
    """All sessions of one database that are open, in use or not."""

    def __init__(self, dsn: Mapping[str, Any], is_waiting: Callable[[int], bool]) -> None:
        self._dsn, self._is_waiting = dsn, is_waiting
        self._path = str(Path(dsn["host"]) / f".s.PGSQL.{dsn['port']}")
        self._idle: defaultdict[bytes, list[KeptSession]] = defaultdict(list)

    def start(self, startup: bytes) -> "KeptSession":
        """For a connection that begins with this message."""
        if self._idle[startup]:
            return self._idle[startup].pop()
        session = KeptSession(self._path, self._is_waiting, startup)
        session.greeting = _greeting(sign_in(startup, self._dsn, session.execute))
        return session

    def end(self, session: "KeptSession", *, is_blocked: bool) -> bool:
        """Its connection has ended. False: it cannot be kept, whoever asked must end it."""
        if is_blocked or not session.is_open or not session.forget():
            session.close()
            return False
        self._idle[session.startup].append(session)
        return True

    def cancel(self, request: bytes) -> None:
        """A request of its own to stop a statement: it has no answer."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.connect(self._path)
            asking.sendall(request)
            asking.recv(1)

    def close(self) -> None:
        for sessions in self._idle.values():
            for session in sessions:
                session.close()
        self._idle.clear()


class KeptSession(Session):
    """Knows under which name the server has which statement, and what it said of it."""

    def __init__(self, path: str, is_waiting: Callable[[int], bool], startup: bytes) -> None:
        super().__init__(path, is_waiting)
        self.startup = startup
        self.greeting = b""  # the server's answer to the startup message
        self._names: dict[bytes, bytes] = {}  # the server's, by the connection's own
        self._kept: dict[bytes, bytes] = {}  # the server's, by statement
        self._answers: dict[bytes, bytes] = {}  # by the server's names
        self._preparing: bytes | None = None
        self._state = b"I"

    def execute(self, request: bytes) -> bytes:
        if not request.startswith((_PARSE, _BIND)):
            return super().execute(request)
        renamed = self._renamed(request)
        if not request.endswith(_FLUSH):
            self._preparing = None
        elif self._state != _FAILED and self._preparing in self._answers:
            preparing, self._preparing = self._preparing, None
            return self._answers[preparing]
        return super().execute(renamed)

    def collect(self) -> bytes:
        answer = super().collect()
        kinds = [kind for kind, _ in messages(answer)]
        if kinds[-1:] == [_READY]:
            self._state = answer[-1:]
        if self._preparing is not None and _ERROR not in kinds:
            self._answers[self._preparing] = answer
        self._preparing = None
        return answer

    def forget(self) -> bool:
        """End what the connection began; whether nothing of it is left."""
        self._names.clear()
        super().execute(_SYNC)
        if self._state != b"I":
            super().execute(_query("ROLLBACK"))
        answer = super().execute(_query(_FORGET))
        return self._state == b"I" and _ERROR not in [kind for kind, _ in messages(answer)]

    def _renamed(self, request: bytes) -> bytes:
        """With the names of statements at the server."""
        parts = []
        for kind, part in messages(request):
            if kind == _PARSE:
                parts.append(self._parse(part))
            elif kind == _DESCRIBE and part[5:6] == b"S":
                name = part[6:-1]
                parts.append(_message(_DESCRIBE, b"S" + self._names.get(name, name) + b"\0"))
            elif kind == _BIND:
                portal, name, rest = part[5:].split(b"\0", 2)
                sent = self._names.get(name, name)
                parts.append(_message(_BIND, b"\0".join((portal, sent, rest))))
            else:
                parts.append(part)
        return b"".join(parts)

    def _parse(self, part: bytes) -> bytes:
        name, statement = part[5:].split(b"\0", 1)
        if not name:
            return part
        known = self._kept.get(statement)
        if known is None or known not in self._answers:
            known = self._kept[statement] = b"kept_%d" % (len(self._kept) + 1)
        self._names[name] = self._preparing = known
        return _message(_PARSE, known + b"\0" + statement)


def _greeting(answers: bytes) -> bytes:
    """What the server said at the start, as if it had not asked for a password."""
    said = (part for kind, part in messages(answers) if kind != _AUTHENTICATION)
    return _AUTHENTICATED + b"".join(said)


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


def _query(text: str) -> bytes:
    return _message(b"Q", text.encode() + b"\0")
