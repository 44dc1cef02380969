"""Whether the indexes of the queue agree with its table, by PostgreSQL's own extension `amcheck`.

It raises an error where an index is corrupt, which would end the snapshot of all other questions:
so it is asked behind them. Without the extension, or without the right to call it, it is skipped;
the report says so.
"""

import asyncpg

from tidings.engine.db.connections import Connection

from .model import Broken, Invariant, Report

INDEXES = Invariant(
    "I32", "corrupt indexes", "amcheck finds the indexes of the queue and its keys in order"
)
TABLES = ("jobs", "idempotency_keys")
INSTALL = "CREATE EXTENSION amcheck would make it possible"

_MAY_ASK = """
    SELECT has_function_privilege(p.oid, 'EXECUTE') FROM pg_extension e
      JOIN pg_depend d ON d.refobjid = e.oid AND d.classid = 'pg_proc'::regclass
      JOIN pg_proc p ON p.oid = d.objid
     WHERE e.extname = 'amcheck' AND p.proname = 'bt_index_check' AND p.pronargs = 1
"""
_TREES = """
    SELECT i.indexrelid::regclass::text AS name FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
     WHERE a.amname = 'btree' AND i.indisvalid
       AND i.indrelid IN (SELECT to_regclass(name) FROM unnest($1::text[]) AS t (name))
     ORDER BY 1
"""


async def ask(connection: Connection, report: Report, shown: int) -> None:
    may_ask = await connection.fetchval(_MAY_ASK)
    if not may_ask:
        why = INSTALL if may_ask is None else "the role may not call bt_index_check"
        report.skipped[INDEXES.title] = why
        return
    corrupt = [name for name in await _trees(connection) if not await _is_sound(connection, name)]
    if corrupt:
        report.broken.append(Broken(INDEXES, len(corrupt), corrupt[:shown]))


async def _trees(connection: Connection) -> list[str]:
    return [row["name"] for row in await connection.fetch(_TREES, list(TABLES))]


async def _is_sound(connection: Connection, name: str) -> bool:
    try:
        async with connection.transaction():
            await connection.execute("SELECT bt_index_check($1::text::regclass)", name)
    except (asyncpg.IndexCorruptedError, asyncpg.DataCorruptedError):
        return False
    return True
