"""An account's own time: `/sandbox/v1/clock` (contract.md, "Beside the 30 endpoints").

Moving it plays everything that falls due on the way, in order, before the answer is given: the
clock goes forward in steps to the next due job, and the jobs run under the clock of their step.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine import claims, queue
from tidings.engine.db.tx import Tx
from tidings.engine.handlers import groups, run_jobs
from tidings.engine.queue import MILLISECOND, Job
from tidings.errors import ApiError, Code
from tidings.features.accounts import clocks
from tidings.wording import counted

log = structlog.get_logger()

CLAIM_MAX = 500
LOOK_AGAIN = 0.01  # seconds, while a worker still runs one of the account's jobs


async def advance(ctx: Context, account_id: UUID, by: timedelta, pools: list[str]) -> None:
    """Move the clocks of the account, and of those that belong to it, by `by`."""
    moved = await ctx.db.transact(lambda tx: _find_moved(tx, account_id, by))
    player = Player(ctx, moved, pools, _deadline(ctx, limits.CLOCK_WAIT_MAX))
    left, last = by, None
    while left:
        # What is due, or under way, must have ended before the next due time can be known.
        quiet = await player.drain(limits.CLOCK_STEP_WAIT)
        longest = left if quiet else min(left, limits.CLOCK_STEP_MIN)
        step, last = await ctx.db.transact(partial(player.step, longest=longest, last=last))
        left -= step
        ctx.accounts_changed()
    await player.drain(limits.CLOCK_FOLLOW_WAIT)


async def _find_moved(tx: Tx, account_id: UUID, by: timedelta) -> list[UUID]:
    moved = await clocks.find_moved_with(tx, account_id)
    furthest = max((await clocks.load_clocks(tx, moved)).values())
    if furthest + by > limits.CLOCK_AHEAD_MAX:
        left = (limits.CLOCK_AHEAD_MAX - furthest) // timedelta(seconds=1)
        raise ApiError(
            Code.VALIDATION_ERROR,
            "advanceSeconds: a sandbox clock runs at most 100 years ahead; left is "
            f"{counted(max(left, 0), 'second')}. Take a new sandbox account to begin again",
            field="advanceSeconds",
        )
    return moved


async def settle(ctx: Context, account_id: UUID, pools: list[str]) -> None:
    """Run what is due at this moment, without moving the clock."""
    player = Player(ctx, [account_id], pools, _deadline(ctx, limits.CLOCK_SETTLE_MAX))
    await player.drain(limits.CLOCK_FOLLOW_WAIT)


def _deadline(ctx: Context, wait: timedelta) -> float:
    return ctx.clock.monotonic() + wait.total_seconds()


def _whole(wait: timedelta) -> timedelta:
    """In milliseconds, as clocks are kept; at least one, so that time goes on."""
    return max(-(-wait // MILLISECOND), 1) * MILLISECOND


@dataclass(frozen=True, slots=True)
class Player:
    """Plays the time of some accounts, until a moment of the monotonic clock at most."""

    ctx: Context
    accounts: list[UUID]
    pools: list[str]
    finish_by: float

    async def step(
        self, tx: Tx, longest: timedelta, last: datetime | None
    ) -> tuple[timedelta, datetime]:
        """To the next job that falls due, or as far as there is to go; when it was made. `last`:
        when the last one was. Time that has passed by itself since is a part of this step: were it
        added, a number's slots of that time would be lost, and a long batch fall ever further back.
        """
        least = tx.now if last is None else max(last, tx.now - limits.CLOCK_STEP_MIN)
        dues = [await claims.next_due_of_account(tx, one, self.pools) for one in self.accounts]
        moments = [max(due, least + limits.CLOCK_STEP_MIN) for due in dues if due is not None]
        step = min([longest, *(_whole(moment - tx.now) for moment in moments)])
        for account_id, clock in (await clocks.move_clocks(tx, self.accounts, step)).items():
            await queue.move_clock(tx, account_id, self.pools, clock)
        return step, tx.now

    async def drain(self, patience: timedelta) -> bool:
        """Run what is due now, and wait for what other workers of the account are at. Whether all
        is quiet then: our own time goes on meanwhile and brings more, of a long batch without end.
        That is not waited for longer than `patience`, once all has ended that was due before."""
        began, enough = self.ctx.clock.now(), _deadline(self.ctx, patience)
        while self.ctx.clock.monotonic() < self.finish_by:
            if await self._run_all():
                late = self.ctx.clock.monotonic() > enough
                if late and not await self._is_busy(began):
                    return False
            elif not await self._is_busy():
                return True
            else:
                await asyncio.sleep(LOOK_AGAIN)
        return True

    async def _run_all(self) -> int:
        return sum([await _run_due(self.ctx, one, self.pools) for one in self.accounts])

    async def _is_busy(self, began_by: datetime | None = None) -> bool:
        return await self.ctx.db.transact(lambda tx: _busy(tx, self, began_by))


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


async def _busy(tx: Tx, player: Player, began_by: datetime | None) -> bool:
    offsets = await clocks.load_clocks(tx, player.accounts)
    counts = [
        await claims.unsettled_of_account(tx, account, player.pools, clock, began_by)
        for account, clock in offsets.items()
    ]
    return any(counts)
