"""The network between simulated processes and their PostgreSQL, and where it is cut."""

import asyncio
import re
import struct
import time
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import asyncpg

from proof.simulation.database import Blocked, DatabaseConnection
from proof.simulation.sessions import Sessions
from proof.simulation.world import World
from tidings import limits

if TYPE_CHECKING:
    from proof.simulation.process import Process

_WRITES = re.compile(rb"\b(INSERT INTO|UPDATE|DELETE FROM)\b")
_CLAIMS = b"SET leased = true"
_SLOW_SECONDS = 3.0
_GONE_WITHIN = 5.0
_WAITS = """
    WITH RECURSIVE held (by) AS (
        SELECT unnest(pg_blocking_pids($1)) UNION SELECT unnest(pg_blocking_pids(by)) FROM held)
    SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND NOT granted)
       AND NOT EXISTS (SELECT FROM held WHERE by = $1)
"""


class Administrator:
    """A session beside the simulation, to ask the server what waits for what."""

    def __init__(self, dsn: Mapping[str, Any]) -> None:
        self._loop = asyncio.new_event_loop()
        self._connection = self._loop.run_until_complete(asyncpg.connect(**dsn))

    def value(self, query: str, *arguments: object) -> Any:
        return self._loop.run_until_complete(self._connection.fetchval(query, *arguments))

    def rows(self, query: str, *arguments: object) -> list[Any]:
        found: list[Any] = self._loop.run_until_complete(self._connection.fetch(query, *arguments))
        return found

    def do(self, work: Callable[[], Any]) -> Any:
        """A coroutine on the loop of this session."""
        return self._loop.run_until_complete(work())

    def is_waiting(self, pid: int) -> bool:
        """For a lock that it may get. Whoever releases one has granted it to the next before the
        statement is answered; of those that wait for each other the server ends one."""
        return bool(self.value(_WAITS, pid))

    def cancel(self, pid: int) -> None:
        self.value("SELECT pg_cancel_backend($1)", pid)

    def end(self, pids: list[int]) -> None:
        """Until they are gone, and with them their locks."""
        self.value("SELECT count(pg_terminate_backend(pid)) FROM unnest($1::int[]) AS pid", pids)
        until = time.monotonic() + _GONE_WITHIN
        query = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY($1::int[])"
        while self.value(query, pids) and time.monotonic() < until:
            time.sleep(0.0005)

    def close(self) -> None:
        self._loop.run_until_complete(self._connection.close())
        self._loop.close()


@lru_cache(maxsize=2048)
def _writes(text: bytes) -> bool:
    return _WRITES.search(text) is not None


class Statements:
    """What a connection has prepared, and what it is doing."""

    def __init__(self) -> None:
        self._prepared: dict[bytes, bytes] = {}
        self.is_in_transaction = False
        self.has_claimed = False
        self.has_written = False

    def read(self, request: bytes) -> bytes:
        """The texts that a request executes."""
        texts, at = [], 0
        while at + 5 <= len(request):
            kind = request[at : at + 1]
            (length,) = struct.unpack_from("!i", request, at + 1)
            part = request[at + 5 : at + 1 + length]
            if kind == b"P":
                name, _, rest = part.partition(b"\0")
                self._prepared[name] = rest.partition(b"\0")[0]
            elif kind == b"B":
                name = part.split(b"\0", 2)[1]
                texts.append(self._prepared.get(name, b""))
            elif kind == b"Q":
                texts.append(part[:-1])
            at += 1 + length
        return b"; ".join(texts)

    def note_answer(self, answer: bytes) -> None:
        """Its last message says whether a transaction is open."""
        if answer[-6:-5] == b"Z":
            self.is_in_transaction = answer[-1:] != b"I"


