"""Fair queueing by owner: round robin over accounts instead of first come, first served.

`FairQueue` holds one queue per owner. `ContentionDetector` reports whether several owners were
active recently: without contention no owner is limited, and batches stay large. `FairSemaphore`
grants its permits round robin, `Admission` starts requests round robin. Everything belongs to one
event loop, and no state is kept for an owner that waits for nothing (docs/decisions/0010-lanes.md).
"""

import asyncio
from collections import deque
from collections.abc import Container, Hashable, Iterator, Sequence
from contextvars import ContextVar
from typing import Generic, TypeVar

from tidings import limits

T = TypeVar("T")

# The account or the client address that the current request belongs to. Shared work has no owner.
OWNER: ContextVar[Hashable] = ContextVar("tidings_owner", default=None)

_CONTENTION_ITEMS = 1000


class ContentionDetector:
    """Whether several owners use the same resource. After an item of another owner, contention is
    assumed for the next thousand items: half a second at full speed, and no clock is needed."""

    __slots__ = ("_left", "_owner")

    def __init__(self) -> None:
        self._owner: Hashable = None
        self._left = 0

    def observe(self, owner: Hashable) -> None:
        if owner == self._owner:
            self._left -= 1
        else:
            self._left = 0 if self._owner is None else _CONTENTION_ITEMS
            self._owner = owner

    @property
    def is_contended(self) -> bool:
        return self._left > 0


class FairQueue(Generic[T]):
    """Waiting items by owner. An owner that was served moves to the end."""

    __slots__ = ("_queues", "_size")

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[T]] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        for queue in self._queues.values():
            yield from queue

    def put(self, owner: Hashable, item: T) -> None:
        self.extend(owner, (item,))

    def extend(self, owner: Hashable, items: Sequence[T]) -> None:
        queue = self._queues.get(owner)
        if queue is None:
            queue = self._queues[owner] = deque()
        queue.extend(items)
        self._size += len(items)

    def waiting(self, owner: Hashable) -> int:
        return len(self._queues.get(owner, ()))

    def has_others(self, owners: Container[Hashable]) -> bool:
        """Whether an owner outside `owners` is waiting."""
        return any(owner not in owners for owner in self._queues)

    def pop(self) -> T:
        """The next item of the owner that was served least recently."""
        owner = next(iter(self._queues))
        queue = self._queues.pop(owner)
        item = queue.popleft()
        if queue:
            self._queues[owner] = queue
        self._size -= 1
        return item

    def take(
        self, most: int, share: int, busy: Container[Hashable] = ()
    ) -> list[tuple[Hashable, T]]:
        """At most `most` items, at most `share` of each owner, none of the `busy` owners."""
        taken: list[tuple[Hashable, T]] = []
        for owner in list(self._queues):
            if len(taken) == most:
                break
            if owner in busy:
                continue
            queue = self._queues.pop(owner)
            size = min(len(queue), share, most - len(taken))
            taken += [(owner, queue.popleft()) for _ in range(size)]
            if queue:
                self._queues[owner] = queue
        self._size -= len(taken)
        return taken


class FairSemaphore:
    """A semaphore that grants permits to waiting owners round robin."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, size: int) -> None:
        self._free = size
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()

    @property
    def free(self) -> int:
        return self._free

    @property
    def waiting(self) -> int:
        return sum(not future.done() for future in self._waiting)

    def locked(self) -> bool:
        return self._free == 0

    async def acquire(self) -> None:
        """On behalf of the current `OWNER`."""
        if self._free:  # implies an empty queue
            self._free -= 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put(OWNER.get(), future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():  # granted, but the caller was cancelled
                self.release()
            raise

    def release(self) -> None:
        while self._waiting:
            future = self._waiting.pop()
            if not future.done():
                future.set_result(None)
                return
        self._free += 1


class Admission:
    """Starts requests round robin over owners, a few per iteration of the event loop.

    Ninety connections of one account deliver ninety requests in one iteration, and a single request
    of another account would wait until all of them are parsed. Under contention an iteration starts
    only a few requests, and I/O that became ready meanwhile is handled in between. An account that
    is alone is never delayed.
    """

    __slots__ = ("_contention", "_is_scheduled", "_left", "_per_iteration", "_waiting")

    def __init__(self, per_iteration: int = limits.REQUESTS_STARTED_PER_ITERATION) -> None:
        self._per_iteration = self._left = per_iteration
        self._contention = ContentionDetector()
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()
        self._is_scheduled = False

    def request(self, owner: Hashable) -> asyncio.Future[None] | None:
        """None: start at once. Otherwise start when the future is done."""
        self._contention.observe(owner)
        if not self._contention.is_contended:
            return None
        loop = asyncio.get_running_loop()
        if not self._is_scheduled:
            self._is_scheduled = True
            loop.call_soon(self._admit_waiting)
        if self._left and not self._waiting:
            self._left -= 1
            return None
        future = loop.create_future()
        self._waiting.put(owner, future)
        return future

    def _admit_waiting(self) -> None:
        """Runs in every iteration that follows one in which a request was started."""
        self._left = self._per_iteration
        self._is_scheduled = bool(self._waiting)
        while self._waiting and self._left:
            future = self._waiting.pop()
            if not future.done():  # otherwise its client has disconnected
                future.set_result(None)
                self._left -= 1
        if self._is_scheduled:
            asyncio.get_running_loop().call_soon(self._admit_waiting)
