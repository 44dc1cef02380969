"""The master key that seals every secret at rest: loading, and the check that it is unchanged."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from tidings.engine.db.tx import Tx
from tidings.ids import new_id
from tidings.secrets import Sealer, new_master_key, parse_master_key
from tidings.settings import BadSetting, Settings

from . import version_store

FILE_NAME = "master.key"
CHECK = "tidings"
CHECK_CONTEXT = "master-key-check"


def load_master_key(settings: Settings) -> bytes:
    """The key of the environment, else of the data folder, where it is created if missing."""
    found = find_master_key(settings)
    if found is not None:
        return found
    path = settings.data / FILE_NAME
    _make(path)
    return _read(path)


def find_master_key(settings: Settings) -> bytes | None:
    """The same, read-only: None if there is none yet."""
    if settings.master_key is not None:
        return parse_master_key(settings.master_key)
    path = settings.data / FILE_NAME
    return _read(path) if path.exists() else None


def _make(path: Path) -> None:
    """Two processes may start at once: a hard link is created atomically, by one of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{FILE_NAME}.{new_id().hex}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(new_master_key() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()


def _read(path: Path) -> bytes:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise BadSetting(f"{path} is readable by others; run chmod 600 {path}.")
    try:
        return parse_master_key(path.read_text("ascii"))
    except ValueError as reason:
        raise BadSetting(f"{path}: {reason}.") from None


async def require_same_master_key(tx: Tx, sealer: Sealer) -> None:
    """Refuse to run with another key than the one this database's secrets were sealed with."""
    check = await version_store.claim_seal_check(tx, sealer.seal(CHECK, CHECK_CONTEXT))
    if not sealer.opens(check, CHECK_CONTEXT):
        raise BadSetting(
            "This database was sealed with another master key; set TIDINGS_MASTER_KEY to that one."
        )


async def is_sealed_with(tx: Tx, sealer: Sealer | None) -> bool:
    """Whether this is the key of this database, or nothing has been sealed in it yet."""
    check = await version_store.find_seal_check(tx)
    return check is None or (sealer is not None and sealer.opens(check, CHECK_CONTEXT))
