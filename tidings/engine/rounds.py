"""Turns by owner: what waits for a process is served in rounds over accounts, not as it came.

`Rounds` keeps what waits, a queue for each owner. `Rivals` says whether more than one owner was
here lately: without rivals nobody is held back, and large groups stay large. `Places` is a
semaphore that gives its places in rounds. All of it belongs to one event loop; nothing is
remembered of an owner that waits for nothing (docs/decisions/0010-lanes.md).
"""

import asyncio
from collections import deque
from collections.abc import Container, Hashable, Sequence
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")

# The account, or the address, that a request is served for. Work for many has none.
OWNER: ContextVar[Hashable] = ContextVar("tidings_owner", default=None)

_REMEMBERED = 1000  # items


class Rivals:
    """Whether several owners share what is guarded. Another's item is remembered for the next
    thousand, which at full speed is half a second, and needs no clock."""

    __slots__ = ("_left", "_owner")

    def __init__(self) -> None:
        self._owner: Hashable = None
        self._left = 0

    def see(self, owner: Hashable) -> None:
        if owner == self._owner:
            self._left -= 1
        else:
            self._left = 0 if self._owner is None else _REMEMBERED
            self._owner = owner

    @property
    def are_here(self) -> bool:
        return self._left > 0


class Rounds(Generic[T]):
    """What waits, by owner. The owner that was served goes to the end."""

    __slots__ = ("_queues", "_size")

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[T]] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

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
        """Whether somebody waits who is none of these."""
        return any(owner not in owners for owner in self._queues)

    def pop(self) -> T:
        """The next one of the owner that has waited longest for its turn."""
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
        """Up to `share` of each owner in turn, `most` in all, none of those who are `busy`."""
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


class Places:
    """A semaphore in which each owner has its turn."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, size: int) -> None:
        self._free = size
        self._waiting: Rounds[asyncio.Future[None]] = Rounds()

    def locked(self) -> bool:
        return self._free == 0

    async def acquire(self) -> None:
        """For the owner in whose context this is."""
        if self._free:  # and so nobody waits
            self._free -= 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put(OWNER.get(), future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():  # given, and too late
                self.release()
            raise

    def release(self) -> None:
        while self._waiting:
            future = self._waiting.pop()
            if not future.done():
                future.set_result(None)
                return
        self._free += 1
