"""What this process is doing right now, by key, for those who have to come after it."""

import asyncio
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class InFlight(Generic[K]):
    def __init__(self) -> None:
        self._waiting: dict[K, list[asyncio.Future[None]]] = {}

    @contextmanager
    def during(self, key: K) -> Iterator[None]:
        self._waiting[key] = []
        try:
            yield
        finally:
            for waiter in self._waiting.pop(key, ()):
                if not waiter.done():
                    waiter.set_result(None)

    async def settled(self, keys: Iterable[K], wait_max: timedelta) -> None:
        """Wait until none of these is in flight any more, but no longer than so."""
        waiters = [self._waiter(key) for key in keys if key in self._waiting]
        if waiters:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_max.total_seconds()):
                    await asyncio.gather(*waiters)

    def _waiter(self, key: K) -> asyncio.Future[None]:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[key].append(waiter)
        return waiter
