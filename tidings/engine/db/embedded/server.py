"""Embedded PostgreSQL: the wheel's own server in a data folder of ours (decision 0004).

Any number of processes share one server; the first starts it and the last stops it. Two lock files
coordinate them, and the kernel releases both if their holder dies: every user holds `users.lock`
shared; a process that starts or stops the server holds `start.lock`.
"""

import asyncio
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from tidings.engine.db.embedded import cluster, password
from tidings.engine.db.embedded.placement import (
    FALLBACK,
    EmbeddedServerError,
    Home,
    find_home,
    set_rights,
)

__all__ = ["EmbeddedServer", "EmbeddedServerError"]

PATIENCE_SECONDS = 60
TICK_SECONDS = 0.02


class EmbeddedServer:
    """One process's use of a folder's server. Call `stop` after `start`."""

    def __init__(
        self, folder: Path, home: Home, users: int, host: Path, *, fast: bool, alone: bool
    ) -> None:
        self.folder = folder
        self.home = home
        self.fast = fast
        self.alone = alone  # no other process used the server when we joined
        self._users: int | None = users
        self.dsn: dict[str, str | int] = {
            "host": str(host),
            "port": cluster.PORT,
            "user": cluster.NAME,
            "database": cluster.NAME,
            "passfile": str(folder / password.FILE),
        }

    @classmethod
    async def start(
        cls,
        folder: Path,
        *,
        fast: bool = False,
        account: str | None = None,
        fallback: Path = FALLBACK,
    ) -> Self:
        """Use the server of `folder` (<TIDINGS_DATA>/postgres), creating or starting it if needed.

        `account` (TIDINGS_POSTGRES_USER) is the system user that runs it when we are root.
        """
        joining = asyncio.ensure_future(
            asyncio.to_thread(cls.join, folder, fast=fast, account=account, fallback=fallback)
        )
        try:
            return await asyncio.shield(joining)
        except asyncio.CancelledError:
            await (await joining).stop()
            raise

    async def stop(self) -> None:
        """End our use; the last user stops the server. Idempotent."""
        await asyncio.shield(asyncio.to_thread(self.leave))

    async def ensure_running(self) -> None:
        """Restart the server if it died; otherwise do nothing."""
        await asyncio.shield(asyncio.to_thread(self._ensure_running))

    @classmethod
    def join(
        cls,
        folder: Path,
        *,
        fast: bool = False,
        account: str | None = None,
        fallback: Path = FALLBACK,
    ) -> Self:
        """Blocking part of `start`."""
        folder = _make_folder(folder)
        with _starting(folder):
            users = _open_lock(folder / "users.lock")
            try:
                alone = _enter(users)
                home = find_home(folder, account, fallback.resolve())
                host = cluster.ensure_running(home, folder, fast)
                return cls(folder, home, users, host, fast=fast, alone=alone)
            except BaseException:
                os.close(users)
                raise

    def leave(self) -> bool:
        """Blocking part of `stop`; returns whether we were the last user."""
        users, self._users = self._users, None
        if users is None:
            return False
        try:
            with _starting(self.folder):
                fcntl.flock(users, fcntl.LOCK_UN)
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                cluster.stop(self.home)
        except BlockingIOError:
            return False  # others still use it
        finally:
            os.close(users)
        return True

    def _ensure_running(self) -> None:
        with _starting(self.folder):
            cluster.ensure_running(self.home, self.folder, self.fast)


def _make_folder(folder: Path) -> Path:
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            # Root's server runs as another account, which needs to traverse this folder.
            set_rights(folder, 0o711)
    return folder


@contextmanager
def _starting(folder: Path) -> Iterator[None]:
    """Holds the exclusive lock for starting or stopping the server of this folder."""
    lock = _open_lock(folder / "start.lock")
    try:
        for _ in range(int(PATIENCE_SECONDS / TICK_SECONDS)):
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(TICK_SECONDS)
        else:
            raise EmbeddedServerError(
                f"Another process has been starting or stopping the database in {folder} for "
                f"{PATIENCE_SECONDS} s. End it (`fuser {folder}/start.lock` names it), try again."
            )
        yield
    finally:
        os.close(lock)


def _enter(users: int) -> bool:
    """Take the users' lock; returns whether there is no other user. Call it under `_starting`."""
    alone = False
    with suppress(BlockingIOError):
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        alone = True
    fcntl.flock(users, fcntl.LOCK_SH)
    return alone


def _open_lock(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except PermissionError as error:
        raise EmbeddedServerError(
            f"Cannot open {path}: the database there belongs to another user. Run tidings as "
            "that user, or set TIDINGS_DATA to a folder of your own."
        ) from error
