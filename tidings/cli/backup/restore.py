"""`tidings restore`: a backup into an empty database, and the rules for what was restored.

All rows and the rules are one transaction: a restore that is interrupted leaves an empty database,
and a service never sees rows that are not held.
"""

from pathlib import Path

from tidings.cli.actor import command_actor
from tidings.cli.database import connected, opened
from tidings.cli.output import Refused, print_json, remark, say
from tidings.cli.runner import load_settings, run
from tidings.engine.db.dump import catalogue
from tidings.engine.db.dump.files import Damaged, load_table, require_intact, set_format
from tidings.engine.db.dump.schema import make_schema
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import own_files, read_migrations
from tidings.engine.db.tx import Tx
from tidings.engine.objects import ObjectsUnavailable
from tidings.features.operation.restored import Restored, apply_restore_rules
from tidings.settings import Settings
from tidings.times import to_wire
from tidings.wording import counted

from . import checks
from .manifest import TABLES, Manifest, read_manifest
from .progress import shown
from .restored_objects import Files, put_back


def restore(folder: Path, *, as_json: bool) -> None:
    settings = load_settings()
    manifest = read_manifest(folder)
    checks.require_master_keys(manifest, settings)
    checks.require_known_migrations(manifest, read_migrations(own_files()))
    try:
        _require_intact(folder, manifest)
        restored, found = run(_restore(settings, folder, manifest))
    except Damaged as reason:
        raise Refused(f"{reason}. Nothing was restored.") from None
    except ObjectsUnavailable as reason:
        raise Refused(
            f"An uploaded file cannot be put back: {reason}. The database was not restored yet."
        ) from None
    if not as_json:
        say(f"{counted(manifest.rows, 'row')} restored, as of {to_wire(manifest.made_at)}.")
    _report(restored, found, as_json=as_json, rows=manifest.rows)


def apply_after_pitr(*, as_json: bool) -> None:
    """The rules alone, for a database that was restored by PostgreSQL's own means."""
    settings = load_settings()

    async def work() -> Restored:
        async with opened(settings) as db:
            await checks.require_nobody_runs(db)
            async with db.long_transaction() as tx:
                reason = "restored to a point in time"
                return await apply_restore_rules(tx, command_actor(), reason)

    _report(run(work()), None, as_json=as_json)


def _require_intact(folder: Path, manifest: Manifest) -> None:
    with shown("Checking", manifest.bytes) as moved:
        for one in manifest.tables:
            require_intact(folder / TABLES / one.file, one.sha256, moved)
        require_intact(folder / manifest.objects.file, manifest.objects.sha256, moved)


async def _restore(settings: Settings, folder: Path, manifest: Manifest) -> tuple[Restored, Files]:
    async with connected(settings, create=True) as db:
        await checks.require_nobody_runs(db)
        await checks.require_empty(db)
        await checks.require_no_newer_schema(db, manifest)
        found = await put_back(settings, folder, manifest)
        names = [one.name for one in manifest.migrations]
        await make_schema(db, names, manifest.partitions)
        restored = await _load(db, folder, manifest)
        await migrate(db)
        return restored, found


async def _load(db: Database, folder: Path, manifest: Manifest) -> Restored:
    async with db.long_transaction() as tx:
        await set_format(tx)
        await _clear(tx, manifest)
        with shown("Restoring", manifest.unpacked) as moved:
            for one in manifest.tables:
                await load_table(tx.connection, one, folder / TABLES, moved)
        await catalogue.set_sequences(tx, manifest.sequences)
        reason = f"restored from the backup of {to_wire(manifest.made_at)}"
        return await apply_restore_rules(tx, command_actor(), reason)


async def _clear(tx: Tx, manifest: Manifest) -> None:
    """What the migrations, or a service without accounts, wrote. Whoever starts now waits."""
    await catalogue.lock_out(tx, checks.IN_USE)
    await checks.require_empty(tx)
    names = [one.table for one in manifest.tables]
    await catalogue.delete_rows(tx, list(reversed(names)))


def _report(
    restored: Restored, found: Files | None, *, as_json: bool, rows: int | None = None
) -> None:
    if as_json:
        print_json(
            {
                "rows": rows,
                "epoch": restored.epoch,
                "waiting": restored.waiting,
                "unknown": restored.unknown,
                "jobsDue": restored.jobs,
                "heldAfterRestore": True,
                "objectsRestored": None if found is None else found.restored,
                "objectsMissing": None if found is None else found.missing,
            }
        )
        return
    say(
        f"{counted(restored.waiting, 'message')} held; {restored.unknown} were being sent, and have"
        " an unknown outcome."
    )
    if found is not None and found.missing:
        remark(f"{counted(found.missing, 'uploaded file')} missing from the object store.")
    remark("Nothing is sent until tidings sending resume. Run tidings doctor before.")
