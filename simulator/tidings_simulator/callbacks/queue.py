"""Scheduled callbacks: they wait until they are due, are posted in batches, and are retried.

Due times follow the simulator's clock, so `advance` makes callbacks due; requests and their
timeouts use real time.
"""

import asyncio
import heapq
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Protocol

from tidings_simulator.callbacks.bodies import CallbackEvent, waba_of, write_body
from tidings_simulator.model import Waba
from tidings_simulator.world import SimulatedClock

RETRY_DELAYS = tuple(timedelta(seconds=wait) for wait in (0.5, 1, 2, 4, 8, 15, 30, 60, 60, 60))
CONCURRENCY = 4  # concurrent requests to one address
EVENTS_MAX = 100  # in one body
MIN_DELAY = 0.001


@dataclass(slots=True)
class CallbackRequest:
    """An encoded callback. A retry posts the same bytes."""

    url: str
    body: bytes
    events: int
    attempt: int = 1


class Post(Protocol):
    def __call__(self, request: CallbackRequest) -> Awaitable[bool]:
        """Post it once; True if the response is 2xx."""
        ...


class CallbackQueue:
    """`address`: the callback URL of an account, "" if not subscribed. `apply_event`: applies a due
    event; False if it must not be posted."""

    def __init__(
        self,
        clock: SimulatedClock,
        post: Post,
        *,
        address: Callable[[Waba], str],
        apply_event: Callable[[CallbackEvent], bool],
        concurrency: int,
    ) -> None:
        self._clock = clock
        self._post = post
        self._address = address
        self._apply_event = apply_event
        self._concurrency = concurrency
        self._scheduled: list[tuple[datetime, int, CallbackEvent | CallbackRequest]] = []  # a heap
        self._ready: dict[str, deque[CallbackEvent | CallbackRequest]] = {}  # by address
        self._in_flight: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._order = count()
        self._generation = 0  # requests in flight during a `clear` are not retried
        self._timer: asyncio.Handle | None = None
        self._timer_at: datetime | None = None
        self.events_max = EVENTS_MAX

    @property
    def waiting(self) -> int:
        return len(self._scheduled) + sum(map(len, self._ready.values()))

    @property
    def next_due(self) -> datetime | None:
        return self._scheduled[0][0] if self._scheduled else None

    def put(self, items: Iterable[tuple[datetime, CallbackEvent | CallbackRequest]]) -> None:
        for due, item in items:
            heapq.heappush(self._scheduled, (due, next(self._order), item))
        self._arm()

    def clear(self) -> None:
        self._generation += 1
        self._scheduled.clear()
        self._ready.clear()

    async def advance(self, by: timedelta) -> None:
        """Move the clock; callbacks that become due are posted, in order, before this returns."""
        goal = self._clock.ahead + by
        await self._settle()
        while (
            self._scheduled
            and self._scheduled[0][0] <= self._clock.now() + goal - self._clock.ahead
        ):
            self._clock.ahead += max(self._scheduled[0][0] - self._clock.now(), timedelta(0))
            await self._settle()
        self._clock.ahead = max(goal, self._clock.ahead)
        await self._settle()  # real time has passed meanwhile

    async def flush(self) -> None:
        """Move the clock until no callback is scheduled."""
        await self._settle()
        while self._scheduled:
            await self.advance(max(self._scheduled[0][0] - self._clock.now(), timedelta(0)))

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Scheduling

    def _arm(self) -> None:
        """Set the timer for the next due callback."""
        if not self._scheduled:
            return
        due = self._scheduled[0][0]
        if self._timer is not None:
            if self._timer_at is not None and self._timer_at <= due:
                return
            self._timer.cancel()
        wait = (due - self._clock.now()).total_seconds()
        loop = asyncio.get_running_loop()
        self._timer_at = due
        if wait <= 0:
            self._timer = loop.call_soon(self._tick)
        else:
            self._timer = loop.call_later(max(wait, MIN_DELAY), self._tick)

    def _tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = self._clock.now()
        while self._scheduled and self._scheduled[0][0] <= now:
            item = heapq.heappop(self._scheduled)[2]
            if isinstance(item, CallbackRequest):
                url = item.url
            else:
                url = self._address(waba_of(item)) if self._apply_event(item) else ""
            if url:
                self._ready.setdefault(url, deque()).append(item)
        for url in list(self._ready):
            self._send(url)
        self._arm()

    # Sending

    def _send(self, url: str) -> None:
        """Start requests up to the limit; the remaining events form larger batches later."""
        ready = self._ready.get(url)
        while ready and self._in_flight.get(url, 0) < self._concurrency:
            self._in_flight[url] = self._in_flight.get(url, 0) + 1
            task = asyncio.ensure_future(self._deliver(self._next_request(url, ready)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next_request(
        self, url: str, ready: deque[CallbackEvent | CallbackRequest]
    ) -> CallbackRequest:
        first = ready.popleft()
        if isinstance(first, CallbackRequest):
            return first
        events = [first]
        while ready and len(events) < self.events_max:
            following = ready[0]
            if isinstance(following, CallbackRequest):
                break
            events.append(following)
            ready.popleft()
        return CallbackRequest(url, write_body(events), len(events))

    async def _deliver(self, request: CallbackRequest) -> None:
        generation = self._generation
        accepted = await self._post(request)
        self._in_flight[request.url] -= 1
        if not accepted and request.attempt <= len(RETRY_DELAYS) and generation == self._generation:
            wait = RETRY_DELAYS[request.attempt - 1]
            request.attempt += 1
            self.put([(self._clock.now() + wait, request)])
        self._send(request.url)

    async def _settle(self) -> None:
        """Wait until everything that is due has been posted."""
        self._tick()
        while self._tasks:
            await asyncio.wait(self._tasks)
            self._tick()
