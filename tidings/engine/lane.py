"""A lane: callers put one item each, one transaction serves all that wait.

While a batch is being worked, the next gathers by itself. There is no timer, so a lone caller waits
for nobody and a crowd shares the cost of one commit (ARCHITECTURE.md, "Everything is a batch").

Where items have owners and several owners are about, a batch takes a few of each in turn, and one
whose owner is in no batch at work does not wait for those that are: it has a batch of its own.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from contextvars import Context
from itertools import groupby
from operator import itemgetter
from typing import Generic, TypeVar

from tidings import limits
from tidings.engine.db.pool import RETRIED, UNAVAILABLE_ERRORS
from tidings.engine.rounds import Rivals, Rounds
from tidings.errors import ApiError

In = TypeVar("In")
Out = TypeVar("Out")

# The work of a lane: as many results as items, in order. An exception in the place of a result is
# raised to that caller alone.
Work = Callable[[list[In]], Awaitable[list[Out | Exception]]]

# No item's fault: everyone is told. To halve the batch would ask a database that is away a thousand
# times, and repeat work whose commit may have succeeded. A conflict that outlived its retries is
# the quarrel of one item, and was rolled back.
AWAY: tuple[type[Exception], ...] = (
    ApiError,
    OSError,
    *(kind for kind in UNAVAILABLE_ERRORS if kind not in RETRIED),
)


class Lane(Generic[In, Out]):
    def __init__(
        self,
        work: Work[In, Out],
        *,
        batch_max: int,
        at_once: int = 1,
        owner: Callable[[In], Hashable] = lambda _: None,
        apart: int = 0,
    ) -> None:
        """`apart`: batches beside those `at_once`, each of owners that no batch at work has."""
        self._work = work
        self._batch_max = batch_max
        self._at_once = at_once
        self._apart = apart
        self._owner = owner
        self._rivals = Rivals()
        self._waiting: Rounds[tuple[In, asyncio.Future[Out]]] = Rounds()
        self._served: Counter[Hashable] = Counter()  # owners of the batches at work
        self._active = 0
        self._running: set[asyncio.Task[None]] = set()

    async def put(self, item: In) -> Out:
        """Hand in one item and wait for its result."""
        future = self._enter(item)
        if self._may_start():
            self._start()
        return await future

    async def put_many(self, items: list[In]) -> list[Out]:
        """Hand in several; they travel together. The first error is raised."""
        return list(await asyncio.gather(*self._enter_all(items)))

    async def put_each(self, items: list[In]) -> list[Out | BaseException]:
        """Hand in several; an error stands in the place of the result that it cost."""
        return await asyncio.gather(*self._enter_all(items), return_exceptions=True)

    def _enter(self, item: In) -> asyncio.Future[Out]:
        future: asyncio.Future[Out] = asyncio.get_running_loop().create_future()
        owner = self._owner(item)
        self._rivals.see(owner)
        self._waiting.put(owner, (item, future))
        return future

    def _enter_all(self, items: list[In]) -> list[asyncio.Future[Out]]:
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[Out]] = [loop.create_future() for _ in items]
        entries = zip(map(self._owner, items), zip(items, futures, strict=True), strict=True)
        for owner, run in groupby(entries, key=itemgetter(0)):
            self._rivals.see(owner)
            self._waiting.extend(owner, [entry for _, entry in run])
        if items and self._may_start():
            self._start()
        return futures

    def _may_start(self) -> bool:
        """Whether what waits can be begun beside what is at work."""
        if self._active < self._at_once:
            return True
        if self._active == self._at_once + self._apart or not self._served:
            return False
        return self._waiting.has_others(self._served)

    async def idle(self) -> None:
        """Wait until nothing is left in the lane (graceful stop)."""
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)

    def _start(self) -> None:
        self._active += 1
        # A context of its own: the work of many is not part of the first caller's request.
        task = asyncio.create_task(self._drain(), context=Context())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _drain(self) -> None:
        try:
            # One turn of the loop lets requests that arrived together travel together.
            await asyncio.sleep(0)
            while batch := self._gather():
                await self._serve_owners({owner for owner, _ in batch}, [item for _, item in batch])
        finally:
            self._active -= 1

    def _gather(self) -> list[tuple[Hashable, tuple[In, asyncio.Future[Out]]]]:
        share = limits.LANE_SHARE if self._rivals.are_here else self._batch_max
        busy = self._served if self._apart else ()
        return self._waiting.take(self._batch_max, share, busy)

    async def _serve_owners(
        self, owners: set[Hashable], batch: list[tuple[In, asyncio.Future[Out]]]
    ) -> None:
        self._served.update(owners)
        try:
            await self._serve(batch)
        finally:
            self._served.subtract(owners)
            self._served += Counter()  # forgets those at none

    async def _serve(self, batch: list[tuple[In, asyncio.Future[Out]]]) -> None:
        try:
            results = await self._work([item for item, _ in batch])
        except AWAY as fault:
            _settle_all(batch, fault)
        except Exception as fault:  # noqa: BLE001 - a bug in one item must not take its neighbours down
            await self._isolate(batch, fault)
        else:
            _settle(batch, results)

    async def _isolate(self, batch: list[tuple[In, asyncio.Future[Out]]], fault: Exception) -> None:
        """Halve the batch until the item that breaks it stands alone; it left nothing behind."""
        if len(batch) == 1:
            _settle_all(batch, fault)
            return
        middle = len(batch) // 2
        await self._serve(batch[:middle])
        await self._serve(batch[middle:])


def _settle(batch: list[tuple[In, asyncio.Future[Out]]], results: list[Out | Exception]) -> None:
    if len(results) != len(batch):  # committed, and nobody knows whose result is whose
        _settle_all(batch, AssertionError("a lane's work returns one result for each item"))
        return
    for (_, future), result in zip(batch, results, strict=True):
        if future.done():  # the caller has gone away; what was committed stays
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def _settle_all(batch: list[tuple[In, asyncio.Future[Out]]], fault: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(fault)
