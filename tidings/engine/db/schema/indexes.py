"""CREATE INDEX CONCURRENTLY as a migration writes it, on any table, as often as it takes.

PostgreSQL itself refuses it for a partitioned table, and leaves an invalid index behind where a
build fails. Here the statement is carried out so that it can be run again from the top: an index
that is there and valid is left alone, an invalid one is dropped and built anew. On a partitioned
table an empty index of the whole is made first; each partition's is built concurrently and attached
to it. Neither readers nor writers wait for a build, however long it takes.
"""

import re
from dataclasses import dataclass

import asyncpg

from tidings.engine.db.connections import Connection
from tidings.engine.db.schema.files import MigrationError

NAME_CHARS_MAX = 63
ROUNDS_MAX = 5  # partitions may be made and dropped meanwhile

_CREATE = re.compile(
    r"CREATE\s+(?P<unique>UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    r"(?P<name>\w+)\s+ON\s+(?P<table>\w+)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_KIND = "SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass($1)"
_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)"
_WITHOUT = """
    SELECT child.relname FROM pg_inherits i JOIN pg_class child ON child.oid = i.inhrelid
     WHERE i.inhparent = to_regclass($1) AND NOT EXISTS (
           SELECT FROM pg_inherits attached JOIN pg_index x ON x.indexrelid = attached.inhrelid
            WHERE attached.inhparent = to_regclass($2) AND x.indrelid = i.inhrelid)
     ORDER BY child.relname
"""


@dataclass(frozen=True, slots=True)
class Index:
    unique: str
    name: str
    table: str
    rest: str  # columns and what follows


def read_index(statement: str) -> Index | None:
    """None for any other statement."""
    found = _CREATE.fullmatch(statement)
    return None if found is None else Index(
        (found["unique"] or "").upper(), found["name"], found["table"], found["rest"]
    )  # fmt: skip


async def build(connection: Connection, index: Index) -> None:
    """Outside a transaction."""
    if await connection.fetchval(_KIND, index.table):
        await _build_partitioned(connection, index)
    else:
        await _build_one(connection, index, index.name, index.table)


def name_for(index: Index, partition: str) -> str:
    """As the partition is named: messages_by_day of messages_2026_11 is messages_by_day_2026_11."""
    name = f"{index.name}_{partition.removeprefix(index.table).lstrip('_')}"
    if len(name) > NAME_CHARS_MAX:
        raise MigrationError(f"The name {index.name} is too long for an index of partitions.")
    return name


async def _build_partitioned(connection: Connection, index: Index) -> None:
    whole = (
        f"CREATE {index.unique}INDEX IF NOT EXISTS {index.name} ON ONLY {index.table} {index.rest}"
    )
    await connection.execute(whole)
    for _ in range(ROUNDS_MAX):
        partitions = await connection.fetch(_WITHOUT, index.table, index.name)
        for row in partitions:
            try:
                await _build_partition(connection, index, row["relname"])
            except asyncpg.UndefinedTableError:
                continue  # its month was dropped meanwhile
        if not partitions and await connection.fetchval(_VALID, index.name):
            return
    raise MigrationError(
        f"Index {index.name} is not valid although every partition of {index.table} has it: drop "
        "it, and run tidings migrate again."
    )


async def _build_partition(connection: Connection, index: Index, partition: str) -> None:
    name = name_for(index, partition)
    await _build_one(connection, index, name, partition)
    await connection.execute(f"ALTER INDEX {index.name} ATTACH PARTITION {name}")


async def _build_one(connection: Connection, index: Index, name: str, table: str) -> None:
    valid = await connection.fetchval(_VALID, name)
    if valid:
        return
    # A build waits for the transactions before it and is in nobody's way while it does: a limit
    # for locks would only throw the work of an hour away.
    before = await connection.fetchval("SHOW lock_timeout")
    await connection.execute("SET lock_timeout = 0")
    try:
        if valid is False:
            await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        await connection.execute(
            f"CREATE {index.unique}INDEX CONCURRENTLY {name} ON {table} {index.rest}"
        )
    finally:
        if not connection.is_closed():
            await connection.execute(f"SET lock_timeout = '{before}'")
