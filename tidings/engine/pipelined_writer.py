"""Runs writes one after the other while the caller prepares the next one.

PostgreSQL writes the first part of a batch while the second part is being decided here. The writes
share one connection, so at most one of them runs at a time.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class PipelinedWriter(Generic[T]):
    """`async with PipelinedWriter() as writer`: on leaving the block, every write has finished."""

    def __init__(self) -> None:
        self.results: list[T] = []  # in the order of `put`; complete after the block
        self._running: asyncio.Task[T] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def put(self, work: Coroutine[Any, Any, T]) -> None:
        """Start `work` as soon as the previous one has finished; raises what that one raised."""
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
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            await self._finish()
        elif self._running is not None:
            self._running.cancel()
            with suppress(BaseException):  # the block's own error is the one to raise
                await self._running

    async def _finish(self) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            self.results.append(await running)  # cancelled together with the caller