class Network:
    """All connections of all processes to the database."""

    def __init__(
        self,
        world: World,
        dsn: Mapping[str, Any],
        administrator: Administrator,
        sessions: Sessions,
    ) -> None:
        self.dsn = dsn
        self._world = world
        self._administrator = administrator
        self._sessions = sessions
        self._open: dict[DatabaseConnection, Statements] = {}
        self._blocked: list[tuple[DatabaseConnection, bytes]] = []

    def connect(
        self, owner: "Process", loop: asyncio.AbstractEventLoop, protocol: asyncio.BaseProtocol
    ) -> DatabaseConnection:
        made = DatabaseConnection(loop, protocol, self, owner)
        self._open[made] = Statements()
        return made

    def sent(self, connection: DatabaseConnection, request: bytes) -> None:
        self._world.after(self._world.travel(), partial(self._arrive, connection, request))

    def cancel(self, request: bytes) -> None:
        self._sessions.cancel(request)

    def closed(self, connection: DatabaseConnection) -> None:
        self._world.after(0, partial(self._end_session, connection))

    def abandon(self, owner: "Process") -> None:
        """The process is gone. What it has sent last may still arrive, before its sockets close."""
        for connection in [one for one in self._open if one.owner is owner]:
            connection.is_lost = True
            lasts = self._world.chance.choice((0.0, 0.01))
            self._world.after(lasts, partial(self._end_session, connection))

    # What happens at the server

    def _arrive(self, connection: DatabaseConnection, request: bytes) -> None:
        statements = self._open.get(connection)
        if statements is None or (connection.session and not connection.session.is_open):
            return
        text = statements.read(request)
        statements.has_claimed |= _CLAIMS in text
        statements.has_written |= _writes(text)
        commits = self._commits(statements, text)
        if self._world.strikes("database cut before it is done"):
            self._cut(connection)
            return
        if commits and self._world.strikes("crash before a commit"):
            connection.owner.crash("before a commit")
            return
        try:
            answer = self._execute(connection, request)
        except Blocked:
            self._world.sometimes["a transaction waits for another"] += 1
            self._world.note(f"{connection.owner.name} waits for a lock")
            self._blocked.append((connection, text))
            limit = limits.LOCK_TIMEOUT.total_seconds()
            self._world.after(limit, partial(self._time_out, connection, text))
            return
        self._executed(connection, text, answer, commits)

    def _execute(self, connection: DatabaseConnection, request: bytes) -> bytes:
        if connection.session is not None:
            return connection.session.execute(request)
        connection.session = self._sessions.start(request)
        return connection.session.greeting

    def _commits(self, statements: Statements, text: bytes) -> bool:
        """Whether this makes something durable."""
        if not statements.has_written:
            return False
        return text.startswith(b"COMMIT") or not statements.is_in_transaction

    def _executed(
        self, connection: DatabaseConnection, text: bytes, answer: bytes, commits: bool
    ) -> None:
        world, owner = self._world, connection.owner
        statements = self._open[connection]
        statements.note_answer(answer)
        world.note(f"{owner.name} {text[:60]!r} {len(answer)}")
        if commits or not statements.is_in_transaction:
            self._let_the_blocked_go_on()
        if connection.is_lost:
            return
        if commits:
            claimed, statements.has_claimed = statements.has_claimed, False
            statements.has_written = False
            if world.strikes("crash after a commit"):
                owner.crash("after a commit")
            elif claimed and world.strikes("crash after a claim"):
                owner.crash("after a claim")
            elif world.strikes("database cut after it was done"):
                self._cut(connection)
        if connection.is_lost:
            return
        if connection.session is None or not connection.session.is_open:
            self._cut(connection)
            return
        slow = _SLOW_SECONDS if world.strikes("database is slow") else 0.0
        world.after(world.travel() + slow, partial(connection.answer, answer))

    def _cut(self, connection: DatabaseConnection) -> None:
        self._world.after(self._world.travel(), connection.lose)
        self._end_session(connection)

    def _end_session(self, connection: DatabaseConnection) -> None:
        statements = self._open.pop(connection, None)
        if statements is None:
            return
        is_blocked = any(one is connection for one, _ in self._blocked)
        self._blocked = [(one, text) for one, text in self._blocked if one is not connection]
        session = connection.session
        if session and not self._sessions.end(session, is_blocked=is_blocked):
            self._administrator.end([session.pid])
        self._let_the_blocked_go_on()

    def _time_out(self, connection: DatabaseConnection, text: bytes) -> None:
        """The server's `lock_timeout`, in virtual time."""
        if (connection, text) not in self._blocked or connection not in self._open:
            return
        self._blocked.remove((connection, text))
        assert connection.session is not None  # it waits
        self._administrator.cancel(connection.session.pid)
        answer = connection.session.collect_timed_out()
        self._world.sometimes["a lock is not had in time"] += 1
        self._executed(connection, text, answer, False)

    def _let_the_blocked_go_on(self) -> None:
        """Those whose lock is free now, in the order in which they came."""
        waiting, self._blocked = self._blocked, []
        for connection, text in waiting:
            if connection not in self._open or connection.session is None:
                continue
            try:
                answer = connection.session.collect()
            except Blocked:
                self._blocked.append((connection, text))
            else:
                self._executed(
                    connection, text, answer, self._commits(self._open[connection], text)
                )
