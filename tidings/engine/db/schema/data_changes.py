"""Long changes of data, page by page, beside the running service.

    -- compatible
    -- data change over messages by id
    UPDATE messages m SET locale = 'he' FROM page WHERE m.id = page.id AND m.locale IS NULL;

A page is the next rows in the order of the key. Each page is a transaction of its own that also
writes how far it came, so whoever is killed loses one page, and the next process goes on behind it.
Pages grow and shrink to take a quarter of a second; between them the runner rests as long as the
page took. One process at a time runs data changes, by an advisory lock.

Rows that are inserted behind the cursor meanwhile are not visited: see docs/operating/upgrade.md.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import asyncpg
import structlog

from tidings.engine.db.connections import Connection
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import Migration, MigrationError, Pages
from tidings.engine.db.schema.statements import split

log = structlog.get_logger()

ADVISORY_LOCK = 0x7469_6463_6867  # "tidchg": one process at a time
PAGE_SECONDS = 0.25
PAGE_SECONDS_MAX = 5
LOCK_SECONDS_MAX = 1
FIRST_ROWS, ROWS_MIN, ROWS_MAX = 1_000, 10, 50_000
HELD = (asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError, asyncpg.DeadlockDetectedError)

_TYPES = """
    SELECT a.attname, format_type(a.atttypid, NULL) AS type FROM pg_attribute a
     WHERE a.attrelid = to_regclass($1) AND a.attname = ANY ($2)
"""
_ESTIMATE = """
    SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint FROM pg_class c
     WHERE c.oid = to_regclass($1)
        OR c.oid IN (SELECT relid FROM pg_partition_tree(to_regclass($1)) WHERE isleaf)
"""
_BEGIN = "INSERT INTO data_changes (name, rows_total, batch_rows) VALUES ($1, $2, $3)"
_STATES = """
    SELECT name, rows_done, greatest(rows_total, rows_done) AS rows_total, began_at, advanced_at,
           complete_at, error
      FROM data_changes ORDER BY name
"""
_NEXT = (
    "SELECT cursor, batch_rows FROM data_changes WHERE name = $1 AND complete_at IS NULL FOR UPDATE"
)
_ADVANCE = """
    UPDATE data_changes
       SET cursor = CASE WHEN $5 THEN NULL ELSE coalesce($2, cursor) END,
           rows_done = rows_done + $3, batch_rows = $4,
           complete_at = CASE WHEN $5 THEN now() END, advanced_at = now(), error = NULL
     WHERE name = $1
"""
_FAIL = """
    UPDATE data_changes SET error = $2, batch_rows = greatest(batch_rows / 2, $3) WHERE name = $1
"""


@dataclass(frozen=True, slots=True)
class State:
    """How far a data change is."""

    name: str
    rows_done: int
    rows_total: int  # an estimate
    began_at: datetime
    advanced_at: datetime
    complete_at: datetime | None
    error: str | None


async def load_states(db: Database) -> list[State]:
    try:
        return [State(*row) for row in await db.rows(_STATES)]
    except asyncpg.UndefinedTableError:
        return []


async def begin(connection: Connection, migration: Migration) -> None:
    """Within the transaction that records the file, with its first page: often that is all."""
    pages = _pages(migration)
    total = await connection.fetchval(_ESTIMATE, pages.table)
    await connection.execute(_BEGIN, migration.name, total, FIRST_ROWS)
    await _do_page(connection, migration)


async def advance(connection: Connection, migration: Migration) -> timedelta | None:
    """One page, in its own transaction; returns how long it took, None once all is complete."""
    try:
        async with connection.transaction():
            await connection.execute(f"SET LOCAL statement_timeout = '{PAGE_SECONDS_MAX}s'")
            await connection.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS_MAX}s'")
            return await _do_page(connection, migration)
    except HELD as error:
        await connection.execute(_FAIL, migration.name, _condition(error), ROWS_MIN)
        return timedelta(seconds=PAGE_SECONDS)
    except asyncpg.PostgresError as error:
        await connection.execute(_FAIL, migration.name, _condition(error), ROWS_MIN)
        raise MigrationError(f"Data change {migration.name} failed: {error}") from error


async def run(db: Database, migrations: Sequence[Migration], *, rest: float = 1.0) -> bool:
    """Until these are complete. False if another process is at it. `rest`: between two pages, in
    times of what a page took; 0 goes on at once."""
    connection = await db.dedicated()
    try:
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", ADVISORY_LOCK):
            return False
        for migration in migrations:
            while (took := await advance(connection, migration)) is not None:
                await asyncio.sleep(took.total_seconds() * rest)
            log.info("migration.completed", name=migration.name)
        return True
    finally:
        await connection.close()  # this also releases the lock


async def _do_page(connection: Connection, migration: Migration) -> timedelta | None:
    row = await connection.fetchrow(_NEXT, migration.name)
    if row is None:
        return None
    size = row["batch_rows"]
    sql = await _statement(connection, migration, after=row["cursor"], size=size)
    page = await connection.fetchrow(sql, *(row["cursor"] or ()))
    took: timedelta = await connection.fetchval("SELECT clock_timestamp() - now()")
    advanced = partial(connection.execute, _ADVANCE, migration.name, page["cursor"], page["rows"])
    complete = page["rows"] < size
    await advanced(next_size(size, took), complete)
    return None if complete else took


def _condition(error: asyncpg.PostgresError) -> str:
    """Its name alone: the text of an error may quote what is in a row."""
    return f"{type(error).__name__.removesuffix('Error')} ({error.sqlstate})"


def next_size(size: int, took: timedelta) -> int:
    """Of the next page, so that it takes about PAGE_SECONDS; it changes by half at most."""
    factor = PAGE_SECONDS / max(took.total_seconds(), 0.001)
    return max(ROWS_MIN, min(ROWS_MAX, int(size * max(0.5, min(2.0, factor)))))


async def _statement(
    connection: Connection, migration: Migration, *, after: list[str] | None, size: int
) -> str:
    pages = _pages(migration)
    rows = await connection.fetch(_TYPES, pages.table, list(pages.key))
    types = {row["attname"]: row["type"] for row in rows}
    missing = [column for column in pages.key if column not in types]
    if missing:
        raise MigrationError(f"{migration.name}: {pages.table} has no {', '.join(missing)}.")
    statements = split(migration.sql)
    if len(statements) != 1:
        raise MigrationError(f"{migration.name}: a data change has one statement.")
    key = ", ".join(pages.key)
    cursor = ", ".join(f"${n}::text::{types[column]}" for n, column in enumerate(pages.key, 1))
    behind = f"WHERE ({key}) > ({cursor})" if after else ""
    last = ", ".join(f"{column} DESC" for column in pages.key)
    return f"""
        WITH page AS MATERIALIZED (
            SELECT {key} FROM {pages.table} {behind} ORDER BY {key} LIMIT {size}
        ), work AS ({statements[0]})
        SELECT (SELECT count(*) FROM page) AS rows, (
                SELECT ARRAY[{", ".join(f"{column}::text" for column in pages.key)}]
                  FROM page ORDER BY {last} LIMIT 1) AS cursor
    """


def _pages(migration: Migration) -> Pages:
    if migration.head.pages is None:
        raise MigrationError(f"{migration.name} is no data change.")
    return migration.head.pages
