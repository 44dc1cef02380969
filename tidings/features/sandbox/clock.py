"""An account's own time: `/sandbox/v1/clock` (contract.md, "Beside the 30 endpoints").

Advancing it runs everything that falls due on the way, in order, before the response is sent
(`advance.py`). One call at a time moves an account's clock, and a call has a time limit: after it,
webhooks to a receiver that hangs are left to the workers, and the response counts them as pending.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.queue import stats
from tidings.errors import ApiError, Code
from tidings.features.accounts import clocks
from tidings.features.webhooks.publish import POOL as WEBHOOKS
from tidings.wording import counted

from .advance import ClockAdvance, move

LOCK_POLL = 0.05  # seconds


async def advance(ctx: Context, account_id: UUID, by: timedelta, pools: list[str]) -> None:
    """Move the clocks of the account, and of those that belong to it, by `by`."""
    moved = await ctx.db.transact(lambda tx: clocks.find_moved_with(tx, account_id))
    async with _locked(ctx, moved):
        await ctx.db.transact(lambda tx: _require_limit(tx, moved, by))
        left = await ClockAdvance.within(ctx, moved, pools, limits.CLOCK_WAIT_MAX).run(by)
        if left:
            # Only webhooks depend on servers of others: run the rest without them.
            others = [pool for pool in pools if pool != WEBHOOKS]
            left = await ClockAdvance.within(ctx, moved, others, limits.CLOCK_REST_MAX).run(left)
            await ctx.db.transact(partial(_catch_up, accounts=moved, pools=pools, by=left))
            ctx.accounts_changed(moved)


async def _catch_up(tx: Tx, accounts: list[UUID], pools: list[str], by: timedelta) -> None:
    """Move the clocks the rest of the way in one step; workers run what is due then."""
    await move(tx, accounts, pools, by)
    for pool in pools:
        tx.wake(pool)


async def count_pending(tx: Tx, account_id: UUID, pools: list[str]) -> int:
    """How many jobs of the account, and of those that belong to it, are due or running."""
    offsets = await clocks.load_clocks(tx, await clocks.find_moved_with(tx, account_id))
    counts = [await stats.count_unfinished(tx, one, pools, clock) for one, clock in offsets.items()]
    return sum(counts)


async def settle(ctx: Context, account_id: UUID, pools: list[str]) -> None:
    """Run what is due now, without moving the clock."""
    now = ClockAdvance.within(ctx, [account_id], pools, limits.CLOCK_SETTLE_MAX)
    await now.drain(limits.CLOCK_FOLLOW_WAIT)


async def _require_limit(tx: Tx, moved: list[UUID], by: timedelta) -> None:
    furthest = max((await clocks.load_clocks(tx, moved)).values())
    if furthest + by > limits.CLOCK_AHEAD_MAX:
        left = (limits.CLOCK_AHEAD_MAX - furthest) // timedelta(seconds=1)
        raise ApiError(
            Code.VALIDATION_ERROR,
            "advanceSeconds: a sandbox clock runs at most 100 years ahead; left is "
            f"{counted(max(left, 0), 'second')}. Take a new sandbox account to begin again",
            field="advanceSeconds",
        )


@asynccontextmanager
async def _locked(ctx: Context, accounts: list[UUID]) -> AsyncIterator[None]:
    """Hold the lock on these clocks; refuse the call when waiting for it takes too long."""
    deadline = ctx.clock.monotonic() + limits.CLOCK_LOCK_WAIT.total_seconds()
    while True:
        lock = await ctx.db.transact(lambda tx: clocks.lock_clocks(tx, accounts))
        if lock is not None:
            break
        if ctx.clock.monotonic() > deadline:
            raise ApiError(
                Code.RATE_LIMIT_EXCEEDED,
                "another call is moving this account's clock; try again when it has been answered",
                retry_after=limits.CLOCK_LOCK_RETRY_SECONDS,
            )
        await asyncio.sleep(LOCK_POLL)
    try:
        yield
    finally:
        await ctx.db.transact(lambda tx: clocks.unlock_clocks(tx, accounts, lock))
