"""Where the bytes of uploaded files lie: a folder, or any store obstore knows (S3 and its kin).

Keys are ours and never change their content. Everything here is the outside world: call it with
no transaction open. docs/decisions/0011-media-and-objects.md
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

import obstore
import structlog
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from tidings.ids import new_id

CONNECT_TIMEOUT = timedelta(seconds=3)
REQUEST_TIMEOUT = timedelta(seconds=10)
RETRIES_MAX = 2
RETRY_TIMEOUT = timedelta(seconds=10)
PIECE_BYTES = 1 << 16

_KEY = re.compile(r"[0-9A-Za-z_-]+(?:/[0-9A-Za-z_-]+)*")

log = structlog.get_logger()


class ObjectMissing(LookupError):
    """There is no object of this key."""


class ObjectsUnavailable(Exception):
    """The store cannot be reached, or refuses us. The same call may do later."""


class Objects:
    """Bytes by key. Made once a process; `open` says where."""

    def __init__(self, store: ObjectStore, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder  # of a local store: written by ourselves, to be on disk when told so

    @classmethod
    def open(cls, url: str | None, folder: Path) -> Self:
        """At `url`, or in `folder` where there is none. ValueError: no store is known by this URL.

        S3 reads the usual AWS_* variables, AWS_ENDPOINT_URL for stores of its kind included.
        """
        parts = urlsplit(url or "")
        if url is None or parts.scheme == "file":
            place = folder if url is None else Path(unquote(parts.path))
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(LocalStore(place.resolve()), place.resolve())
        try:
            return cls(_remote(url))
        except BaseError as fault:
            raise ValueError(_first_line(fault)) from None

    async def put(self, key: str, data: bytes) -> None:
        """Whole or not at all. Durable once this returns."""
        with _translated(key, missing=False):
            if self._folder is not None:
                await asyncio.to_thread(_write, self._folder, _checked(key), data)
            else:
                await obstore.put_async(self._store, _checked(key), data, use_multipart=False)

    async def get(self, key: str) -> bytes:
        with _translated(key):
            found = await obstore.get_async(self._store, _checked(key))
            return (await found.bytes_async()).to_bytes()

    async def stream(self, key: str) -> AsyncIterator[bytes]:
        """The same in pieces, for passing on."""
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

    async def delete(self, key: str) -> None:
        """Harmless where there is nothing."""
        with suppress(ObjectMissing), _translated(key):
            await obstore.delete_async(self._store, _checked(key))


def _remote(url: str) -> ObjectStore:
    return from_url(
        url,
        client_options={
            "allow_http": True,  # an endpoint of http:// is meant; https is what all else uses
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
    """obstore's faults as two of ours. A put finds nothing missing but its bucket."""
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


def _write(folder: Path, key: str, data: bytes) -> None:
    """Beside its place, flushed, then moved into it: a power cut leaves the old or the new.

    obstore's own local put flushes nothing, and we answer 200 for what we keep.
    """
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
        _flush(holder)


def _flush(folder: Path) -> None:
    """A name is on disk when its folder is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
