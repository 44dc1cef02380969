"""Monthly partitions of the tables that grow with every message, made ahead of time.

The partition key of such a table is an id that begins with the time it was made (`ids.py`), so a
partition holds the rows of one calendar month (UTC), and dropping it frees their disk space without
a vacuum. The catalogue says which tables are partitioned; new partitions take the storage
parameters of the table's default partition. That one takes rows whose month has no partition, so
that no insert can fail.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar
from uuid import UUID

import asyncpg
import structlog

from tidings.engine.db.connections import Connection
from tidings.engine.db.pool import Database
from tidings.ids import Month, first_id, first_webhook_id

log = structlog.get_logger()
Key = TypeVar("Key", UUID, str)

MONTHS_AHEAD = 2
ADVISORY_LOCK = 0x7061_7274_7300  # "parts": one process at a time makes partitions
LOCK_SECONDS_MAX = 2.0
DROP_LOCK_SECONDS_MAX = 0.5  # less than deadlock_timeout

_TABLES = """
    SELECT p.partrelid::regclass::text AS name, d.relname AS fallback, d.reloptions AS options,
           a.attname AS key, format_type(a.atttypid, NULL) AS type,
           ARRAY(SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                  WHERE i.inhparent = p.partrelid) AS partitions
      FROM pg_partitioned_table p
      JOIN pg_class d ON d.oid = p.partdefid
      JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
     WHERE p.partstrat = 'r' AND pg_table_is_visible(p.partrelid)
     ORDER BY name
"""


class PartitionedTable(NamedTuple):
    name: str
    fallback: str  # the default partition
    options: list[str] | None  # storage parameters
    key: str
    type: str
    partitions: list[str]


def partition_name(table: str, month: Month) -> str:
    return f"{table}_{month.year:04}_{month.month:02}"


def month_of_partition(name: str) -> Month:
    """The reverse of `partition_name`."""
    _, year, month = name.rsplit("_", 2)
    return Month(int(year), int(month))


def bound(key_type: str, timestamp: datetime) -> str:
    """The smallest key of this time: of ids, or of webhook ids, which are the only texts."""
    return first_webhook_id(timestamp) if key_type == "text" else str(first_id(timestamp))


def span(keys: Sequence[Key]) -> tuple[Key, Key] | tuple[None, None]:
    """The smallest and the largest of these keys, for `id BETWEEN $3 AND $4`.

    PostgreSQL opens only the partitions of that range. An array, or a join, prunes too late: all
    partitions are opened for every statement (docs/decisions/0031).
    """
    return (min(keys), max(keys)) if keys else (None, None)


async def load_tables(connection: Connection) -> list[PartitionedTable]:
    return [PartitionedTable(*row) for row in await connection.fetch(_TABLES)]


async def create_ahead(connection: Connection, at: datetime | None = None) -> list[str]:
    """Make the partitions of this month and the next ones; returns the names of new partitions."""
    month = Month.of(at or await connection.fetchval("SELECT now()"))
    made = []
    for table in await load_tables(connection):
        for wanted in (month.later(n) for n in range(MONTHS_AHEAD + 1)):
            name = partition_name(table.name, wanted)
            if name not in table.partitions and await _create(connection, table, name, wanted):
                made.append(name)
    return made


async def create_named(connection: Connection, names: Collection[str]) -> None:
    """Make those of these partitions that are not there, such as the months of a backup."""
    for table in await load_tables(connection):
        for name in sorted(set(names) - set(table.partitions)):
            if name.startswith(f"{table.name}_"):
                month = month_of_partition(name)
                if partition_name(table.name, month) == name:
                    await _create(connection, table, name, month)


async def make_ahead(db: Database) -> list[str]:
    """The periodic task; it has no time limits, because a lock may take a while."""
    connection = await db.dedicated()
    try:
        return await create_ahead(connection)
    finally:
        await connection.close()


async def find_tables_of(connection: Connection, month: Month, tables: Sequence[str]) -> list[str]:
    """Those of these tables that have a partition of this month."""
    rows = await connection.fetch(
        """
        SELECT name FROM unnest($1::text[], $2::text[]) AS t (name, partition)
         WHERE to_regclass(partition) IS NOT NULL
        """,
        list(tables),
        [partition_name(table, month) for table in tables],
    )
    return [row["name"] for row in rows]


async def drop_month(connection: Connection, month: Month, tables: Sequence[str]) -> None:
    """Drop a month of all of these tables, within the caller's transaction. Raises
    LockNotAvailableError if a reader holds one of them: this lets go before anybody's deadlock is
    detected, and whoever waits for the table goes on."""
    async with connection.transaction():
        await connection.execute(f"SET LOCAL lock_timeout = '{DROP_LOCK_SECONDS_MAX:g}s'")
        for table in tables:
            await connection.execute(f"DROP TABLE {partition_name(table, month)}")


async def may_drop(connection: Connection, table: str) -> bool:
    """Whether the role owns the table, or belongs to the role that does."""
    found: bool = await connection.fetchval(
        "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = $1::text::regclass", table
    )
    return found


async def find_ended(db: Database, table: str, before: datetime) -> list[str]:
    """The partitions of this table whose month had ended by then, the oldest first."""
    rows = await db.rows(
        """
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = $1::text::regclass AND c.oid <> (
               SELECT partdefid FROM pg_partitioned_table WHERE partrelid = i.inhparent)
         ORDER BY c.relname
        """,
        table,
    )
    last = partition_name(table, Month.of(before))
    return [row["relname"] for row in rows if row["relname"] < last]


async def drop_ended(db: Database, table: str, before: datetime) -> list[str]:
    """Drop the partitions whose month had ended by then; returns their names. Readers wait for the
    time that a file takes to be unlinked; if they hold the table for too long, nothing is done, nor
    if the table is not ours."""
    names = await find_ended(db, table, before)
    connection = await db.dedicated()
    try:
        if not await may_drop(connection, table):
            return []
        await connection.execute(f"SET lock_timeout = '{LOCK_SECONDS_MAX:g}s'")
        for name in names:
            await connection.execute(f"DROP TABLE IF EXISTS {name}")
            log.info("partition.dropped", partition=name)
    finally:
        await connection.close()
    return names


async def _create(connection: Connection, table: PartitionedTable, name: str, month: Month) -> bool:
    """False if another process made it; if the table is too busy to be locked, or not ours, which
    the next call tries again; or if rows of this month are in the default partition: then all of
    them stay."""
    try:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", ADVISORY_LOCK)
            if await connection.fetchval("SELECT to_regclass($1)", name) is not None:
                return False
            await connection.execute(_statements(table, name, month))
    except (
        asyncpg.CheckViolationError,
        asyncpg.InsufficientPrivilegeError,
        asyncpg.LockNotAvailableError,
    ) as error:
        log.warning("partition.creation_failed", partition=name, error=str(error))
        return False
    return True


def _statements(table: PartitionedTable, name: str, month: Month) -> str:
    """Attached instead of created as a partition, which would lock out all readers of the table."""
    low, high = (bound(table.type, each.begins_at) for each in (month, month.later(1)))
    options = f"WITH ({', '.join(table.options)})" if table.options else ""
    return f"""
        SET LOCAL lock_timeout = '{LOCK_SECONDS_MAX:g}s';
        CREATE TABLE {name} (LIKE {table.name}
            INCLUDING ALL EXCLUDING INDEXES EXCLUDING IDENTITY) {options};
        ALTER TABLE {table.name} ATTACH PARTITION {name} FOR VALUES FROM ('{low}') TO ('{high}');
    """
