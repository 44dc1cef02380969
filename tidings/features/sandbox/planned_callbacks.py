"""Apply the callbacks that the sandbox platform scheduled, when they fall due.

Statuses and replies are applied in separate transactions, because they lock in different orders.
"""

from datetime import datetime
from functools import partial
from itertools import takewhile

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, Reschedule
from tidings.features.accounts.lookup import load_accounts
from tidings.features.callbacks.ingest import AccountCallback, apply
from tidings.features.messages.state.changes import Overtaken
from tidings.platforms.port import InboundMessage, ScheduledCallback, StatusUpdate
from tidings.platforms.sandbox.platform import decode_callbacks, encode_callbacks


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `simulator.play`. Callbacks are applied in the transaction of their job."""
    schedules = {job.id: _schedule(job) for job in jobs}
    for kind in (StatusUpdate, InboundMessage):
        constant = [job for job in jobs if isinstance(schedules[job.id][0].callback, kind)]
        if constant:
            work = partial(_apply, ctx, jobs=constant, schedules=schedules)
            try:
                await ctx.db.transact(work)
            except Overtaken:
                await ctx.db.transact(partial(work, load_all=True))


def _schedule(job: Job) -> list[ScheduledCallback]:
    return sorted(decode_callbacks(job.payload or "[]"), key=lambda item: item.after)


async def _apply(
    ctx: Context,
    tx: Tx,
    jobs: list[Job],
    schedules: dict[int, list[ScheduledCallback]],
    *,
    load_all: bool = False,
) -> None:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    callbacks: list[tuple[datetime, AccountCallback]] = []
    done: list[Job] = []
    later: list[Reschedule] = []
    for job in jobs:
        account, schedule = accounts[job.account_id], schedules[job.id]
        sent_at = _sent_at(job, schedule)
        due = _due(schedule, sent_at, account.now(tx.now))
        callbacks += [(sent_at + item.after, (job.account_id, item.callback)) for item in due]
        rest = schedule[len(due) :]
        if rest:
            due_at = sent_at + rest[0].after - account.clock
            later.append(Reschedule(job, due_at, account.clock, encode_callbacks(rest).encode()))
        else:
            done.append(job)
    callbacks.sort(key=lambda item: item[0])
    await apply(ctx, tx, [item for _, item in callbacks], load_all=load_all)
    await queue.complete(tx, done)
    await queue.reschedule(tx, later)


def _due(
    schedule: list[ScheduledCallback], sent_at: datetime, now: datetime
) -> list[ScheduledCallback]:
    """The due callbacks up to the first of another kind, which the next run of the job applies."""
    kind = type(schedule[0].callback)
    return list(
        takewhile(lambda i: isinstance(i.callback, kind) and sent_at + i.after <= now, schedule)
    )


def _sent_at(job: Job, schedule: list[ScheduledCallback]) -> datetime:
    """In the account's time: the job was due with the first callback, `after` the send."""
    assert job.due_at is not None, "a claimed job has its due time"
    return job.due_at + job.clock - schedule[0].after
