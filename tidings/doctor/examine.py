"""Ask every invariant in one read-only snapshot."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import asyncpg

from tidings.clock import Clock
from tidings.engine.db.connections import Connection
from tidings.engine.db.pool import Database

from . import corruption
from .invariants import CHECKS
from .model import Broken, Check, Invariant, Report

SHOWN_MAX = 20

# Large joins by hash, partition by partition, on all cores. Nothing is compiled: that would take
# longer than most of these queries. They end with the connection.
_SETTINGS = {
    "work_mem": "128MB",
    "hash_mem_multiplier": "2",
    "max_parallel_workers_per_gather": "4",
    "enable_partitionwise_join": "on",
    "enable_partitionwise_aggregate": "on",
    "plan_cache_mode": "force_custom_plan",
    "jit": "off",
    "idle_in_transaction_session_timeout": "0",
}

# The first ids of each invariant that is broken, and how many there are.
_FIRST = """
    SELECT title, count(*) AS broken,
           array_agg(id ORDER BY place) FILTER (WHERE place <= {shown}) AS ids
      FROM (SELECT title, id, row_number() OVER (PARTITION BY title ORDER BY id) AS place
              FROM ({sql}) AS found (title, id)) AS placed
     GROUP BY title
"""


async def check(db: Database) -> list[str]:
    """One line per violated invariant, with the ids; empty if all hold."""
    return [str(broken) for broken in (await examine(db)).broken]


async def examine(db: Database, shown: int = SHOWN_MAX, checks: Sequence[Check] = CHECKS) -> Report:
    """Every invariant, at the time of the database's clock; `shown`: how many ids of each."""
    connection = await connect(db)
    try:
        return await examine_on(connection, db.clock, shown, checks)
    finally:
        await connection.close()


async def connect(db: Database) -> Connection:
    """For `examine_on`, which may be called again and again: a new connection has to learn all
    tables first, which takes longer than all questions about a small database."""
    connection = await db.dedicated()
    for name, value in _SETTINGS.items():
        await connection.execute("SELECT set_config($1, $2, false)", name, value)
    return connection


async def examine_on(
    connection: Connection, clock: Clock, shown: int = SHOWN_MAX, checks: Sequence[Check] = CHECKS
) -> Report:
    report = Report()
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute("SELECT 1")  # takes the snapshot: nothing in it is of later
        now = clock.now()
        for asked in checks:
            with _timed(clock, report, asked.invariants):
                report.broken += await _ask_apart(connection, asked, now, shown)
    with _timed(clock, report, (corruption.INDEXES,)):
        await corruption.ask(connection, report, shown)
    return report


async def _ask_apart(
    connection: Connection, asked: Check, now: datetime, shown: int
) -> list[Broken]:
    """A value that cannot be read, such as a body that is no JSON, breaks what asks for it; all
    other invariants are asked for all the same."""
    try:
        async with connection.transaction():
            return await ask(connection, asked, now, shown)
    except asyncpg.DataError as error:
        return [Broken(one, 1, [f"unreadable value: {error}"]) for one in asked.invariants]


async def ask(
    connection: Connection, asked: Check, now: datetime, shown: int = SHOWN_MAX
) -> list[Broken]:
    query = _FIRST.format(shown=shown, sql=asked.sql)
    rows = await connection.fetch(query, *([now] if "$1" in asked.sql else []))
    found = {row["title"]: row for row in rows}
    return [
        Broken(one, found[one.title]["broken"], found[one.title]["ids"])
        for one in asked.invariants
        if one.title in found
    ]


@contextmanager
def _timed(clock: Clock, report: Report, invariants: Sequence[Invariant]) -> Iterator[None]:
    began = clock.monotonic()
    yield
    titles = ", ".join(one.title for one in invariants)
    report.seconds[titles] = round(clock.monotonic() - began, 3)
