"""The other processes of this `tidings serve --processes N`, each with a socket in one folder.

Only the user of the service can enter the folder, so whoever connects belongs to the installation.
A name says which supervisor started a process, so that processes of other machines are not mistaken
for ours.
"""

import asyncio
from contextlib import suppress
from contextvars import Context
from datetime import timedelta
from pathlib import Path

import structlog

from tidings import limits

from .connections import Answer, Answering, Asking, PeerGone
from .frames import BYTES_MAX

SUFFIX = ".sock"
ANSWER_MAX = timedelta(seconds=5)  # then a process does itself what it asked another one for
AVOIDED = timedelta(seconds=1)  # a process that was gone, or too slow to answer

_SETTLED_MAX = limits.OUTCOME_WAIT_MAX + limits.OUTCOME_RECHECK * limits.OUTCOME_RECHECKS_MAX
assert ANSWER_MAX > _SETTLED_MAX, "a callback may wait so long for the record of its send"

log = structlog.get_logger()


class Peers:
    """`name`: of this process; empty where there are no others."""

    def __init__(
        self,
        folder: Path | None = None,
        group: str = "",
        number: int = 0,
        *,
        answer_max: timedelta = ANSWER_MAX,
    ) -> None:
        self.name = f"{group}-{number}" if folder is not None else ""
        self._prefix = f"{group}-"
        self._folder = folder
        self._answer_max = answer_max.total_seconds()
        self._connections: dict[str, Asking] = {}
        self._connecting: dict[str, asyncio.Task[Asking | None]] = {}
        self._avoided: set[str] = set()  # for a while
        self._server: asyncio.Server | None = None
        self._opened: set[Answering] = set()

    async def listen(self, answer: Answer) -> None:
        """Answer the others from now on. Without a socket, they do the work themselves."""
        if self._folder is None:
            return
        path = self._path(self.name)
        path.unlink(missing_ok=True)  # of a predecessor that was killed
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_unix_server(
                lambda: Answering(answer, self._opened), str(path)
            )
        except OSError as error:  # a long TMPDIR, for example: the path of a socket is limited
            log.warning("peer.listening_failed", error=str(error))

    async def close(self) -> None:
        """Others do from now on themselves what they would have asked for."""
        if self._server is not None:
            self._server.close()
            self._path(self.name).unlink(missing_ok=True)
        for task in self._connecting.values():
            task.cancel()
        for connection in (*self._connections.values(), *self._opened):
            connection.close()

    def may_ask(self, name: str) -> bool:
        """Whether this is the name of another process here, which may or may not still run."""
        number = name.removeprefix(self._prefix)
        if not self.name or name == self.name or len(number) == len(name):
            return False
        return number.isascii() and number.isdigit() and len(number) <= 3

    async def ask(self, name: str, body: bytes) -> bytes | None:
        """None: it is gone, or did not answer in time. It may have done the work all the same."""
        if len(body) > BYTES_MAX:
            return None
        connection = self._connections.get(name)
        if connection is None or not connection.is_open:
            connection = await self._connect(name)
        if connection is None or connection.is_full:
            return None
        try:
            async with asyncio.timeout(self._answer_max):
                return await connection.ask(body)
        except PeerGone:
            return None
        except TimeoutError:
            self._avoid(name)
            connection.close()
            return None

    async def _connect(self, name: str) -> Asking | None:
        """Those who ask at the same time share an attempt."""
        if name in self._avoided:
            return None
        task = self._connecting.get(name)
        if task is None:
            # An empty context: a connection does not belong to the request that opens it.
            task = asyncio.create_task(self._open(name), context=Context())
            self._connecting[name] = task
            task.add_done_callback(lambda _: self._connecting.pop(name, None))
        await asyncio.wait({task})  # it goes on for the others if this caller is cancelled
        return None if task.cancelled() else task.result()

    async def _open(self, name: str) -> Asking | None:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(self._answer_max):
                loop = asyncio.get_running_loop()
                _, connection = await loop.create_unix_connection(Asking, str(self._path(name)))
                self._connections[name] = connection
                return connection
        self._avoid(name)
        return None

    def _avoid(self, name: str) -> None:
        """A process that restarts or hangs must not be waited for by every caller."""
        self._avoided.add(name)
        seconds = AVOIDED.total_seconds()
        asyncio.get_running_loop().call_later(seconds, self._avoided.discard, name)

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{name}{SUFFIX}"
