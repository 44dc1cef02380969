"""Who listens to what happens in which account: one poller of the outbox for a whole process.

It looks when this process has published something, and every second for what others publish. A
listener that does not keep up is closed; its browser comes back and says what it has seen last.
"""

import asyncio
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.webhooks.feed import follow
from tidings.features.webhooks.feed.follow import NewEvent, Position
from tidings.features.webhooks.publish import FEED

PERSON_STREAMS_MAX = 8
STREAMS_MAX = 200  # of a process
EVENTS_MAX = 50  # of an account in one look
WAITING_MAX = 3 * EVENTS_MAX  # that a listener has not taken yet
POLL = timedelta(seconds=1)
SPACING = timedelta(milliseconds=200)  # between two looks
RETRY_SECONDS = 30  # when there are too many streams


@dataclass(slots=True, eq=False)
class Listener:
    """One open stream. `seen`: the last event that it has got, or where it begins."""

    person_id: UUID
    account_id: UUID
    seen: Position = (0, 0)
    is_closed: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    _waiting: deque[NewEvent] = field(default_factory=deque)

    def begin(self, seen: Position, missed: list[NewEvent]) -> None:
        """It was registered before `missed` was read, so that nothing falls between that and the
        next look; what it was notified of meanwhile comes after."""
        self.seen = seen
        newest = missed[-1].position if missed else seen
        later = [event for event in self._waiting if event.position > newest]
        self._waiting = deque([*missed, *later])
        self.changed.set()

    def notify(self, events: list[NewEvent]) -> None:
        """Closes the stream if too many events wait in it: its browser is too slow."""
        if len(self._waiting) + len(events) > WAITING_MAX:
            self.close()
            return
        self._waiting += events
        self.changed.set()

    def take(self) -> list[NewEvent]:
        """What it has not seen yet."""
        self.changed.clear()
        taken = [event for event in self._waiting if event.position > self.seen]
        self._waiting.clear()
        if taken:
            self.seen = taken[-1].position
        return taken

    def close(self) -> None:
        self.is_closed = True
        self._waiting.clear()
        self.changed.set()


class Hub:
    """The listeners of one process."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._listeners: dict[UUID, set[Listener]] = {}  # by account
        self._positions: dict[UUID, Position] = {}
        self._people: Counter[UUID] = Counter()
        self._woken = asyncio.Event()
        self._poller: asyncio.Task[None] | None = None
        ctx.db.on_commit(self._wake)

    async def join(self, person_id: UUID, account_id: UUID, last_seen: str = "") -> Listener:
        """A listener that hears of everything from now on, or after the event it has seen last.
        Each needs a `leave`."""
        self._require_room(person_id)
        listener = Listener(person_id, account_id)
        self._listeners.setdefault(account_id, set()).add(listener)
        self._people[person_id] += 1
        try:
            seen, missed = await self._ctx.db.transact(
                lambda tx: _load_beginning(tx, account_id, last_seen)
            )
        except BaseException:
            self.leave(listener)
            raise
        listener.begin(seen, missed)
        self._positions.setdefault(account_id, seen)
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._run())
        return listener

    def leave(self, listener: Listener) -> None:
        listener.close()
        others = self._listeners.get(listener.account_id, set())
        if listener not in others:
            return
        others.discard(listener)
        self._people[listener.person_id] -= 1
        self._people += Counter()  # drops people without a stream
        if not others:
            del self._listeners[listener.account_id]
            self._positions.pop(listener.account_id, None)

    def _require_room(self, person_id: UUID) -> None:
        if self._people[person_id] >= PERSON_STREAMS_MAX:
            text = f"more than {PERSON_STREAMS_MAX} pages are updating themselves already"
            raise ApiError(Code.RATE_LIMIT_EXCEEDED, text, retry_after=RETRY_SECONDS)
        if self._people.total() >= STREAMS_MAX or not self._ctx.is_ready:
            text = "too many pages are updating themselves"
            raise ApiError(Code.SERVICE_UNAVAILABLE, text, retry_after=RETRY_SECONDS)

    def _wake(self, pools: set[str]) -> None:
        if FEED in pools and self._listeners:
            self._woken.set()

    async def _run(self) -> None:
        while self._listeners and self._ctx.is_ready:
            self._woken.clear()
            with suppress(*UNAVAILABLE_ERRORS):
                await self._look()
            await asyncio.sleep(SPACING.total_seconds())
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL.total_seconds()):
                    await self._woken.wait()
        for listener in [one for others in self._listeners.values() for one in others]:
            listener.close()

    async def _look(self) -> None:
        after = dict(self._positions)
        found = await self._ctx.db.transact(lambda tx: follow.load_new(tx, after, EVENTS_MAX))
        for account_id, new in found.items():
            if account_id in self._positions:  # someone still listens
                self._positions[account_id] = new.position
            for listener in self._listeners.get(account_id, set()):
                listener.notify(new.events)


async def _load_beginning(
    tx: Tx, account_id: UUID, last_seen: str
) -> tuple[Position, list[NewEvent]]:
    """Where a listener begins, and what it has missed since the event it saw last: the oldest of
    it, if it is much."""
    seen = await follow.find_position(tx, account_id, last_seen) if last_seen else None
    if seen is None:
        return await follow.load_end(tx, account_id), []
    new = (await follow.load_new(tx, {account_id: seen}, EVENTS_MAX)).get(account_id)
    return seen, [] if new is None else new.events
