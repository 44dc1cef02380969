"""What is left of an upgrade while programs run: files that had to wait, and data changes.

Workers do it as a periodic task, `tidings migrate --wait` in front of its operator.
"""

from dataclasses import dataclass
from importlib.resources.abc import Traversable

from tidings import __version__
from tidings.engine.db.migrate import apply_pending
from tidings.engine.db.pool import Database
from tidings.engine.db.schema import data_changes
from tidings.engine.db.schema.compatibility import Applied, decide_pending, find_obstacle
from tidings.engine.db.schema.files import (
    Migration,
    own_files,
    read_migrations,
    version_name,
)
from tidings.engine.db.schema.presence import load_running
from tidings.engine.db.schema.tables import load_applied, load_complete


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to do on a database."""

    applied: list[Applied]
    pending: list[Migration]
    changes: list[Migration]  # data changes that have begun and are not complete


async def load_left(
    db: Database, folder: Traversable | None = None, version: str = __version__
) -> Left:
    migrations = read_migrations(folder or own_files())
    applied = await load_applied(db)
    unfinished = {one.name for one in await data_changes.load_states(db) if not one.complete_at}
    changes = [migration for migration in migrations if migration.name in unfinished]
    return Left(applied, decide_pending(migrations, applied, version), changes)


async def advance_upgrade(
    db: Database, folder: Traversable | None = None, version: str = __version__
) -> None:
    """The periodic task: usually two small reads that find nothing to do."""
    left = await load_left(db, folder, version)
    if left.pending:
        await apply_pending(db, folder, version=version)
        left = await load_left(db, folder, version)
    if left.changes:
        await data_changes.run(db, left.changes)


@dataclass(frozen=True, slots=True)
class Status:
    """How far an upgrade is, for people."""

    applied: list[Applied]
    unknown: list[str]  # applied by a newer program
    pending: dict[str, str | None]  # files and why they wait, if they must
    running: dict[str, int]  # processes, by version


async def load_status(
    db: Database, folder: Traversable | None = None, version: str = __version__
) -> Status:
    left = await load_left(db, folder, version)
    known = {migration.version for migration in read_migrations(folder or own_files())}
    connection = await db.dedicated()
    try:
        running = await load_running(connection)
        complete = await load_complete(connection) if left.applied else set()
    finally:
        await connection.close()
    return Status(
        left.applied,
        [row.name for row in left.applied if row.version not in known],
        {one.name: find_obstacle(one, running, complete) for one in left.pending},
        {version_name(number): count for number, count in running.items()},
    )
