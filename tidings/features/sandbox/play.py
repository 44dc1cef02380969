"""Play what the simulator planned: callbacks that fall due in the account's own time."""

from datetime import datetime

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Again, Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.replies.ingest import Told, apply
from tidings.platforms.port import Planned
from tidings.platforms.simulator import planned


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `simulator.play`: the callback and the job's end are one transaction."""
    await ctx.db.transact(lambda tx: _play(ctx, tx, jobs))


async def _play(ctx: Context, tx: Tx, jobs: list[Job]) -> None:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    told: list[tuple[datetime, Told]] = []
    done: list[Job] = []
    later: list[Again] = []
    for job in jobs:
        account = accounts[job.account_id]
        now = account.now(tx.now)
        script = planned.load(job.payload or "[]")
        sent_at = _sent_at(job, script)
        rest = [item for item in script if sent_at + item.after > now]
        told += [
            (sent_at + item.after, (job.account_id, item.callback))
            for item in script
            if sent_at + item.after <= now
        ]
        if rest:
            due = sent_at + min(item.after for item in rest) - account.clock
            later.append(Again(job, due, account.clock, planned.dump(rest).encode()))
        else:
            done.append(job)
    told.sort(key=lambda item: item[0])
    await apply(ctx, tx, [item for _, item in told])
    await queue.finish(tx, done)
    await queue.again(tx, later)


def _sent_at(job: Job, script: list[Planned]) -> datetime:
    """In the account's time: the job was due at the first of what is left, the send before it."""
    assert job.due_at is not None, "a claimed job knows when it was due"
    return job.due_at + job.clock - min(item.after for item in script)
