"""A lane groups items of many callers into batches; one transaction serves each batch.

While one batch is being processed, the next one collects. There is no timer, so a single caller
never waits for others, and many callers share the cost of one commit (group commit;
ARCHITECTURE.md, "Everything is a batch").

Under contention between owners a batch takes a few items of each owner, round robin. With
`extra_batches`, owners that are in no running batch do not wait for it: they get their own batch.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import Context
from itertools import groupby
from operator import itemgetter
from typing import Generic, TypeVar

from tidings import limits
from tidings.engine.db.errors import RETRIED, UNAVAILABLE_ERRORS
from tidings.engine.fair_queue import ContentionDetector, FairQueue
from tidings.engine.gate import Gate
from tidings.engine.metrics.lane_meter import LaneMeter
from tidings.errors import ApiError

In = TypeVar("In")
Out = TypeVar("Out")

# The work of a lane: one result per item, in order. An exception in place of a result is raised
# only in the caller of that item.
Work = Callable[[list[In]], Awaitable[list[Out | Exception]]]

# An item, where its caller waits, and when it entered (0 without a meter).
Entry = tuple[In, asyncio.Future[Out], float]

# Errors that no single item causes are raised in every caller of the batch. Splitting the batch
# would query an unreachable database a thousand times and repeat work whose commit may have
# succeeded. A conflict that remains after all retries is not among them: it was rolled back, and
# one item may have caused it.
SHARED_ERRORS: tuple[type[Exception], ...] = (
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
        owner: Callable[[In], Hashable] = lambda _: None,
        extra_batches: int = 0,
        gate: Gate | None = None,
        meter: LaneMeter | None = None,
    ) -> None:
        """`extra_batches` more may run concurrently, for owners that are in no running batch.
        `gate`: shared with other lanes whose batches gather while one of them runs."""
        self._meter = meter
        self._work = work
        self._batch_max = batch_max
        self._extra_batches = extra_batches
        self._gate = gate
        self._owner = owner
        self._contention = ContentionDetector()
        self._waiting: FairQueue[Entry[In, Out]] = FairQueue()
        self._served: Counter[Hashable] = Counter()  # owners in running batches
        self._active = 0
        self._running: set[asyncio.Task[None]] = set()

    async def put(self, item: In) -> Out:
        """Process one item; returns its result or raises its error."""
        future = self._enter(item)
        if self._may_start():
            self._start()
        return await future

    async def put_each(self, items: Sequence[In]) -> list[Out | BaseException]:
        """Process several items together; the result of a failed item is its exception."""
        return await asyncio.gather(*self._enter_all(items), return_exceptions=True)

    def _enter(self, item: In) -> asyncio.Future[Out]:
        future: asyncio.Future[Out] = asyncio.get_running_loop().create_future()
        owner = self._owner(item)
        self._contention.observe(owner)
        self._waiting.put(owner, (item, future, self._now()))
        return future

    def _enter_all(self, items: Sequence[In]) -> list[asyncio.Future[Out]]:
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[Out]] = [loop.create_future() for _ in items]
        entered = self._now()
        entries = zip(map(self._owner, items), zip(items, futures, strict=True), strict=True)
        for owner, run in groupby(entries, key=itemgetter(0)):
            self._contention.observe(owner)
            self._waiting.extend(owner, [(*entry, entered) for _, entry in run])
        if items and self._may_start():
            self._start()
        return futures

    def _now(self) -> float:
        return 0.0 if self._meter is None else self._meter.now()

    def _may_start(self) -> bool:
        """Whether another batch may start in addition to the running ones."""
        if not self._active:
            return True
        if self._active > self._extra_batches or not self._served:
            return False
        return self._waiting.has_others(self._served)

    async def idle(self) -> None:
        """Wait until the lane is empty (graceful shutdown)."""
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)

    def _start(self) -> None:
        self._active += 1
        # An empty context: a batch does not belong to the request of its first caller.
        task = asyncio.create_task(self._drain(), context=Context())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _drain(self) -> None:
        try:
            # One loop iteration lets requests that arrived together join the same batch.
            await asyncio.sleep(0)
            while self._waiting:
                if self._gate is None:
                    is_served = await self._serve_next()
                else:
                    async with self._gate.passed():
                        is_served = await self._serve_next()
                if not is_served:
                    break
        finally:
            self._active -= 1

    async def _serve_next(self) -> bool:
        """False: all that waits belongs to owners in running batches."""
        batch = self._gather()
        if batch:
            started = self._now()
            await self._serve_owners({owner for owner, _ in batch}, [entry for _, entry in batch])
            if self._meter is not None:
                self._meter.served(batch, (entry[2] for _, entry in batch), started)
        return bool(batch)

    def _gather(self) -> list[tuple[Hashable, Entry[In, Out]]]:
        share = limits.LANE_SHARE if self._contention.is_contended else self._batch_max
        busy = self._served if self._extra_batches else ()
        return self._waiting.take(self._batch_max, share, busy)

    async def _serve_owners(self, owners: set[Hashable], batch: list[Entry[In, Out]]) -> None:
        self._served.update(owners)
        try:
            await self._serve(batch)
        finally:
            self._served.subtract(owners)
            self._served += Counter()  # drops zero counts

    async def _serve(self, batch: list[Entry[In, Out]]) -> None:
        try:
            results = await self._work([item for item, _, _ in batch])
        except SHARED_ERRORS as fault:
            _settle_all(batch, fault)
        except Exception as fault:  # noqa: BLE001 - a bug in one item must not fail the others
            await self._isolate(batch, fault)
        else:
            _settle(batch, results)

    async def _isolate(self, batch: list[Entry[In, Out]], fault: Exception) -> None:
        """Bisect the batch until the failing item is alone; its transaction was rolled back."""
        if len(batch) == 1:
            _settle_all(batch, fault)
            return
        middle = len(batch) // 2
        await self._serve(batch[:middle])
        await self._serve(batch[middle:])


def _settle(batch: list[Entry[In, Out]], results: list[Out | Exception]) -> None:
    if len(results) != len(batch):  # committed, but results cannot be matched to items
        _settle_all(batch, AssertionError("a lane's work must return one result per item"))
        return
    for (_, future, _), result in zip(batch, results, strict=True):
        if future.done():  # the caller was cancelled; the commit stands
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def _settle_all(batch: list[Entry[In, Out]], fault: Exception) -> None:
    for _, future, _ in batch:
        if not future.done():
            future.set_exception(fault)
