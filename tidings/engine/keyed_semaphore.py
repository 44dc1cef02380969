"""A semaphore with a limit per key in addition to the total limit.

For work that holds a database connection for a long time and would wait for the same row locks
anyway: the batches of one account are written one at a time, and waiting ones hold no connection.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class KeyedSemaphore:
    def __init__(self, limit: int, per_key: int = 1) -> None:
        self._total = asyncio.Semaphore(limit)
        self._per_key = per_key
        self._semaphores: dict[Hashable, asyncio.Semaphore] = {}
        self._users: Counter[Hashable] = Counter()

    def waiting(self, key: Hashable) -> int:
        """How many callers are waiting for this key."""
        return max(0, self._users[key] - self._per_key)

    @asynccontextmanager
    async def acquire(self, key: Hashable) -> AsyncIterator[None]:
        semaphore = self._semaphores.setdefault(key, asyncio.Semaphore(self._per_key))
        self._users[key] += 1
        try:
            async with semaphore, self._total:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._semaphores[key]
