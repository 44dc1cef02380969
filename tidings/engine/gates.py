"""One (or a few) at a time for each key, a few at a time in all; who waits holds nothing meanwhile.

For work that takes a database connection long, and that would wait for the same rows anyway: of
thirty batches of one account one is written, and the others leave the connections to everybody.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class Gates:
    def __init__(self, at_once: int, each: int = 1) -> None:
        self._all = asyncio.Semaphore(at_once)
        self._each = each
        self._locks: dict[Hashable, asyncio.Semaphore] = {}
        self._users: Counter[Hashable] = Counter()

    def waiting(self, key: Hashable) -> int:
        """How many of this key are not inside yet."""
        return max(0, self._users[key] - self._each)

    @asynccontextmanager
    async def through(self, key: Hashable) -> AsyncIterator[None]:
        lock = self._locks.setdefault(key, asyncio.Semaphore(self._each))
        self._users[key] += 1
        try:
            async with lock, self._all:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]
