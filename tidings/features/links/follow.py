"""Resolve links and count their clicks: `GET /r/{code}` (contract.md).

A redirect does not wait for a write: clicks are counted in the background, all pending ones in one
statement. Links of live accounts are cached for a few seconds; those of sandbox accounts are not,
because their clock can be moved at any time. docs/decisions/0012-links.md
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import structlog

from tidings.clock import Clock
from tidings.engine.db.errors import UNAVAILABLE_ERRORS, CommitUnknown
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.engine.lane import Lane
from tidings.engine.rate import MemoryRate
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import store
from .model import Click, ClickTotals, Destination, Link
from .rules import is_code, rate_limit_key

CACHE_TTL = timedelta(seconds=5)  # how long links of a disabled account may still redirect
CACHE_MAX = 50_000
BATCH_MAX = 1000
MISSES_PER_MINUTE_MAX = 60  # per address
PENDING_MAX = 10_000  # clicks not yet written; above this, a redirect waits for its own write
RETRY_SECONDS = (0.1, 0.5, 1.0, 2.0)  # between attempts while the database is unavailable
SETTLE_SECONDS_MAX = 1.0

UNAVAILABLE: tuple[type[Exception], ...] = (ApiError, *UNAVAILABLE_ERRORS)

log = structlog.get_logger()


class Follower:
    """One per process. Await `idle` before closing the database."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._cache: dict[str, tuple[Destination, float]] = {}  # expiry, monotonic
        self._misses = MemoryRate(clock)
        self._pending: dict[asyncio.Task[None], Click] = {}
        self._lookups: Lane[str, Destination | None] = Lane(self._look_up, batch_max=BATCH_MAX)
        self._clicks: Lane[Click, None] = Lane(self._write, batch_max=BATCH_MAX)

    async def find(self, code: str) -> Destination | None:
        """The destination of a code, active or not."""
        cached = self._cache.get(code)
        if cached is not None and self._clock.monotonic() < cached[1]:
            return cached[0]
        return await self._lookups.put(code) if is_code(code) else None

    def count_miss(self, address: str) -> int:
        """Count an unknown code from this address; returns the seconds to wait, usually 0."""
        return self._misses.take_now(rate_limit_key(address), MISSES_PER_MINUTE_MAX).retry_after

    async def count(self, destination: Destination, at: datetime) -> None:
        """Count a click in the background. `at` is by the account's clock."""
        click = Click(destination.account_id, destination.code, at)
        task = asyncio.create_task(self._count(click))
        self._pending[task] = click
        task.add_done_callback(self._pending.pop)
        if len(self._pending) > PENDING_MAX:
            await asyncio.wait([task])

    async def settle(self, account_id: UUID, code: str | None = None) -> None:
        """Wait briefly for pending clicks of a link, or of all links of the account, so that the
        caller reads its own clicks."""
        pending = [
            task
            for task, click in self._pending.items()
            if click.account_id == account_id and code in (None, click.code)
        ]
        if pending:
            await asyncio.wait(pending, timeout=SETTLE_SECONDS_MAX)

    async def idle(self) -> None:
        """Wait until every click is written (graceful shutdown)."""
        while self._pending:
            await asyncio.wait(list(self._pending))

    # Looking up

    async def _look_up(self, codes: list[str]) -> list[Destination | Exception | None]:
        found = await self._db.transact(lambda tx: _load(tx, codes))
        self._remember([one for one in found.values() if one.cacheable])
        return [found.get(code) for code in codes]

    def _remember(self, found: Sequence[Destination]) -> None:
        until = self._clock.monotonic() + CACHE_TTL.total_seconds()
        for destination in found:
            self._cache.pop(destination.code, None)  # reinsert last: the dict stays ordered by age
            self._cache[destination.code] = destination, until
        if len(self._cache) > CACHE_MAX:
            for code in list(self._cache)[: CACHE_MAX // 2]:
                del self._cache[code]

    # Counting

    async def _count(self, click: Click) -> None:
        for wait in RETRY_SECONDS:
            try:
                await self._clicks.put(click)
            except CommitUnknown:
                break  # it may have been counted; do not risk counting it twice
            except UNAVAILABLE:
                await asyncio.sleep(wait)
            else:
                return
        log.warning("link.open_lost", account=click.account_id)

    async def _write(self, clicks: list[Click]) -> list[Exception | None]:
        totals = _sum(clicks)
        await self._db.transact(lambda tx: store.add_clicks(tx, totals))
        return [None] * len(clicks)


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
        cacheable=not account.is_sandbox,
    )


def _sum(clicks: Sequence[Click]) -> dict[tuple[UUID, str], ClickTotals]:
    sums: dict[tuple[UUID, str], ClickTotals] = {}
    for click in clicks:
        key = (click.account_id, click.code)
        totals = sums.get(key)
        if totals is None:
            totals = sums[key] = ClickTotals(0, click.at, click.at)
        totals.clicks += 1
        totals.days[click.at.astimezone(UTC).date()] += 1
        totals.first_at = min(totals.first_at, click.at)
        totals.last_at = max(totals.last_at, click.at)
    return sums
