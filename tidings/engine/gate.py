"""One transaction at a time of the lanes that share a gate: the others gather more meanwhile.

Two small transactions at the same time cost more than one of twice the size. But nobody waits for
long: a transaction that waits for somebody's rows must not hold up the other tenants.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta


class Gate:
    def __init__(self, wait_max: timedelta) -> None:
        self._wait_max = wait_max.total_seconds()
        self._lock = asyncio.Lock()
        self._waiting = 0

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        is_held = await self._acquire()
        try:
            yield
        finally:
            if is_held:
                self._lock.release()

    async def _acquire(self) -> bool:
        # A lock that was just released is not locked, but goes to the first that waits for it.
        if not self._waiting and not self._lock.locked():
            return await self._lock.acquire()
        self._waiting += 1
        try:
            async with asyncio.timeout(self._wait_max):
                return await self._lock.acquire()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1
