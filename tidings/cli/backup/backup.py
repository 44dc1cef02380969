"""`tidings backup`: the database in one snapshot, and a list of the uploaded files.

Written to `DIR.unfinished`, which gets its name when it is whole.
"""

import gzip
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tidings import __version__
from tidings.app import open_objects
from tidings.cli.database import opened
from tidings.cli.output import Refused, print_json, remark, say
from tidings.cli.runner import load_settings, run
from tidings.engine.db.dump import catalogue
from tidings.engine.db.dump.catalogue import Table
from tidings.engine.db.dump.files import HashedFile, TableFile, set_format, write_table
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.tables import load_applied
from tidings.engine.db.tx import Tx
from tidings.engine.durable import sync_folder
from tidings.engine.objects import ObjectMissing, Objects, ObjectsUnavailable
from tidings.features.accounts.master_key import find_sealer, is_sealed_with
from tidings.features.media.stored_objects import StoredObject, is_content, read_stored_objects
from tidings.settings import Settings
from tidings.wording import counted

from .contents import LEFT_OUT
from .manifest import FORMAT, OBJECTS, TABLES, Manifest, MigrationName, ObjectList, write_manifest
from .progress import shown

LIST = "objects.jsonl.gz"


def back_up(folder: Path, *, with_objects: bool, as_json: bool) -> None:
    settings = load_settings()
    if folder.exists():
        raise Refused(f"{folder} exists already; name a new folder.")
    draft = folder.with_name(f"{folder.name}.unfinished")
    try:
        draft.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        raise Refused(
            f"{draft} exists: another backup is being written, or one was interrupted; remove it."
        ) from None
    except OSError as reason:
        raise _unwritable(folder, reason) from None
    try:
        manifest = run(_back_up(settings, draft, with_objects=with_objects))
        draft.rename(folder)
        sync_folder(folder.parent)
    except BaseException as reason:
        shutil.rmtree(draft, ignore_errors=True)
        if isinstance(reason, OSError):
            raise _unwritable(folder, reason) from None
        if isinstance(reason, ObjectsUnavailable):
            raise Refused(f"An uploaded file cannot be copied: {reason}.") from None
        raise
    _report(folder, manifest, as_json=as_json)


def _unwritable(folder: Path, reason: OSError) -> Refused:
    return Refused(f"{folder} cannot be written: {reason.strerror or reason}.")


async def _back_up(settings: Settings, folder: Path, *, with_objects: bool) -> Manifest:
    objects = open_objects(settings)
    async with opened(settings) as db:
        manifest = await _dump(db, settings, folder)
        if with_objects:
            await _copy_objects(objects, folder, settings.disk_free_bytes)
    manifest = msgspec.structs.replace(
        manifest, objects=msgspec.structs.replace(manifest.objects, copied=with_objects)
    )
    sync_folder(folder / TABLES)
    write_manifest(folder, manifest)
    sync_folder(folder)
    return manifest


async def _dump(db: Database, settings: Settings, folder: Path) -> Manifest:
    """In one snapshot. The tables are locked first, against being dropped meanwhile: a lock that
    no reader or writer waits for."""
    (folder / TABLES).mkdir(mode=0o700)
    async with db.long_transaction() as tx:
        tables = await catalogue.load_dumped(tx.connection, LEFT_OUT)
        await tx.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        await catalogue.lock(tx, tables)
        await set_format(tx)
        if await catalogue.load_dumped(tx.connection, LEFT_OUT) != tables:
            raise Refused("The tables were changed by a migration just now: try again.")
        written = await _write_tables(tx, tables, folder / TABLES)
        return Manifest(
            format=FORMAT,
            version=__version__,
            made_at=tx.now,
            postgres=tx.connection.get_settings().server_version,
            master_keys=await _fingerprints(tx, settings),
            migrations=[
                MigrationName(one.version, one.name, one.sha256)
                for one in await load_applied(tx.connection)
            ],
            partitions=await catalogue.load_partitions(tx.connection),
            sequences=await catalogue.load_sequences(tx.connection),
            tables=written,
            objects=await _list_objects(tx, folder),
        )


async def _write_tables(tx: Tx, tables: Sequence[Table], folder: Path) -> list[TableFile]:
    with shown("Backing up", sum(table.bytes for table in tables)) as moved:
        return [await write_table(tx.connection, table, folder, moved) for table in tables]


async def _fingerprints(tx: Tx, settings: Settings) -> list[str]:
    """A backup without the key that opens it would be of no use, so it is refused."""
    sealer = find_sealer(settings)
    if not await is_sealed_with(tx, sealer):
        raise Refused(
            "The master key here is not the one this database was sealed with: set"
            " TIDINGS_MASTER_KEY, or TIDINGS_DATA to the folder of its master.key."
        )
    return [] if sealer is None else sealer.fingerprints


async def _list_objects(tx: Tx, folder: Path) -> ObjectList:
    hashed = HashedFile(folder / LIST)
    count = size = 0
    with gzip.GzipFile("", "wb", 6, hashed, mtime=0) as packed:
        async for page in read_stored_objects(tx):
            for one in page:
                packed.write(msgspec.json.encode(one) + b"\n")
                count, size = count + 1, size + one.bytes
    hashed.close()
    return ObjectList(LIST, hashed.sha256, count, size, copied=False)


async def _copy_objects(objects: Objects, folder: Path, free_min: int) -> None:
    """After the snapshot: a file that was removed since is not needed by what is restored now, and
    a restore names it."""
    copies = Objects.open(None, folder / OBJECTS, free_min=free_min)
    with gzip.open(folder / LIST, "rb") as lines:
        for line in lines:
            one = msgspec.json.decode(line, type=StoredObject)
            try:
                data = await objects.get(one.key)
            except ObjectMissing:
                remark(f"{one.key} is in the database but not in the object store.")
                continue
            if not is_content(one, data):
                remark(f"{one.key} is damaged in the object store; it is not copied.")
                continue
            await copies.put(one.key, data)


def _report(folder: Path, manifest: Manifest, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "madeAt": manifest.made_at,
                "version": manifest.version,
                "masterKeys": manifest.master_keys,
                "tables": len(manifest.tables),
                "rows": manifest.rows,
                "bytes": manifest.bytes,
                "objects": manifest.objects.count,
                "objectsCopied": manifest.objects.copied,
            }
        )
        return
    say(f"{folder}: {counted(manifest.rows, 'row')} in {counted(len(manifest.tables), 'table')}.")
    files_ = counted(manifest.objects.count, "uploaded file")
    copied = "copied" if manifest.objects.copied else "listed, not copied"
    keys = ", ".join(manifest.master_keys) or "none yet"
    remark(f"{files_} {copied}. The master key ({keys}) is not in it: keep it apart.")
