"""What held an account's messages back is gone: let them look again now (`messages.resume`)."""

from functools import partial

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job

from .dispatch import SENDING_POOLS


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of the job that the billing slice, below this one, puts."""
    for job in jobs:
        await ctx.db.transact(partial(_resume, job=job))


async def _resume(tx: Tx, job: Job) -> None:
    await queue.run_now(tx, job.account_id, SENDING_POOLS)
    await queue.complete(tx, [job])
