"""The vault's keys: one random key file per hour, outside the database, destroyed after use.

All processes that share the folder use the same key: creating the hard link is atomic and succeeds
only for the first. A key is random and not derived from anything, so it cannot be recovered once
its file is deleted (docs/decisions/0014).
"""

import os
import re
import stat
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tidings import limits
from tidings.engine.durable import sync_folder
from tidings.ids import new_id

HOUR: Final = timedelta(hours=1)
SECRET_LIFE_MAX: Final = HOUR
KEY_BYTES: Final = 32

_HOUR_FORMAT: Final = "%Y-%m-%dT%H"
_FILE: Final = re.compile(r"\.?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2})(\.[0-9a-f]{32})?")
# Backup programs that skip caches exclude a folder with this file.
_TAG: Final = "CACHEDIR.TAG"
_TAG_TEXT: Final = """Signature: 8a477f597d28d172789f06886806bc55
# Keys that are to be forgotten within hours. Keep this folder out of every backup.
"""

assert timedelta(seconds=limits.OTP_TTL_SECONDS.high) <= SECRET_LIFE_MAX


class VaultError(RuntimeError):
    """The key folder cannot be used; the message says what to do."""


def key_id_at(timestamp: datetime) -> str:
    """The hour of a timestamp, which names its key."""
    return timestamp.astimezone(UTC).strftime(_HOUR_FORMAT)


def ends_at(key_id: str) -> datetime:
    """When everything sealed under this key has expired, allowing for clock skew."""
    hour = datetime.strptime(key_id, _HOUR_FORMAT).replace(tzinfo=UTC)
    return hour + HOUR + SECRET_LIFE_MAX + limits.CLOCK_SKEW_MAX


class HourlyKeys:
    """The keys of one folder, each read once and cached in memory until it is destroyed.

    Blocks for the few milliseconds of a small file; thread-safe.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, AESGCM] = {}

    def known(self, key_id: str) -> AESGCM | None:
        """The key if it is in memory."""
        return self._known.get(key_id)

    def find(self, key_id: str) -> AESGCM | None:
        """The key of an hour, or None if it was destroyed or never created."""
        if key_id not in self._known:
            key = _read(self._folder / key_id)
            if key is None:
                return None
            self._known[key_id] = AESGCM(key)
        return self._known[key_id]

    def make(self, key_id: str) -> AESGCM:
        """The key of an hour; the first caller creates it for all processes."""
        found = self.find(key_id)
        if found is not None:
            return found
        _prepare(self._folder)
        _make(self._folder, key_id)
        made = self.find(key_id)
        assert made is not None, "the key was just written"
        return made

    def destroy(self, now: datetime) -> list[str]:
        """Destroy every expired key; returns the hours whose file this process removed."""
        for known in list(self._known):
            if ends_at(known) <= now:
                self._known.pop(known, None)
        gone = []
        with suppress(FileNotFoundError):
            for file in sorted(self._folder.iterdir()):
                key_id = _key_id(file)
                if key_id is not None and ends_at(key_id) <= now and _shred(file):
                    gone.append(key_id)
        return gone


def _key_id(file: Path) -> str | None:
    """The hour of a key file, or of a draft left by a killed process."""
    named = _FILE.fullmatch(file.name)
    if named is None:
        return None
    try:
        ends_at(named[1])
    except ValueError:
        return None
    return named[1]


def _prepare(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _require_private(folder, 0o700)
    tag = folder / _TAG
    if not tag.exists():
        tag.write_text(_TAG_TEXT, encoding="ascii")


def _make(folder: Path, key_id: str) -> None:
    draft = folder / f".{key_id}.{new_id().hex}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.urandom(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            (folder / key_id).hardlink_to(draft)
    finally:
        draft.unlink()
    sync_folder(folder)


def _read(file: Path) -> bytes | None:
    try:
        _require_private(file, 0o600)
        key = file.read_bytes()
    except FileNotFoundError:
        return None
    if len(key) != KEY_BYTES:
        raise VaultError(f"{file} is not a key of the vault; remove it.")
    return key


def _require_private(path: Path, mode: int) -> None:
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise VaultError(f"{path} is open to others; run chmod {mode:o} {path}.")


def _shred(file: Path) -> bool:
    """Overwrite, then unlink; False if another process was faster."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            os.write(descriptor, os.urandom(KEY_BYTES))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        file.unlink()
    except FileNotFoundError:
        return False
    sync_folder(file.parent)
    return True
