"""Object storage for uploaded files: a folder, or any store obstore supports (S3-compatible).

The content of a key never changes. Every call is external I/O: do not hold a transaction open.
docs/decisions/0011-media-and-objects.md
"""

import asyncio
import errno
import os
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

import obstore
import structlog
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from tidings.engine.durable import sync_folder
from tidings.ids import new_id
from tidings.limits import DISK_FREE_MIN

CONNECT_TIMEOUT = timedelta(seconds=3)
REQUEST_TIMEOUT = timedelta(seconds=10)
RETRIES_MAX = 2
RETRY_TIMEOUT = timedelta(seconds=10)
PIECE_BYTES = 1 << 16
LIST_PAGE = 1000

_KEY = re.compile(r"[0-9A-Za-z_-]+(?:/[0-9A-Za-z_-]+)*")

log = structlog.get_logger()


class ObjectMissing(LookupError):
    """There is no object with this key."""


@dataclass(frozen=True, slots=True)
class Listed:
    key: str
    modified_at: datetime


class ObjectsUnavailable(Exception):
    """The store is unreachable or refuses the request. A retry may succeed."""


class Objects:
    """Bytes by key. One instance per process, made with `open`."""

    def __init__(
        self, store: ObjectStore, folder: Path | None = None, *, free_min: int = DISK_FREE_MIN
    ) -> None:
        """`free_min`: bytes that must stay free on the disk of a local folder."""
        self._store = store
        self._free_min = free_min
        self._folder = folder  # of a local store: we write the files ourselves, with fsync

    @classmethod
    def open(cls, url: str | None, folder: Path, *, free_min: int = DISK_FREE_MIN) -> Self:
        """At `url`, or in `folder` without one. ValueError: the URL names no supported store.

        S3 reads the usual AWS_* variables, including AWS_ENDPOINT_URL for compatible stores.
        """
        parts = urlsplit(url or "")
        if url is None or parts.scheme == "file":
            place = folder if url is None else Path(unquote(parts.path))
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(LocalStore(place.resolve()), place.resolve(), free_min=free_min)
        try:
            return cls(_remote(url))
        except BaseError as fault:
            raise ValueError(_first_line(fault)) from None

    async def put(self, key: str, data: bytes) -> None:
        """Atomic, and durable once this returns."""
        with _translated(key, missing=False):
            if self._folder is not None:
                room = self._free_min + len(data)
                await asyncio.to_thread(_write, self._folder, _checked(key), data, room)
            else:
                await obstore.put_async(self._store, _checked(key), data, use_multipart=False)

    async def get(self, key: str) -> bytes:
        with _translated(key):
            found = await obstore.get_async(self._store, _checked(key))
            return (await found.bytes_async()).to_bytes()

    async def stream(self, key: str) -> AsyncIterator[bytes]:
        """The content in chunks."""
        with _translated(key):
            found = await obstore.get_async(self._store, _checked(key))
            async for piece in found.stream(min_chunk_size=PIECE_BYTES):
                yield bytes(piece)

    async def exists(self, key: str) -> bool:
        try:
            with _translated(key):
                await obstore.head_async(self._store, _checked(key))
        except ObjectMissing:
            return False
        return True

    async def list(self) -> AsyncIterator[Sequence[Listed]]:
        """Every object, in pages, without drafts (unfinished puts)."""
        with _translated("", missing=False):
            pages = obstore.list(self._store, chunk_size=LIST_PAGE)
            async for page in pages:
                yield [
                    Listed(item["path"], item["last_modified"])
                    for item in page
                    if _KEY.fullmatch(item["path"])
                ]

    async def clear_drafts(self, before: datetime) -> int:
        """Remove drafts of interrupted puts that began before `before`; returns how many."""
        if self._folder is None:
            return 0
        with _translated("", missing=False):
            return await asyncio.to_thread(_clear_drafts, self._folder, before.timestamp())

    async def delete(self, key: str) -> None:
        """Does nothing if the object does not exist."""
        with suppress(ObjectMissing), _translated(key):
            await obstore.delete_async(self._store, _checked(key))


def _remote(url: str) -> ObjectStore:
    return from_url(
        url,
        client_options={
            "allow_http": True,  # for endpoints given as http://; others use https
            "connect_timeout": CONNECT_TIMEOUT,
            "timeout": REQUEST_TIMEOUT,
        },
        retry_config={"max_retries": RETRIES_MAX, "retry_timeout": RETRY_TIMEOUT},
    )


def _checked(key: str) -> str:
    assert _KEY.fullmatch(key), "keys are made by us, of letters and digits"
    return key


@contextmanager
def _translated(key: str, *, missing: bool = True) -> Iterator[None]:
    """Map obstore's errors to our two. A put cannot miss an object, only its bucket."""
    try:
        yield
    except (BaseError, OSError) as fault:
        if missing and isinstance(fault, FileNotFoundError):
            raise ObjectMissing(key) from None
        reason = _first_line(fault)
        log.warning("objects.failed", key=key, reason=reason)
        raise ObjectsUnavailable(reason) from fault


def _first_line(fault: Exception) -> str:
    return str(fault).partition("\n")[0]


def _write(folder: Path, key: str, data: bytes, room: int) -> None:
    """Write a draft in the same folder, fsync, rename: a power cut leaves the old or the new file.

    obstore's own local put does not fsync, and a 200 response promises that the file is stored.
    """
    if shutil.disk_usage(folder).free < room:
        raise OSError(errno.ENOSPC, "the disk of uploaded files is nearly full")
    path = folder / key
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{new_id().hex}")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    for holder in path.parents[: key.count("/") + 1]:
        sync_folder(holder)


def _clear_drafts(folder: Path, before: float) -> int:
    count = 0
    for draft in folder.glob("**/.*"):
        if draft.is_file() and draft.stat().st_mtime < before:
            draft.unlink(missing_ok=True)
            count += 1
    return count
