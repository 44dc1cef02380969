"""What PostgreSQL counts while messages go round: row operations, WAL records and bytes, commits.

Read before and after a load; what an idle service does in as much time is taken off.
"""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import asyncpg

from bench.loops.processor import parent_of
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.settings import Settings

IDLE_SECONDS = 3.0
FLUSH_SECONDS = 1.5  # a backend reports what it counted a second later at most
_COUNTERS = """
    SELECT (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables)::float AS rows,
           (SELECT wal_records FROM pg_stat_wal)::float AS wal_records,
           (SELECT wal_bytes FROM pg_stat_wal)::float AS wal_bytes,
           (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::float
               AS commits
"""


@dataclass(frozen=True, slots=True)
class Counters:
    at: float
    rows: float
    wal_records: float
    wal_bytes: float
    commits: float

    def since(self, before: "Counters") -> "Counters":
        values = ((getattr(self, name) - getattr(before, name)) for name in self.__slots__)
        return Counters(*values)


class Watch:
    """A look into the database of a running service."""

    def __init__(self, env: dict[str, str]) -> None:
        self._server = EmbeddedServer.join(Settings.from_env(env).data / "postgres")

    def close(self) -> None:
        self._server.leave()

    def read(self) -> Counters:
        time.sleep(FLUSH_SECONDS)
        row = asyncio.run(self._row(_COUNTERS))
        return Counters(time.monotonic(), *row.values())

    def postmaster(self) -> int:
        """The parent of every process of the database."""
        return asyncio.run(self._parent())

    async def _parent(self) -> int:
        connection = await asyncpg.connect(**self._server.dsn)
        try:
            return parent_of(await connection.fetchval("SELECT pg_backend_pid()"))
        finally:
            await connection.close()

    def rows(self, query: str) -> list[Any]:
        return asyncio.run(self._rows(query))

    async def _row(self, query: str) -> Any:
        return (await self._rows(query))[0]

    async def _rows(self, query: str) -> list[Any]:
        connection = await asyncpg.connect(**self._server.dsn)
        try:
            return list(await connection.fetch(query))
        finally:
            await connection.close()


def per_message(idle: Counters, loaded: Counters, messages: int) -> dict[str, float]:
    """`idle` and `loaded` are differences. Pure."""
    share = loaded.at / idle.at
    found = {
        name: (getattr(loaded, name) - getattr(idle, name) * share) / messages
        for name in ("rows", "wal_records", "wal_bytes", "commits")
    }
    return {
        "rows": round(found["rows"], 2),
        "walRecords": round(found["wal_records"], 2),
        "walBytes": round(found["wal_bytes"]),
        "commits": round(found["commits"], 3),
    }
