"""The master key that seals every secret at rest: loading, and the check that it is unchanged."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog

from tidings.engine.db.tx import Tx
from tidings.engine.durable import sync_folder
from tidings.ids import new_id
from tidings.secrets import Sealer, new_master_key, parse_master_keys
from tidings.settings import BadSetting, Settings

from . import version_store
from .sealed import SealedColumn

log = structlog.get_logger()

FILE_NAME = "master.key"
CHECK = "tidings"
CHECK_CONTEXT = "master-key-check"
SEALED = SealedColumn("accounts_version", "seal_check", ("only_row",), lambda _key: CHECK_CONTEXT)


def load_sealer(settings: Settings) -> Sealer:
    """With the keys of the environment, else of the data folder, where one is made if missing."""
    found = find_sealer(settings)
    if found is None:
        path = settings.data / FILE_NAME
        _make(path)
        found = _sealer_of(path)
    return found


def find_sealer(settings: Settings) -> Sealer | None:
    """The same, read-only: None if there is no key yet."""
    if settings.master_key is not None:
        return Sealer(*parse_master_keys(settings.master_key))
    path = settings.data / FILE_NAME
    return _sealer_of(path) if path.exists() else None


def _sealer_of(path: Path) -> Sealer:
    return Sealer(*_read(path), reload=lambda: _read_again(path))


@contextmanager
def changing(settings: Settings) -> Iterator[None]:
    """One command at a time changes the file. Of two at once, one would write it without the key
    that the other has just made and sealed with, and nothing would open that any more."""
    if settings.master_key is not None or not settings.data.is_dir():
        yield
        return
    descriptor = os.open(settings.data, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadSetting("Another command is changing the master key; wait for its end.") from None
    finally:
        os.close(descriptor)


def add_key(settings: Settings) -> None:
    """Put a new key before those of the file: it seals from now on, and the others still open."""
    path = settings.data / FILE_NAME
    _replace(path, [new_master_key(), *path.read_text("ascii").split()])


def keep_first_key(settings: Settings) -> None:
    """Forget the keys of the file that were rotated out."""
    path = settings.data / FILE_NAME
    _replace(path, path.read_text("ascii").split()[:1])


def _make(path: Path) -> None:
    """Two processes may start at once: a hard link is created atomically, by one of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = _draft(path, [new_master_key()])
    try:
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
    sync_folder(path.parent)  # before anything is sealed with it, whoever of the two made it


def _replace(path: Path, keys: list[str]) -> None:
    """For the same owner: the service must still be able to read what root has rotated."""
    before, draft = path.stat(), _draft(path, keys)
    if os.geteuid() == 0:
        os.chown(draft, before.st_uid, before.st_gid)
    draft.replace(path)
    sync_folder(path.parent)  # before anything is sealed with the new key


def _draft(path: Path, keys: list[str]) -> Path:
    draft = path.with_name(f".{FILE_NAME}.{new_id().hex}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write("".join(f"{key}\n" for key in keys))
        file.flush()
        os.fsync(file.fileno())
    return draft


def _read(path: Path) -> list[bytes]:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise BadSetting(f"{path} is readable by others; run chmod 600 {path}.")
    try:
        return parse_master_keys(path.read_text("ascii"))
    except ValueError as reason:
        raise BadSetting(f"{path}: {reason}.") from None


def _read_again(path: Path) -> list[bytes]:
    """Of a running process, which goes on with the keys that it has if there are none to read."""
    try:
        return _read(path)
    except (BadSetting, OSError) as reason:
        log.error("key.reading_failed", reason=str(reason))
        return []


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
