"""What an upgrade will do: each statement, the locks it takes, who waits, and for how long.

Nothing is guessed from the text of a statement. The files are run on a copy of the schema without
anybody's data (`scratch.py`), and what they do there is looked at (`locks.py`); the sizes are those
of the real tables. It cannot know how long a lock is waited for, nor how many rows an UPDATE
changes.
"""

from dataclasses import dataclass, field
from importlib.resources.abc import Traversable

import asyncpg

from tidings import __version__
from tidings.engine.db.connections import Connection
from tidings.engine.db.partitions import create_ahead
from tidings.engine.db.pool import Database
from tidings.engine.db.schema import data_changes, indexes, tables
from tidings.engine.db.schema.compatibility import find_obstacle
from tidings.engine.db.schema.files import Migration, MigrationError, own_files, read_migrations
from tidings.engine.db.schema.locks import BUILDING, Effect, Work, effect, look, who_waits
from tidings.engine.db.schema.presence import load_running
from tidings.engine.db.schema.scratch import scratch
from tidings.engine.db.schema.statements import split
from tidings.engine.db.schema.upgrade import load_left

_SIZES = """
    SELECT t.oid::regclass::text AS name, coalesce(sum(pg_total_relation_size(p.oid)), 0)::bigint,
           coalesce(sum(greatest(p.reltuples, 0)), 0)::bigint
      FROM pg_class t
      JOIN pg_class p ON p.oid = t.oid
           OR p.oid IN (SELECT relid FROM pg_partition_tree(t.oid) WHERE isleaf)
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p')
       AND NOT t.relispartition
     GROUP BY t.oid
"""


@dataclass(frozen=True, slots=True)
class Size:
    bytes: int
    rows: int  # an estimate


@dataclass(frozen=True, slots=True)
class Lock:
    table: str
    mode: str
    waits: str  # who does: nobody, writes, reads and writes
    held_for: str  # instant, or what is done until the end of the transaction: scan of messages
    size: Size


@dataclass(slots=True)
class Step:
    statement: str
    work: dict[str, str]  # scan or rewrite, by table
    locks: list[Lock] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlannedFile:
    name: str
    programs_from: str | None
    how: str  # in one transaction, statement by statement, in pages
    steps: list[Step]
    waits: str | None  # why it cannot be applied now


@dataclass(frozen=True, slots=True)
class Plan:
    files: list[PlannedFile]
    tried_on: str  # the version of PostgreSQL
    server: str  # that of the database itself


async def make_plan(
    db: Database,
    folder: Traversable | None = None,
    version: str = __version__,
    *,
    here: bool = True,
) -> Plan:
    left = await load_left(db, folder, version)
    pending = {migration.version for migration in left.pending}
    connection = await db.dedicated()
    try:
        sizes = {name: Size(*of) for name, *of in await connection.fetch(_SIZES)}
        running = await load_running(connection)
        complete = await tables.load_complete(connection) if left.applied else set()
        server = await connection.fetchval("SHOW server_version")
    finally:
        await connection.close()
    async with scratch(db, here=here) as trial:
        await tables.make(trial)
        migrations = read_migrations(folder or own_files())
        for known in migrations:
            if known.version not in pending:
                await _replay(trial, known)
        await create_ahead(trial)
        files = [
            await _try(trial, one, sizes, find_obstacle(one, running, complete))
            for one in left.pending
        ]
        return Plan(files, await trial.fetchval("SHOW server_version"), server)


async def _replay(trial: Connection, migration: Migration) -> None:
    """The schema as it is before the upgrade."""
    if migration.head.pages is not None:
        await _run_pages(trial, migration)
        return
    for statement in split(migration.sql):
        await _run(trial, statement)


async def _run_pages(trial: Connection, migration: Migration) -> None:
    """The copy has only rows that migrations themselves inserted."""
    async with trial.transaction():
        await data_changes.begin(trial, migration)
    while await data_changes.advance(trial, migration) is not None:
        pass


async def _run(trial: Connection, statement: str) -> None:
    index = indexes.read_index(statement)
    await (trial.execute(statement) if index is None else indexes.build(trial, index))


