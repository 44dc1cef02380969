"""Play what the simulator planned: callbacks that fall due in the account's own time.

Statuses and replies are played in transactions of their own, so that each keeps the order of locks.
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
from tidings.platforms.port import InboundMessage, ScheduledCallback, StatusUpdate
from tidings.platforms.sandbox.platform import decode_callbacks, encode_callbacks


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `simulator.play`: the callback and the job's end are one transaction."""
    scripts = {job.id: _script(job) for job in jobs}
    for kind in (StatusUpdate, InboundMessage):
        turn = [job for job in jobs if isinstance(scripts[job.id][0].callback, kind)]
        if turn:
            await ctx.db.transact(partial(_play, ctx, jobs=turn, scripts=scripts))


def _script(job: Job) -> list[ScheduledCallback]:
    return sorted(decode_callbacks(job.payload or "[]"), key=lambda item: item.after)


async def _play(
    ctx: Context, tx: Tx, jobs: list[Job], scripts: dict[int, list[ScheduledCallback]]
) -> None:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    told: list[tuple[datetime, AccountCallback]] = []
    done: list[Job] = []
    later: list[Reschedule] = []
    for job in jobs:
        account, script = accounts[job.account_id], scripts[job.id]
        sent_at = _sent_at(job, script)
        due = _due(script, sent_at, account.now(tx.now))
        told += [(sent_at + item.after, (job.account_id, item.callback)) for item in due]
        rest = script[len(due) :]
        if rest:
            timestamp = sent_at + rest[0].after - account.clock
            later.append(Reschedule(job, timestamp, account.clock, encode_callbacks(rest).encode()))
        else:
            done.append(job)
    told.sort(key=lambda item: item[0])
    await apply(ctx, tx, [item for _, item in told])
    await queue.complete(tx, done)
    await queue.reschedule(tx, later)


def _due(
    script: list[ScheduledCallback], sent_at: datetime, now: datetime
) -> list[ScheduledCallback]:
    """What has fallen due, as far as it is of one kind: what follows has a turn of its own."""
    kind = type(script[0].callback)
    return list(
        takewhile(lambda i: isinstance(i.callback, kind) and sent_at + i.after <= now, script)
    )


def _sent_at(job: Job, script: list[ScheduledCallback]) -> datetime:
    """In the account's time: the job was due at the first of what is left, the send before it."""
    assert job.due_at is not None, "a claimed job knows when it was due"
    return job.due_at + job.clock - script[0].after
