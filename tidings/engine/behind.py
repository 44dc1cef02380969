"""One piece of work behind the other, while their maker prepares the next.

Inside a transaction PostgreSQL works while we think: the first part of a batch is being written as
the second is being decided. Never two at once, because they share a connection.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class Behind(Generic[T]):
    """`async with Behind() as behind`: all is done, or has failed, when the block is left."""

    def __init__(self) -> None:
        self.results: list[T] = []  # in order; complete after the block
        self._running: asyncio.Task[T] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def put(self, work: Coroutine[Any, Any, T]) -> None:
        """Begin it as soon as what was put before is done; what that raised is raised here."""
        try:
            await self._finish()
        except BaseException:
            work.close()
            raise
        self._running = asyncio.ensure_future(work)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if error is None:
            await self._finish()
        elif self._running is not None:
            self._running.cancel()
            with suppress(BaseException):  # the block's own error is the one to tell
                await self._running

    async def _finish(self) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            self.results.append(await running)  # cancelled with us, if we are
