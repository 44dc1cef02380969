"""The two ends of a connection between processes: one asks, the other answers."""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from typing import cast

import structlog

from .frames import Frames, TooLong, frame

QUESTIONS_MAX = 1_000  # unanswered, from one process to another

log = structlog.get_logger()

Answer = Callable[[bytes], Awaitable[bytes]]


class PeerGone(Exception):
    """The connection was lost, or the other process could not answer."""


class _Framed(asyncio.Protocol):
    """Sends frames: those of one iteration of the loop with one system call."""

    def __init__(self) -> None:
        self._frames = Frames()
        self._waiting: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class

    def data_received(self, data: bytes) -> None:
        try:
            received = self._frames.feed(data)
        except TooLong:
            self.close()
            return
        for number, body in received:
            self.received(number, body)

    @abstractmethod
    def received(self, number: int, body: bytes) -> None: ...

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    def send(self, number: int, body: bytes) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(frame(number, body))

    def _flush(self) -> None:
        if self._transport is not None:
            self._transport.write(b"".join(self._waiting))
        self._waiting.clear()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class Asking(_Framed):
    """To one other process. Used by one event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._number = 0
        self._asked: dict[int, asyncio.Future[bytes]] = {}

    @property
    def is_open(self) -> bool:
        return self._transport is not None

    @property
    def is_full(self) -> bool:
        """So many wait for their answers that another question would only wait longer."""
        return len(self._asked) >= QUESTIONS_MAX

    async def ask(self, body: bytes) -> bytes:
        if self._transport is None:
            raise PeerGone
        self._number = number = (self._number + 1) & 0xFFFFFFFF
        answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked[number] = answered
        self.send(number, body)
        try:
            return await answered
        finally:
            self._asked.pop(number, None)

    def received(self, number: int, body: bytes) -> None:
        answered = self._asked.get(number)
        if answered is None or answered.done():
            return  # nobody waits for it any more
        if body:
            answered.set_result(body)
        else:
            answered.set_exception(PeerGone())

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for answered in self._asked.values():
            if not answered.done():
                answered.set_exception(PeerGone())


class Answering(_Framed):
    """One that others have opened. An empty answer says that there is none."""

    def __init__(self, answer: Answer, opened: "set[Answering]") -> None:
        super().__init__()
        self._answer = answer
        self._opened = opened
        self._tasks: set[asyncio.Future[bytes]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._opened.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._opened.discard(self)

    def close(self) -> None:
        super().close()
        for task in self._tasks:
            task.cancel()

    def received(self, number: int, body: bytes) -> None:
        task = asyncio.ensure_future(self._answer(body))
        self._tasks.add(task)
        task.add_done_callback(partial(self._respond, number))

    def _respond(self, number: int, task: asyncio.Future[bytes]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:  # the process that asks does the work itself, and meets it too
            log.warning("peer.failed", exc_info=error)
        self.send(number, b"" if error else task.result())
