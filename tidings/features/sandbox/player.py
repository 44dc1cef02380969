"""Plays the time of sandbox accounts: the clock goes forward in steps to the next due job, and the
jobs run under the clock of their step (contract.md, `/sandbox/v1/clock`).

Every step writes the due times of all waiting jobs anew, so the steps end when the time limit is
reached: jobs that are due and cannot be run are no reason to step.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Self
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, claim
from tidings.engine.queue.executor import groups, run_jobs
from tidings.engine.queue.model import MILLISECOND
from tidings.features.accounts import clocks

log = structlog.get_logger()

CLAIM_MAX = 500
LOOK_AGAIN = 0.01  # seconds, while a worker still runs one of the account's jobs
LOOK_AT_CLOCK = 0.25  # seconds, while jobs of our own run


async def move(tx: Tx, accounts: list[UUID], pools: list[str], by: timedelta) -> None:
    """Move clocks, and bring the jobs of these pools to where they stand now."""
    for account_id, clock in (await clocks.move_clocks(tx, accounts, by)).items():
        await queue.move_clock(tx, account_id, pools, clock)


@dataclass(frozen=True, slots=True)
class Player:
    """Plays the time of some accounts, until a monotonic deadline at most."""

    ctx: Context
    accounts: list[UUID]
    pools: list[str]
    finish_by: float

    @classmethod
    def until(cls, ctx: Context, accounts: list[UUID], pools: list[str], limit: timedelta) -> Self:
        return cls(ctx, accounts, pools, ctx.clock.monotonic() + limit.total_seconds())

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.finish_by - self.ctx.clock.monotonic())

    async def play(self, by: timedelta) -> timedelta:
        """Move the clocks by `by`, step by step; how much of it is left when time is up."""
        left, last = by, None
        while left:
            # What is due, or under way, must have ended before the next due time can be known.
            quiet = await self.drain(limits.CLOCK_STEP_WAIT)
            if not self.seconds_left:
                return left
            longest = left if quiet else min(left, limits.CLOCK_STEP_MIN)
            step, last = await self.ctx.db.transact(partial(self._step, longest=longest, last=last))
            left -= step
            self.ctx.accounts_changed()
        await self.drain(limits.CLOCK_FOLLOW_WAIT)
        return left

    async def _step(
        self, tx: Tx, longest: timedelta, last: datetime | None
    ) -> tuple[timedelta, datetime]:
        """To the next job that falls due, or as far as there is to go; when it was made. `last`:
        when the last one was. Time that has passed by itself since is a part of this step: were it
        added, a number's slots of that time would be lost, and a long batch fall ever further back.
        """
        least = tx.now if last is None else max(last, tx.now - limits.CLOCK_STEP_MIN)
        dues = [await claim.next_due_of_account(tx, one, self.pools) for one in self.accounts]
        timestamps = [max(due, least + limits.CLOCK_STEP_MIN) for due in dues if due is not None]
        step = min([longest, *(_whole(timestamp - tx.now) for timestamp in timestamps)])
        await move(tx, self.accounts, self.pools, step)
        return step, tx.now

    async def drain(self, patience: timedelta) -> bool:
        """Run what is due now, and wait for what other workers of the account are at. Whether all
        is quiet then: our own time goes on meanwhile and brings more, of a long batch without end.
        That is not waited for longer than `patience`, once all has ended that was due before."""
        began = self.ctx.clock.now()
        enough = self.ctx.clock.monotonic() + patience.total_seconds()
        while self.seconds_left:
            if await self._run_all():
                late = self.ctx.clock.monotonic() > enough
                if late and not await self._is_busy(began):
                    return False
            elif not await self._is_busy():
                return True
            else:
                await asyncio.sleep(LOOK_AGAIN)
        return False

    async def _run_all(self) -> int:
        return sum([await self._run_due(one) for one in self.accounts])

    async def _run_due(self, account_id: UUID) -> int:
        """Those that have not ended by the time limit go on by themselves."""
        jobs = await self.ctx.db.transact(lambda tx: _claim(tx, account_id, self.pools))
        jobs.sort(key=lambda job: job.kind)  # stable: the order within a kind stays
        runs = [
            asyncio.create_task(run_jobs(self.ctx.db, self.ctx.job_kinds[kind], group))
            for kind, same in groupby(jobs, key=lambda job: job.kind)
            for group in groups(list(same), CLAIM_MAX)
        ]
        for run in runs:
            self.ctx.clock_runs.add(run)
            run.add_done_callback(self._ended)
        while self.seconds_left and not all(run.done() for run in runs):
            await asyncio.wait(runs, timeout=min(self.seconds_left, LOOK_AT_CLOCK))
        return len(jobs)

    def _ended(self, run: asyncio.Task[None]) -> None:
        self.ctx.clock_runs.discard(run)
        fault = None if run.cancelled() else run.exception()
        if fault is not None:  # its lease runs out, as with any worker
            log.error("clock.job_failed", exc_info=fault)

    async def _is_busy(self, began_by: datetime | None = None) -> bool:
        return await self.ctx.db.transact(lambda tx: _busy(tx, self, began_by))


def _whole(wait: timedelta) -> timedelta:
    """In milliseconds, as clocks are kept; at least one, so that time goes on."""
    return max(-(-wait // MILLISECOND), 1) * MILLISECOND


async def _claim(tx: Tx, account_id: UUID, pools: list[str]) -> list[Job]:
    """A worker with a job in hand when the clock moved put it back by the old one: mend that."""
    clock = (await clocks.load_clocks(tx, [account_id]))[account_id]
    await queue.move_clock(tx, account_id, pools, clock)
    return await claim.claim_of_account(tx, account_id, pools, CLAIM_MAX)


async def _busy(tx: Tx, player: Player, began_by: datetime | None) -> bool:
    offsets = await clocks.load_clocks(tx, player.accounts)
    counts = [
        await claim.unsettled_of_account(tx, account, player.pools, clock, began_by)
        for account, clock in offsets.items()
    ]
    return any(counts)
