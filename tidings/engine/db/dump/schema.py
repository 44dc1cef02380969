"""The schema of a backup, made in an empty database by the migrations that the backup names."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tidings.engine.db.migrate import apply_pending
from tidings.engine.db.partitions import create_named
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import MigrationError, own_files


async def make_schema(db: Database, migrations: Sequence[str], partitions: Sequence[str]) -> None:
    """Rows are loaded into the tables that they came from; migrations that the backup had not seen
    run afterwards, as they would have."""
    with tempfile.TemporaryDirectory() as name:
        for one in migrations:
            (Path(name) / one).write_bytes(own_files().joinpath(one).read_bytes())
        while waiting := (await apply_pending(db, Path(name))).waiting:
            if not await _complete_data_changes(db):
                raise MigrationError(waiting[0].reason)
    connection = await db.dedicated()
    try:
        await create_named(connection, partitions)
    finally:
        await connection.close()


async def _complete_data_changes(db: Database) -> bool:
    """There is nothing to change in an empty database. How far they were comes with the backup."""
    ended = "UPDATE data_changes SET complete_at = now() WHERE complete_at IS NULL RETURNING name"
    return bool(await db.rows(ended))
