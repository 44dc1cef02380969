"""The two tables that the upgrade of a database keeps its own state in.

They exist before any migration does, so they are made here, and grow here, by columns only.
`schema_migrations` has a row for each applied file, `data_changes` one for each data change that
has begun.
"""

import asyncpg

from tidings.engine.db.connections import Connection
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.compatibility import Applied
from tidings.engine.db.schema.files import Migration

_MAKE = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version       integer PRIMARY KEY,
    name          text NOT NULL,
    sha256        text NOT NULL,
    applied_at    timestamptz NOT NULL DEFAULT now(),
    programs_from text             -- any; a version; null: only programs that have the file
);
CREATE TABLE IF NOT EXISTS data_changes (
    name        text PRIMARY KEY,                    -- of its file
    cursor      text[],                              -- of the last row done; null: none, or all
    rows_done   bigint NOT NULL DEFAULT 0,
    rows_total  bigint NOT NULL,                     -- an estimate, made when it began
    batch_rows  integer NOT NULL,                    -- of the next batch
    began_at    timestamptz NOT NULL DEFAULT now(),
    advanced_at timestamptz NOT NULL DEFAULT now(),
    complete_at timestamptz,
    error       text                                 -- why the last batch failed
);
"""
# By way of JSON: databases of development versions lack the column, and are refused by their sum.
_READ = """
    SELECT version, name, sha256, to_jsonb(m) ->> 'programs_from'
      FROM schema_migrations m ORDER BY version
"""
_ARE_THERE = """
    SELECT to_regclass('schema_migrations') IS NOT NULL
       AND to_regclass('data_changes') IS NOT NULL
"""


async def make(connection: Connection) -> None:
    # Only where one is missing: IF NOT EXISTS would take a lock, and say a notice, at every start.
    if not await connection.fetchval(_ARE_THERE):
        await connection.execute(_MAKE)


async def load_applied(source: Connection | Database) -> list[Applied]:
    """None on an empty database."""
    fetch = source.rows if isinstance(source, Database) else source.fetch
    try:
        return [Applied(*row) for row in await fetch(_READ)]
    except asyncpg.UndefinedTableError:
        return []


async def record(connection: Connection, migration: Migration) -> None:
    await connection.execute(
        """
        INSERT INTO schema_migrations (version, name, sha256, programs_from)
        VALUES ($1, $2, $3, $4)
        """,
        migration.version,
        migration.name,
        migration.sha256,
        migration.head.programs_from,
    )


async def load_complete(connection: Connection) -> set[str]:
    """The names of data changes that are complete."""
    rows = await connection.fetch("SELECT name FROM data_changes WHERE complete_at IS NOT NULL")
    return {row["name"] for row in rows}
