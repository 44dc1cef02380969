"""Fill a database with the rows of a large installation, by COPY.

One connection makes the rows of a table and another takes them, two tables at a time. Indexes that
are no keys are built afterwards, which is several times as fast as row by row.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from bench.growth.rows import DAYS, FINISHED, GROWING, RESULTS, WAITING, Copies
from tidings.engine.db.partitions import create_ahead

Dsn = dict[str, Any]

CHUNKS_AHEAD = 64
WAITING_DAYS = 0.02  # those that wait were accepted in the last half hour
SESSION = {
    "synchronous_commit": "off", "maintenance_work_mem": "1GB", "work_mem": "256MB",
    "max_parallel_maintenance_workers": "2",
}  # fmt: skip
_INDEXES = """
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relname = ANY($1::text[]) AND NOT i.indisunique
"""
_COLUMNS = """
    SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped
       AND attidentity = '' AND attgenerated = '' AND attname <> 'written_by' ORDER BY attnum
"""


@dataclass(frozen=True)
class Installation:
    """What is to be there. One newest time for all tables, as ids are made of it."""

    accounts: Sequence[UUID]
    finished: int
    waiting: int
    newest: datetime

    def total(self, copies: Copies) -> int:
        return self.waiting if copies.waiting else self.finished


async def fill(dsn: Dsn, accounts: Sequence[UUID], finished: int, waiting: int) -> None:
    """The first account has the rows to copy, and a tenth of what is made of them."""
    target = await asyncpg.connect(**dsn, server_settings=SESSION)
    try:
        newest: datetime = await target.fetchval("SELECT now()")
        wanted = Installation(accounts, finished, waiting, newest)
        for days in range(0, DAYS + 31, 28):
            await create_ahead(target, newest - timedelta(days=days))
        indexes = await target.fetch(_INDEXES, list(GROWING))
        for index in indexes:
            await target.execute(f"DROP INDEX {index['name']}")
        tables = (*FINISHED, *WAITING)
        # The rows of `messages` take as long as all others: so both halves end together.
        halves = [
            [copies for copies in tables if (copies.table == "messages") is first]
            for first in (True, False)
        ]
        await asyncio.gather(*(_copy_all(dsn, half, wanted) for half in halves))
        for index in indexes:
            # Of a partitioned table: on all partitions.
            await target.execute(index["made"].replace(" ON ONLY ", " ON "))
        for result in RESULTS:
            await target.execute(result)
        await target.execute("VACUUM (ANALYZE, PARALLEL 2)")
    finally:
        await target.close()


async def _copy_all(dsn: Dsn, tables: Sequence[Copies], wanted: Installation) -> None:
    target = await asyncpg.connect(**dsn, server_settings=SESSION)
    try:
        for copies in tables:
            if wanted.total(copies):
                await _copy(dsn, target, copies, wanted)
    finally:
        await target.close()


async def _copy(dsn: Dsn, target: Any, copies: Copies, wanted: Installation) -> None:
    columns = {row["name"]: row["type"] for row in await target.fetch(_COLUMNS, copies.table)}
    if _is_copied(copies, columns):
        await _require_pattern(target, copies, wanted.accounts[0])
    source = await asyncpg.connect(**dsn, server_settings=SESSION)
    chunks: asyncio.Queue[bytes | None] = asyncio.Queue(CHUNKS_AHEAD)
    try:
        accounts = list(wanted.accounts)
        values = (accounts[0], wanted.total(copies), accounts, wanted.newest)
        reading = asyncio.create_task(_read(source, chunks, _query(copies, columns), values))
        writing = target.copy_to_table(
            copies.table, source=_taken(chunks), columns=list(columns), format="binary"
        )
        await asyncio.gather(reading, writing)
    finally:
        await source.close()


async def _require_pattern(target: Any, copies: Copies, account: UUID) -> None:
    found = f"SELECT EXISTS (SELECT FROM {copies.table} WHERE account_id = $1 AND {copies.pattern})"
    if not await target.fetchval(found, account):
        raise RuntimeError(f"no row of {copies.table} to copy where {copies.pattern}")


async def _read(
    source: Any, chunks: asyncio.Queue[bytes | None], query: str, values: Sequence[object]
) -> None:
    """Ends the stream also where it fails: what came is then cut off, and COPY refuses it."""
    try:
        await source.copy_from_query(query, *values, output=chunks.put, format="binary")
    finally:
        await chunks.put(None)


async def _taken(chunks: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
    while (chunk := await chunks.get()) is not None:
        yield chunk


def _is_copied(copies: Copies, columns: Mapping[str, str]) -> bool:
    return not columns.keys() <= {"account_id", *copies.changed}


def _query(copies: Copies, columns: Mapping[str, str]) -> str:
    """The rows, with $1 the account that is copied, $2 all messages, $3 the accounts, $4 the time
    of the newest."""
    days = WAITING_DAYS if copies.waiting else DAYS
    changed = {"account_id": "n.account", **copies.changed}
    # Cast, because COPY's binary form does not convert.
    values = ", ".join(f"({changed.get(n, f'p.{n}')})::{type_}" for n, type_ in columns.items())
    first = f"floor($2::int * {1 - copies.share})::int + 1"
    copied = (
        f"SELECT * FROM {copies.table} WHERE account_id = $1::uuid AND {copies.pattern} LIMIT 1"
    )
    return f"""
        SELECT {values}
          FROM ({copied if _is_copied(copies, columns) else "SELECT"}) p,
               (SELECT i, k, $4::timestamptz
                           - (1.0 - i::float8 / $2) * interval '{days * 86400} s' AS at,
                       CASE WHEN i % 10 = 0 THEN $1::uuid
                            ELSE ($3::uuid[])[1 + i / 10 % cardinality($3::uuid[])] END AS account
                  FROM generate_series({first}, $2::int) i, generate_series(0, {copies.each - 1}) k
                 WHERE i % {copies.every} = 0) n
         WHERE {copies.where}"""
