"""An account's own time: `/sandbox/v1/clock` (contract.md, "Beside the 30 endpoints").

Moving it plays everything that falls due on the way, in order, before the answer is given: the
clock goes forward in steps to the next due job, and the jobs run under the clock of their step.
"""

import asyncio
from datetime import timedelta
from functools import partial
from itertools import groupby
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine import claims, queue
from tidings.engine.db.tx import Tx
from tidings.engine.handlers import groups, run_jobs
from tidings.engine.queue import Job
from tidings.features.accounts import clocks

log = structlog.get_logger()

CLAIM_MAX = 500
LOOK_AGAIN = 0.01  # seconds, while a worker still runs one of the account's jobs


async def advance(ctx: Context, account_id: UUID, by: timedelta, pools: list[str]) -> None:
    """Move the clocks of the account, and of those that belong to it, by `by`."""
    moved = await ctx.db.transact(lambda tx: clocks.find_moved_with(tx, account_id))
    finish_by = ctx.clock.monotonic() + limits.CLOCK_WAIT_MAX.total_seconds()
    left = by
    while left:
        # What is due, or under way, must have ended before the next due time can be known.
        await _drain(ctx, moved, pools, finish_by)
        step = await ctx.db.transact(partial(_step, accounts=moved, left=left, pools=pools))
        left -= step
        ctx.accounts_changed()
    await _drain(ctx, moved, pools, finish_by)


async def settle(ctx: Context, account_id: UUID, pools: list[str]) -> None:
    """Run what is due at this moment, without moving the clock."""
    finish_by = ctx.clock.monotonic() + limits.CLOCK_SETTLE_MAX.total_seconds()
    await _drain(ctx, [account_id], pools, finish_by)


async def _step(tx: Tx, accounts: list[UUID], left: timedelta, pools: list[str]) -> timedelta:
    """To the next job that falls due, or as far as there is to go."""
    dues = [await claims.next_due_of_account(tx, account, pools) for account in accounts]
    waits = [max(due - tx.now, limits.CLOCK_STEP_MIN) for due in dues if due is not None]
    step = min([left, *waits])
    for account_id, clock in (await clocks.move_clocks(tx, accounts, step)).items():
        await queue.move_clock(tx, account_id, pools, clock)
    return step


async def _drain(ctx: Context, accounts: list[UUID], pools: list[str], finish_by: float) -> None:
    """Run what is due now, and wait for what other workers of the account are at."""
    while ctx.clock.monotonic() < finish_by:
        ran = 0
        for account_id in accounts:
            ran += await _run_due(ctx, account_id, pools)
        if ran:
            continue
        if not await ctx.db.transact(lambda tx: _busy(tx, accounts, pools)):
            return
        await asyncio.sleep(LOOK_AGAIN)


async def _run_due(ctx: Context, account_id: UUID, pools: list[str]) -> int:
    jobs = await ctx.db.transact(lambda tx: _claim(tx, account_id, pools))
    jobs.sort(key=lambda job: job.kind)  # stable: the order within a kind stays
    runs = [
        run_jobs(ctx.db, ctx.kinds[kind], group)
        for kind, same in groupby(jobs, key=lambda job: job.kind)
        for group in groups(list(same), CLAIM_MAX)
    ]
    for ended in await asyncio.gather(*runs, return_exceptions=True):
        if isinstance(ended, Exception):  # its lease runs out, as with any worker
            log.error("clock.job_failed", exc_info=ended)
    return len(jobs)


async def _claim(tx: Tx, account_id: UUID, pools: list[str]) -> list[Job]:
    """A worker with a job in hand when the clock moved put it back by the old one: mend that."""
    clock = (await clocks.load_clocks(tx, [account_id]))[account_id]
    await queue.move_clock(tx, account_id, pools, clock)
    return await claims.claim_of_account(tx, account_id, pools, CLAIM_MAX)


async def _busy(tx: Tx, accounts: list[UUID], pools: list[str]) -> bool:
    offsets = await clocks.load_clocks(tx, accounts)
    counts = [
        await claims.unsettled_of_account(tx, account, pools, clock)
        for account, clock in offsets.items()
    ]
    return any(counts)
