"""Numbered SQL files, applied in order, each once, forward only (docs/decisions/0004).

A file and its row in `schema_migrations` commit together, so a killed process leaves no partial
migration. Any number of processes may call `migrate` concurrently, also under load: a file that
cannot get its locks within two seconds is rolled back and retried, so the service is not blocked.

A file whose first line is `-- outside a transaction` (CREATE INDEX CONCURRENTLY) runs statement
by statement; each statement ends with a semicolon at the end of a line. The file must be
idempotent, because after a failure it is run again from the top.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

import asyncpg

from tidings.engine.db.connections import Connection
from tidings.engine.db.partitions import create_ahead
from tidings.engine.db.pool import Database

ADVISORY_LOCK = 0x7469_6469_6E67_73  # "tidings"
LOCK_POLL_SECONDS = 0.05
LOCK_SECONDS_MAX = 2.0
ATTEMPTS_MAX = 30
ATTEMPT_WAIT_SECONDS = 0.5
OUTSIDE = "-- outside a transaction"

TABLE = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version    integer PRIMARY KEY,
    name       text NOT NULL,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""
APPLIED = "SELECT version, name, sha256 FROM schema_migrations ORDER BY version"
RECORD = "INSERT INTO schema_migrations (version, name, sha256) VALUES ($1, $2, $3)"


class MigrationError(RuntimeError):
    """The database and the files do not match; the message says how."""


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str  # of the file
    sql: str
    sha256: str


async def migrate(
    db: Database, folder: Traversable | None = None, lock_seconds_max: float = LOCK_SECONDS_MAX
) -> list[str]:
    """Bring the database up to date; returns the names of the applied files."""
    migrations = read_migrations(folder or files("tidings").joinpath("migrations"))
    connection = await db.dedicated()
    try:
        await _lock(connection)
        await connection.execute(TABLE)
        await connection.execute(f"SET lock_timeout = {int(lock_seconds_max * 1000)}")
        pending = decide_pending(migrations, await connection.fetch(APPLIED))
        for migration in pending:
            await _apply(connection, migration)
        await create_ahead(connection)
    finally:
        await connection.close()  # this also releases the lock
    return [migration.name for migration in pending]


def read_migrations(folder: Traversable) -> list[Migration]:
    """Every `0001_name.sql` of the folder, in order."""
    found: dict[int, Migration] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".sql"):
            continue
        number = re.match(r"([0-9]{4})_", file.name)
        if number is None or int(number[1]) in found:
            raise MigrationError(f"{file.name}: name it 0001_what_it_does.sql, with a free number.")
        content = file.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        version = int(number[1])
        found[version] = Migration(version, file.name, content.decode(), digest)
    return list(found.values())


def decide_pending(
    migrations: Sequence[Migration], applied: Iterable[asyncpg.Record]
) -> list[Migration]:
    """The migrations still to apply. MigrationError if these files did not create the database."""
    by_version = {migration.version: migration for migration in migrations}
    for row in applied:
        migration = by_version.pop(row["version"], None)
        if migration is None:
            raise MigrationError(
                f"The database has migration {row['name']}, which this version of tidings does "
                "not know: it is newer than the program. Run the newer version of tidings."
            )
        if migration.sha256 != row["sha256"]:
            raise MigrationError(
                f"Migration {row['name']} has changed since it was applied to this database. "
                "Undo the change to the file and make it in a new, higher-numbered one. If you did "
                "not change it, the database was made by a development version before the first "
                "release, which has no upgrade path: start with an empty database."
            )
    return list(by_version.values())


async def _lock(connection: Connection) -> None:
    # Polled, because a session that waits inside a statement holds a snapshot, and CREATE INDEX
    # CONCURRENTLY in the session that holds the lock would wait for that snapshot forever.
    ask = "SELECT pg_try_advisory_lock($1)"
    while not await connection.fetchval(ask, ADVISORY_LOCK):  # noqa: ASYNC110
        await asyncio.sleep(LOCK_POLL_SECONDS)


async def _apply(connection: Connection, migration: Migration) -> None:
    run = _run_outside if migration.sql.startswith(OUTSIDE) else _run_inside
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
        except asyncpg.PostgresError as error:
            raise MigrationError(f"Migration {migration.name} failed: {error}") from error


async def _run_inside(connection: Connection, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.sql)
        await _record(connection, migration)


async def _run_outside(connection: Connection, migration: Migration) -> None:
    for statement in re.split(r";[ \t]*\n", migration.sql + "\n"):
        if statement.strip():
            await connection.execute(statement)
    await _record(connection, migration)


async def _record(connection: Connection, migration: Migration) -> None:
    await connection.execute(RECORD, migration.version, migration.name, migration.sha256)
