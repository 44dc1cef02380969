"""Brings a database up to date: numbered SQL files, each applied once, forward only.

A file and its row in `schema_migrations` commit together, so a killed process leaves no partial
migration. Any number of processes may call `migrate` concurrently, also under load: a file that
cannot get its locks within two seconds is rolled back and retried, so the service is not blocked.

A file outside a transaction runs statement by statement and must be idempotent, because after a
failure it is run again from the top. What a file may declare is in `schema/files.py`, how versions
run side by side in docs/decisions/0039.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable

import asyncpg
import structlog

from tidings import __version__
from tidings.engine.db.connections import Connection
from tidings.engine.db.partitions import create_ahead
from tidings.engine.db.pool import Database
from tidings.engine.db.schema import data_changes, indexes, tables
from tidings.engine.db.schema.compatibility import Waiting, decide_pending, find_obstacle
from tidings.engine.db.schema.files import Migration, MigrationError, own_files, read_migrations
from tidings.engine.db.schema.presence import load_running
from tidings.engine.db.schema.statements import split

log = structlog.get_logger()

ADVISORY_LOCK = 0x7469_6469_6E67_73  # "tidings"
LOCK_POLL_SECONDS = 0.05
LOCK_SECONDS_MAX = 2.0
ATTEMPTS_MAX = 30
ATTEMPT_WAIT_SECONDS = 0.5


@dataclass(slots=True)
class Outcome:
    """What was done, and what must wait."""

    names: list[str] = field(default_factory=list)  # of applied files
    waiting: list[Waiting] = field(default_factory=list)


async def migrate(
    db: Database,
    folder: Traversable | None = None,
    lock_seconds_max: float = LOCK_SECONDS_MAX,
    version: str = __version__,
) -> list[str]:
    """Bring the database up to date; returns the names of the applied files. Files that must wait
    are left for later, unless this program needs them: then MigrationError."""
    outcome = await apply_pending(db, folder, lock_seconds_max, version)
    for waiting in outcome.waiting:
        if not waiting.migration.head.can_wait:
            raise MigrationError(f"{waiting.reason} Run tidings migrate --wait first.")
        log.warning("migration.postponed", reason=waiting.reason)
    return outcome.names


async def apply_pending(
    db: Database,
    folder: Traversable | None = None,
    lock_seconds_max: float = LOCK_SECONDS_MAX,
    version: str = __version__,
) -> Outcome:
    """Apply what can be applied now."""
    migrations = read_migrations(folder or own_files())
    connection = await db.dedicated()
    try:
        await _lock(connection)
        await tables.make(connection)
        await connection.execute(f"SET lock_timeout = {int(lock_seconds_max * 1000)}")
        pending = decide_pending(migrations, await tables.load_applied(connection), version)
        outcome = await _apply_all(connection, pending)
        await create_ahead(connection)
    except asyncpg.InsufficientPrivilegeError as error:
        raise MigrationError(
            f"The database must be migrated, and this role may not do that ({error}): run tidings "
            "migrate by the role that owns the tables first."
        ) from error
    finally:
        await connection.close()  # this also releases the lock
    return outcome


async def _apply_all(connection: Connection, pending: list[Migration]) -> Outcome:
    outcome = Outcome()
    for migration in pending:
        running = await load_running(connection)
        complete = await tables.load_complete(connection)
        obstacle = find_obstacle(migration, running, complete)
        obstacle = obstacle or await _apply_if_allowed(connection, migration)
        if obstacle is None:
            outcome.names.append(migration.name)
        else:
            outcome.waiting.append(Waiting(migration, obstacle))
            if not migration.head.can_wait:
                break  # what follows builds on it
    return outcome


async def _apply_if_allowed(connection: Connection, migration: Migration) -> str | None:
    """A service whose role owns no table runs without a file that can wait; returns why it must."""
    try:
        await _apply(connection, migration)
    except asyncpg.InsufficientPrivilegeError:
        if not migration.head.can_wait:
            raise
        return f"{migration.name} waits for tidings migrate by the role that owns the tables."
    return None


async def _lock(connection: Connection) -> None:
    # Polled, because a session that waits inside a statement holds a snapshot, and CREATE INDEX
    # CONCURRENTLY in the session that holds the lock would wait for that snapshot forever.
    ask, waiting = "SELECT pg_try_advisory_lock($1)", False
    while not await connection.fetchval(ask, ADVISORY_LOCK):
        if not waiting:
            log.info("migration.waited", reason="Another process is migrating this database.")
            waiting = True
        await asyncio.sleep(LOCK_POLL_SECONDS)


async def _apply(connection: Connection, migration: Migration) -> None:
    run = _way_of(migration)
    for attempt in range(1, ATTEMPTS_MAX + 1):
        try:
            await run(connection, migration)
            return
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError) as error:
            if attempt == ATTEMPTS_MAX:
                raise MigrationError(
                    f"Migration {migration.name} could not get its locks in {attempt} attempts: "
                    "a long transaction is in its way. Nothing was changed; try again later."
                ) from error
            await asyncio.sleep(ATTEMPT_WAIT_SECONDS)
        except asyncpg.InsufficientPrivilegeError:
            raise
        except asyncpg.PostgresError as error:
            raise MigrationError(f"Migration {migration.name} failed: {error}") from error


def _way_of(migration: Migration) -> Callable[[Connection, Migration], Awaitable[None]]:
    if migration.head.pages is not None:
        return _begin_data_change
    return _run_outside if migration.head.outside else _run_inside


async def _run_inside(connection: Connection, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.sql)
        await tables.record(connection, migration)


async def _begin_data_change(connection: Connection, migration: Migration) -> None:
    async with connection.transaction():
        await data_changes.begin(connection, migration)
        await tables.record(connection, migration)


async def _run_outside(connection: Connection, migration: Migration) -> None:
    for statement in split(migration.sql):
        index = indexes.read_index(statement)
        if index is None:
            await connection.execute(statement)
        else:
            await indexes.build(connection, index)
    await tables.record(connection, migration)
