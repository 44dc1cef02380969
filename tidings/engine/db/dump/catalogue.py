"""What a dump holds: the tables in the order of their foreign keys, their partitions and sequences.

All of it is read from the catalogue, so a new table is dumped without being named anywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Any, Protocol

import msgspec

from tidings.engine.db.connections import Connection
from tidings.engine.db.partitions import load_tables
from tidings.engine.db.tx import Tx

MIGRATIONS = "schema_migrations"  # written by the migrations themselves

# Unlogged tables are left out: PostgreSQL itself forgets them in a crash.
_TABLES = """
    SELECT c.relname AS name,
           ARRAY(SELECT a.attname::text FROM pg_attribute a
                  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                    AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
           coalesce((SELECT sum(pg_table_size(p.relid)) FROM pg_partition_tree(c.oid) p),
                    pg_table_size(c.oid))::bigint AS bytes
      FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
       AND c.relnamespace = current_schema()::regnamespace
     ORDER BY c.relname
"""
_REFERENCES = """
    SELECT DISTINCT c.relname AS child, p.relname AS parent
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      JOIN pg_class p ON p.oid = k.confrelid
     WHERE k.contype = 'f' AND k.conrelid <> k.confrelid
       AND NOT c.relispartition AND NOT p.relispartition
       AND c.relnamespace = current_schema()::regnamespace
       AND p.relnamespace = current_schema()::regnamespace
"""
_IDENTITIES = """
    SELECT c.relname AS "table", a.attname AS "column",
           pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attidentity <> '' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relnamespace = current_schema()::regnamespace
     ORDER BY c.relname
"""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[str, ...]  # without generated ones
    bytes: int = field(compare=False)  # on disk, without indexes


class LastValue(msgspec.Struct, frozen=True):
    """Of an identity column: the last value that was given out; None: none was."""

    table: str
    column: str
    last: int | None


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


async def load_dumped(
    connection: Connection, without: Mapping[str, Sequence[str] | None]
) -> list[Table]:
    """The tables, those that are referred to first. `without`: tables that are left out (None), or
    columns of one that are."""
    found = {
        row["name"]: Table(
            row["name"],
            tuple(c for c in row["columns"] if c not in (without.get(row["name"]) or ())),
            row["bytes"],
        )
        for row in await connection.fetch(_TABLES)
        if row["name"] != MIGRATIONS and without.get(row["name"], ()) is not None
    }
    order: TopologicalSorter[str] = TopologicalSorter({name: set[str]() for name in found})
    for row in await connection.fetch(_REFERENCES):
        if row["child"] in found and row["parent"] in found:
            order.add(row["child"], row["parent"])
    return [found[name] for name in order.static_order()]


async def lock(tx: Tx, tables: Sequence[Table]) -> None:
    """Against DROP and ALTER alone, which a snapshot does not protect from."""
    names = ", ".join(quoted(table.name) for table in tables)
    await tx.run(f"LOCK TABLE {names} IN ACCESS SHARE MODE")


async def load_partitions(connection: Connection) -> list[str]:
    """Their names, without the default ones, which the migrations make."""
    return sorted(
        name
        for table in await load_tables(connection)
        for name in table.partitions
        if name != table.fallback
    )


async def load_sequences(connection: Connection) -> list[LastValue]:
    """Sequences are not part of a snapshot: read after the tables, they are ahead of every row."""
    found = []
    for row in await connection.fetch(_IDENTITIES):
        last = await connection.fetchrow(f"SELECT last_value, is_called FROM {row['sequence']}")
        value = last["last_value"] if last["is_called"] else None
        found.append(LastValue(row["table"], row["column"], value))
    return found


async def set_sequences(tx: Tx, sequences: Sequence[LastValue]) -> None:
    for one in sequences:
        if one.last is not None:
            await tx.value(
                "SELECT setval(pg_get_serial_sequence($1, $2), $3)", one.table, one.column, one.last
            )


class Reader(Protocol):
    """A database, or a transaction."""

    async def value(self, sql: str, *args: object) -> Any: ...


async def find_rows(db: Reader, tables: Sequence[str]) -> list[str]:
    """Those of these tables that exist and have a row."""
    found = []
    for name in tables:
        if await db.value("SELECT to_regclass($1) IS NOT NULL", quoted(name)) and await db.value(
            f"SELECT EXISTS (SELECT FROM {quoted(name)})"
        ):
            found.append(name)
    return found


async def lock_out(tx: Tx, tables: Sequence[str]) -> None:
    """Readers and writers of these tables wait for the end of the transaction."""
    await tx.run(f"LOCK TABLE {', '.join(map(quoted, tables))} IN ACCESS EXCLUSIVE MODE")


async def delete_rows(tx: Tx, tables: Sequence[str]) -> None:
    """Where there are any: some tables refuse the statement itself."""
    for name in await find_rows(tx, tables):
        await tx.run(f"DELETE FROM {quoted(name)}")
