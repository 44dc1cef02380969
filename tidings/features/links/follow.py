"""Where a link leads, and how often it was opened: `GET /r/{code}` (contract.md).

A redirect waits for no write: opens are counted behind it, all that wait in one statement. What is
known of a live account's link is kept for a few seconds; a sandbox account's is read each time, as
its clock may be moved at any time. docs/decisions/0012-links.md
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from tidings.clock import Clock
from tidings.engine.db.pool import UNAVAILABLE_ERRORS, CommitUnknown, Database
from tidings.engine.db.tx import Tx
from tidings.engine.lane import Lane
from tidings.engine.rate import MemoryRate
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import store
from .model import Destination, Link, Opened, Tally
from .rules import is_code, neighbours

KEPT = timedelta(seconds=5)  # then a switched-off account's links lead nowhere
KEPT_MAX = 50_000
BATCH_MAX = 1000
MISSES_PER_MINUTE_MAX = 60  # per address
COUNTING_MAX = 10_000  # opens not yet written; beyond, a redirect waits for its own
COUNT_WAITS = (0.1, 0.5, 1.0, 2.0)  # seconds between tries while the database is away
SETTLE_SECONDS_MAX = 1.0

AWAY: tuple[type[Exception], ...] = (ApiError, *UNAVAILABLE_ERRORS)

log = structlog.get_logger()


class Follower:
    """One per process. `idle` before the database is closed."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._kept: dict[str, tuple[Destination, float]] = {}  # until when, monotonic
        self._misses = MemoryRate(clock)
        self._counting: dict[asyncio.Task[None], str] = {}  # -> code
        self._lookups: Lane[str, Destination | None] = Lane(self._look_up, batch_max=BATCH_MAX)
        self._opens: Lane[Opened, None] = Lane(self._write, batch_max=BATCH_MAX)

    async def find(self, code: str) -> Destination | None:
        """Where the code leads, whether or not it still does."""
        kept = self._kept.get(code)
        if kept is not None and self._clock.monotonic() < kept[1]:
            return kept[0]
        return await self._lookups.put(code) if is_code(code) else None

    def missed(self, address: str) -> int:
        """One more unknown code from this address; the seconds it has to wait, mostly 0."""
        return self._misses.take_now(neighbours(address), MISSES_PER_MINUTE_MAX).retry_after

    async def count(self, destination: Destination, at: datetime) -> None:
        """Count an open, soon. `at` is the account's time."""
        opened = Opened(destination.account_id, destination.code, at)
        task = asyncio.create_task(self._count(opened))
        self._counting[task] = opened.code
        task.add_done_callback(self._counting.pop)
        if len(self._counting) > COUNTING_MAX:
            await asyncio.wait([task])

    async def settle(self, code: str) -> None:
        """Wait briefly for those opens of a link that were answered before this call."""
        counting = [task for task, of in self._counting.items() if of == code]
        if counting:
            await asyncio.wait(counting, timeout=SETTLE_SECONDS_MAX)

    async def idle(self) -> None:
        """Wait until every open is written (graceful stop)."""
        while self._counting:
            await asyncio.wait(list(self._counting))

    # Looking up

    async def _look_up(self, codes: list[str]) -> list[Destination | Exception | None]:
        found = await self._db.transact(lambda tx: _load(tx, codes))
        self._keep([one for one in found.values() if one.may_be_kept])
        return [found.get(code) for code in codes]

    def _keep(self, found: Sequence[Destination]) -> None:
        until = self._clock.monotonic() + KEPT.total_seconds()
        for destination in found:
            self._kept.pop(destination.code, None)  # so that the oldest stand first
            self._kept[destination.code] = destination, until
        if len(self._kept) > KEPT_MAX:
            for code in list(self._kept)[: KEPT_MAX // 2]:
                del self._kept[code]

    # Counting

    async def _count(self, opened: Opened) -> None:
        for wait in COUNT_WAITS:
            try:
                await self._opens.put(opened)
            except CommitUnknown:
                break  # perhaps counted: rather once too few than once too many
            except AWAY:
                await asyncio.sleep(wait)
            else:
                return
        log.warning("link.open_lost", account=str(opened.account_id))

    async def _write(self, opens: list[Opened]) -> list[Exception | None]:
        tallies = _tally(opens)
        await self._db.transact(lambda tx: store.add_opens(tx, tallies))
        return [None] * len(opens)


async def _load(tx: Tx, codes: Sequence[str]) -> dict[str, Destination]:
    links = await store.find_by_codes(tx, sorted(set(codes)))
    accounts = await load_accounts(tx, (link.account_id for link in links)) if links else {}
    return {link.code: _destination(link, accounts[link.account_id]) for link in links}


def _destination(link: Link, account: Account) -> Destination:
    return Destination(
        account_id=link.account_id,
        code=link.code,
        url=link.url,
        expires_at=link.expires_at,
        switched_on=link.active and account.active,
        clock=account.clock,
        may_be_kept=not account.is_sandbox,
    )


def _tally(opens: Sequence[Opened]) -> dict[tuple[UUID, str], Tally]:
    tallies: dict[tuple[UUID, str], Tally] = {}
    for opened in opens:
        key = (opened.account_id, opened.code)
        tally = tallies.get(key)
        if tally is None:
            tallies[key] = Tally(1, opened.at, opened.at)
            continue
        tally.clicks += 1
        tally.first_at = min(tally.first_at, opened.at)
        tally.last_at = max(tally.last_at, opened.at)
    return tallies
