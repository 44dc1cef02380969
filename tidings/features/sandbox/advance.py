"""Advance the clocks of sandbox accounts step by step (contract.md, `/sandbox/v1/clock`).

Each step moves the clock to the next due job, and the jobs that are due run before the next step,
through the claimer and executor of the workers. Every step rewrites the due times of all waiting
jobs, so a time limit bounds the steps, and a step is never shorter than a second just because due
jobs cannot run.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Self
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, stats
from tidings.engine.queue.claim import Claimer, EqualShares
from tidings.engine.queue.claim_store import AccountJobs
from tidings.engine.queue.model import MILLISECOND
from tidings.features.accounts import clocks

CLAIM_MAX = 500
BUSY_POLL = 0.01  # seconds, while a worker still runs jobs of the account
DEADLINE_POLL = 0.25  # seconds, while our own jobs run


async def move(tx: Tx, accounts: list[UUID], pools: list[str], by: timedelta) -> None:
    """Move clocks, and the due times of the jobs in these pools with them."""
    for account_id, clock in (await clocks.move_clocks(tx, accounts, by)).items():
        await queue.move_clock(tx, account_id, pools, clock)


@dataclass(frozen=True, slots=True)
class ClockAdvance:
    """Advances the clocks of some accounts together, up to a deadline of the monotonic clock."""

    ctx: Context
    accounts: list[UUID]
    pools: list[str]
    deadline: float

    @classmethod
    def within(cls, ctx: Context, accounts: list[UUID], pools: list[str], limit: timedelta) -> Self:
        return cls(ctx, accounts, pools, ctx.clock.monotonic() + limit.total_seconds())

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.deadline - self.ctx.clock.monotonic())

    async def run(self, by: timedelta) -> timedelta:
        """Move the clocks by `by`; how much of it is left at the deadline."""
        left, last = by, None
        while left:
            # The next due time is known only after all due jobs have ended.
            is_idle = await self.drain(limits.CLOCK_STEP_WAIT)
            if not self.seconds_left:
                return left
            longest = left if is_idle else min(left, limits.CLOCK_STEP_MIN)
            step, last = await self.ctx.db.transact(partial(self._step, longest=longest, last=last))
            left -= step
            self.ctx.accounts_changed(self.accounts)
        await self.drain(limits.CLOCK_FOLLOW_WAIT)
        return left

    async def _step(
        self, tx: Tx, longest: timedelta, last: datetime | None
    ) -> tuple[timedelta, datetime]:
        """Move to the next due job, or by `longest`; the step and its timestamp.

        `last` is the timestamp of the step before. The real time since then is part of this step:
        if it were added, a number's slots of that time would be lost, and a long batch would fall
        further and further behind.
        """
        earliest = tx.now if last is None else max(last, tx.now - limits.CLOCK_STEP_MIN)
        dues = [await stats.next_due_of_account(tx, one, self.pools) for one in self.accounts]
        targets = [max(due, earliest + limits.CLOCK_STEP_MIN) for due in dues if due is not None]
        step = min([longest, *(_ceil_ms(target - tx.now) for target in targets)])
        await move(tx, self.accounts, self.pools, step)
        return step, tx.now

    async def drain(self, patience: timedelta) -> bool:
        """Run all due jobs, and wait for those that workers are running. Whether none is left.

        Real time goes on meanwhile and makes more jobs due, in a long batch without end. So this
        returns False after `patience`, once everything has ended that was due at the start.
        """
        started = self.ctx.clock.now()
        enough = self.ctx.clock.monotonic() + patience.total_seconds()
        while self.seconds_left:
            if await self._run_due_jobs():
                is_late = self.ctx.clock.monotonic() > enough
                if is_late and not await self._is_busy(started):
                    return False
            elif not await self._is_busy():
                return True
            else:
                await asyncio.sleep(BUSY_POLL)
        return False

    async def _run_due_jobs(self) -> int:
        return sum([await self._run_due_jobs_of(account_id) for account_id in self.accounts])

    async def _run_due_jobs_of(self, account_id: UUID) -> int:
        """How many. Those that have not ended by the deadline continue in the background."""
        jobs = await self.ctx.db.transact(lambda tx: _claim(tx, account_id, self.pools))
        running = self.ctx.clock_executor.start(jobs, CLAIM_MAX)
        while self.seconds_left and not all(task.done() for task in running):
            await asyncio.wait(running, timeout=min(self.seconds_left, DEADLINE_POLL))
        return len(jobs)

    async def _is_busy(self, due_by: datetime | None = None) -> bool:
        return await self.ctx.db.transact(lambda tx: _has_unfinished(tx, self, due_by))


def _ceil_ms(wait: timedelta) -> timedelta:
    """Rounded up to milliseconds, the unit of clock offsets; at least one, so that time moves."""
    return max(-(-wait // MILLISECOND), 1) * MILLISECOND


async def _claim(tx: Tx, account_id: UUID, pools: list[str]) -> list[Job]:
    """Before that, move jobs that a worker rescheduled by the old offset while the clock moved."""
    clock = (await clocks.load_clocks(tx, [account_id]))[account_id]
    await queue.move_clock(tx, account_id, pools, clock)
    claimer = Claimer(AccountJobs(account_id, pools))
    return (await claimer.claim(tx, EqualShares(CLAIM_MAX))).jobs


async def _has_unfinished(tx: Tx, advance: ClockAdvance, due_by: datetime | None) -> bool:
    offsets = await clocks.load_clocks(tx, advance.accounts)
    counts = [
        await stats.count_unfinished(tx, account_id, advance.pools, clock, due_by)
        for account_id, clock in offsets.items()
    ]
    return any(counts)
