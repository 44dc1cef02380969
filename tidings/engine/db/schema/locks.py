"""What a statement does to tables, as PostgreSQL itself shows it: locks, rewrites and scans.

The statement is run on tables without rows (`scratch.py`). The locks are those of `pg_locks`; a
table that has another file afterwards was rewritten, one whose scans were counted was read.
"""

from dataclasses import dataclass
from enum import IntEnum

from tidings.engine.db.connections import Connection

# By strength. A mode that is not here (ROW EXCLUSIVE and weaker) makes no reader or writer wait.
MODES = {
    "ShareUpdateExclusiveLock": "SHARE UPDATE EXCLUSIVE",
    "ShareLock": "SHARE",
    "ShareRowExclusiveLock": "SHARE ROW EXCLUSIVE",
    "ExclusiveLock": "EXCLUSIVE",
    "AccessExclusiveLock": "ACCESS EXCLUSIVE",
}
STRENGTH = {mode: strength for strength, mode in enumerate(MODES.values(), 1)}
BUILDING = "SHARE UPDATE EXCLUSIVE"  # of everything CONCURRENTLY


class Work(IntEnum):
    """How long a statement takes: it grows with the table, or not."""

    INSTANT = 0
    SCAN = 1
    REWRITE = 2


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables at one moment. Partitions count as their table, indexes as theirs."""

    names: dict[int, str]  # by oid of a table, partition, index or TOAST table
    files: dict[str, frozenset[int]]  # the numbers of a table's files, by its name
    scans: dict[str, int]


@dataclass(frozen=True, slots=True)
class Effect:
    locks: dict[str, str]  # the strongest mode, by table
    work: dict[str, Work]  # by table


_TABLES = """
    SELECT c.oid::bigint AS oid, c.relkind::text AS kind, c.relfilenode::bigint AS file,
           pg_stat_get_xact_numscans(c.oid) AS scans,
           coalesce(pg_partition_root(t.oid), t.oid)::regclass::text AS name
      FROM pg_class c
      LEFT JOIN pg_index x ON x.indexrelid = c.oid
      LEFT JOIN pg_class o ON o.reltoastrelid = c.oid
      JOIN pg_class t ON t.oid = coalesce(x.indrelid, o.oid, c.oid)
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p')
"""
_LOCKS = """
    SELECT relation::bigint AS oid, mode FROM pg_locks
     WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
"""


async def look(connection: Connection) -> Tables:
    """Locks nothing of ours: only the catalogue is read."""
    names: dict[int, str] = {}
    files: dict[str, set[int]] = {}
    scans: dict[str, int] = {}
    for row in await connection.fetch(_TABLES):
        names[row["oid"]] = row["name"]
        scans[row["name"]] = scans.get(row["name"], 0) + row["scans"]
        if row["kind"] == "r":
            files.setdefault(row["name"], set()).add(row["file"])
    return Tables(names, {name: frozenset(one) for name, one in files.items()}, scans)


async def effect(connection: Connection, before: Tables) -> Effect:
    """Of what ran since `before` within this transaction; new tables do not count."""
    after = await look(connection)
    locks: dict[str, str] = {}
    for row in await connection.fetch(_LOCKS):
        name, mode = before.names.get(row["oid"]), MODES.get(row["mode"])
        if name is not None and mode is not None:
            locks[name] = max(locks.get(name, mode), mode, key=STRENGTH.__getitem__)
    return Effect(
        locks, {name: _work(name, before, after) for name in locks | _scanned(before, after)}
    )


def _scanned(before: Tables, after: Tables) -> dict[str, str]:
    names = set(before.names.values())
    return {n: "" for n in names if after.scans.get(n, 0) > before.scans.get(n, 0)}


def _work(name: str, before: Tables, after: Tables) -> Work:
    gone = before.files.get(name, frozenset()) - after.files.get(name, frozenset())
    if gone and name in after.files:
        return Work.REWRITE
    return Work.SCAN if after.scans.get(name, 0) > before.scans.get(name, 0) else Work.INSTANT


def who_waits(mode: str) -> str:
    """While such a lock is held."""
    if mode == "ACCESS EXCLUSIVE":
        return "reads and writes"
    return "nobody" if mode == BUILDING else "writes"