async def _try(
    trial: Connection, migration: Migration, sizes: dict[str, Size], obstacle: str | None
) -> PlannedFile:
    try:
        if migration.head.pages is not None:
            await _run_pages(trial, migration)
            how, steps = "in pages", [_pages(migration, sizes)]
        elif migration.head.outside:
            how = "statement by statement"
            steps = [await _step_outside(trial, one, sizes) for one in split(migration.sql)]
        else:
            how, steps = "in one transaction", await _steps_inside(trial, migration, sizes)
    except asyncpg.PostgresError as error:
        raise MigrationError(
            f"Migration {migration.name} fails on a copy of the schema: {error}"
        ) from error
    return PlannedFile(migration.name, migration.head.programs_from, how, steps, obstacle)


async def _steps_inside(
    trial: Connection, migration: Migration, sizes: dict[str, Size]
) -> list[Step]:
    """Locks are held to the end of the file: for as long as all that follows them takes."""
    found: list[tuple[str, Effect]] = []
    async with trial.transaction():
        at_first = await look(trial)
        for statement in split(migration.sql):
            before = await look(trial)
            await trial.execute(statement)
            done = await effect(trial, before)
            known = {name: mode for name, mode in done.locks.items() if name in at_first.scans}
            found.append((statement, Effect(known, done.work)))
    steps, held = [], dict[str, str]()
    for place, (statement, done) in enumerate(found):
        rest = [one for _, one in found[place:]]
        new = {name: mode for name, mode in done.locks.items() if held.get(name) != mode}
        held |= new
        steps.append(_step(statement, done, new, rest, sizes))
    return steps


async def _step_outside(trial: Connection, statement: str, sizes: dict[str, Size]) -> Step:
    if "CONCURRENTLY" in statement.upper():
        return await _step_concurrently(trial, statement, sizes)
    before = await look(trial)
    try:
        async with trial.transaction():
            await trial.execute(statement)
            done = await effect(trial, before)
    except asyncpg.ActiveSQLTransactionError:
        await trial.execute(statement)
        return Step(statement, {}, note="its locks cannot be seen: it runs in no transaction")
    return _step(statement, done, done.locks, [done], sizes)


async def _step_concurrently(trial: Connection, statement: str, sizes: dict[str, Size]) -> Step:
    """It takes several transactions, and its locks are gone when it is done: PostgreSQL documents
    which they are."""
    index = indexes.read_index(statement)
    await _run(trial, statement)
    if index is None:
        return Step(statement, {}, note="waits for older transactions; nobody waits for it")
    size = sizes.get(index.table, Size(0, 0))
    held = f"scan of {index.table}, twice"
    lock = Lock(index.table, BUILDING, who_waits(BUILDING), held, size)
    return Step(statement, {index.table: "scan"}, [lock], "waits for older transactions")


def _pages(migration: Migration, sizes: dict[str, Size]) -> Step:
    (statement,), pages = split(migration.sql), migration.head.pages
    table = pages.table if pages is not None else ""
    rows = sizes.get(table, Size(0, 0)).rows
    note = f"about {rows:,} rows of {table}, in the background; a page locks its rows for a moment"
    return Step(statement, {table: "scan"}, note=note)


def _step(
    statement: str,
    done: Effect,
    new: dict[str, str],
    rest: list[Effect],
    sizes: dict[str, Size],
) -> Step:
    held = _held_for(rest)
    nothing = Size(0, 0)
    locks = [Lock(t, mode, who_waits(mode), held, sizes.get(t, nothing)) for t, mode in new.items()]
    work = {name: work.name.lower() for name, work in done.work.items() if work and name in sizes}
    return Step(statement, work, locks)


def _held_for(rest: list[Effect]) -> str:
    longest: dict[str, Work] = {}
    for one in rest:
        for name, work in one.work.items():
            longest[name] = max(longest.get(name, work), work)
    slow = [f"{work.name.lower()} of {name}" for name, work in longest.items() if work]
    return " and ".join(sorted(slow)) or "an instant"
