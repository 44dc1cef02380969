"""A database of a released version, kept as JSON: what upgrades of later versions are tried on.

`python -m tests.upgrades.kept_world` makes `worlds/VERSION.json` of the present version, with
something of everything in it. It is run once a release, after its migrations are frozen.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import asyncpg

from tests.support import demo_world
from tests.support.database import Dsn, fresh_database
from tests.support.service import TestService
from tidings import __version__

FOLDER = Path(__file__).parent / "worlds"
OWN = ("schema_migrations", "data_changes")  # written by `migrate`
_TABLES = """
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.oid ORDER BY c.relname
"""
_NUMBERED = """
    SELECT attrelid::regclass::text AS name, attname AS column FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid
     WHERE attidentity <> '' AND relnamespace = 'public'::regnamespace AND NOT relispartition
"""

World = dict[str, list[dict[str, Any]]]  # the rows of each table


async def read_world(dsn: Dsn) -> World:
    connection = await asyncpg.connect(**dsn)
    try:
        world: World = {}
        for name, columns in await connection.fetch(_TABLES):
            rows = f"SELECT to_jsonb(t) FROM (SELECT {', '.join(columns)} FROM {name}) t"
            found = [json.loads(row[0]) for row in await connection.fetch(rows)]
            if found and name not in OWN:
                world[name] = found
        return world
    finally:
        await connection.close()


async def write_world(connection: asyncpg.Connection, world: World) -> None:
    """Into a database that the migrations of its version have made."""
    async with connection.transaction():
        # Rows refer to each other, and triggers guard what was written: none of that while loading.
        await connection.execute("SET LOCAL session_replication_role = replica")
        for name, rows in world.items():
            columns = ", ".join(sorted({column for row in rows for column in row}))
            await connection.execute(f"DELETE FROM {name}")
            await connection.execute(
                f"INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns}"
                f" FROM jsonb_populate_recordset(NULL::{name}, $1::jsonb)",
                json.dumps(rows),
            )
        for name, column in await connection.fetch(_NUMBERED):
            await connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{name}', '{column}'),"
                f" (SELECT coalesce(max({column}), 0) + 1 FROM {name}))"
            )


def keep() -> Path:
    dsn = fresh_database()
    with tempfile.TemporaryDirectory() as folder, TestService(dsn, Path(folder)) as service:
        demo_world.build(service, Path(folder))
    path = FOLDER / f"{__version__}.json"
    path.parent.mkdir(exist_ok=True)
    tables = asyncio.run(read_world(dsn)).items()
    path.write_text(
        "{\n" + ",\n".join(f'"{name}": {_lines(rows)}' for name, rows in tables) + "\n}\n"
    )
    return path


def _lines(rows: list[dict[str, Any]]) -> str:
    """One line a row, as one wants to see differences."""
    lines = (json.dumps(row, sort_keys=True, ensure_ascii=False) for row in rows)
    return "[\n" + ",\n".join(lines) + "]"


if __name__ == "__main__":
    keep()
