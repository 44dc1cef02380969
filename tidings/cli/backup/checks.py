"""What a restore refuses, each before anything is changed."""

from collections.abc import Sequence

from tidings.cli.output import Refused
from tidings.engine.db.dump import catalogue
from tidings.engine.db.dump.catalogue import Reader
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import Migration
from tidings.engine.db.schema.presence import load_running
from tidings.engine.db.schema.tables import load_applied
from tidings.features.accounts.master_key import FILE_NAME, find_sealer
from tidings.settings import Settings

from .manifest import Manifest

# A database in which one of these has a row is in use. Whatever else is in a database without
# accounts was written by the migrations, or by a service that nobody has used.
IN_USE = ("organisations", "accounts", "people")


def require_master_keys(manifest: Manifest, settings: Settings) -> None:
    """While a key was rotated, what is sealed may need either."""
    sealer = find_sealer(settings)
    if sealer is None and manifest.master_keys:
        raise Refused(
            f"There is no master key here. Set TIDINGS_MASTER_KEY, or put back"
            f" {settings.data / FILE_NAME}: the backup was sealed with"
            f" {', '.join(manifest.master_keys)}."
        )
    found = [] if sealer is None else sealer.fingerprints
    if not set(manifest.master_keys) <= set(found):
        raise Refused(
            f"The backup was sealed with the master key {', '.join(manifest.master_keys)}, and the"
            f" one here is {', '.join(found)}: its secrets would not open."
        )


def require_known_migrations(manifest: Manifest, migrations: Sequence[Migration]) -> None:
    known = {one.name: one.sha256 for one in migrations}
    for one in manifest.migrations:
        if one.name not in known:
            raise Refused(
                f"The backup has migration {one.name}, which this version of tidings does not know:"
                f" it was made by version {manifest.version}. Restore it with that one or a newer."
            )
        if known[one.name] != one.sha256:
            raise Refused(
                f"The backup has another migration {one.name}: it was made by a development"
                " version, which has no upgrade path."
            )


async def require_nobody_runs(db: Database) -> None:
    connection = await db.dedicated()
    try:
        running = await load_running(connection)
    finally:
        await connection.close()
    if running:
        raise Refused("Tidings is running on this database: stop every process first.")


async def require_empty(db: Reader) -> None:
    used = await catalogue.find_rows(db, IN_USE)
    if used:
        raise Refused(
            f"This database is in use: {', '.join(used)} have rows. Restore into an empty one."
        )


async def require_no_newer_schema(db: Database, manifest: Manifest) -> None:
    known = {one.version for one in manifest.migrations}
    newer = [one.name for one in await load_applied(db) if one.version not in known]
    if newer:
        raise Refused(
            f"This database has migrations that the backup has not ({', '.join(newer)}): restore"
            " into a new one; what is missing is migrated afterwards."
        )
