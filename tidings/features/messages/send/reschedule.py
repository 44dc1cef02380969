"""Jobs of waiting messages that must run sooner than planned."""

from collections.abc import Sequence
from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.events.model import Unsent

from ..read import lookup_store
from ..state import store
from . import dispatch
from .dispatch import SENDING_POOLS


async def run_move_up(ctx: Context, jobs: list[Job]) -> None:
    """The handler: those that wait longest for a place look again, now."""
    for job in jobs:
        await ctx.db.transact(partial(_move_up, job=job))


async def _move_up(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    waiting = await lookup_store.find_granted(
        tx, account.id, dispatch.POOL, account.now(tx.now), limits.MOVE_UP_MAX
    )
    await queue.run_jobs_now(tx, dispatch.POOL, waiting)
    await queue.complete(tx, [job])


async def run_resume(ctx: Context, jobs: list[Job]) -> None:
    """The handler of the job that the billing slice, below this one, puts."""
    for job in jobs:
        await ctx.db.transact(partial(_resume, job=job))


async def _resume(tx: Tx, job: Job) -> None:
    await queue.run_now(tx, job.account_id, SENDING_POOLS)
    await queue.complete(tx, [job])


async def move_ends(tx: Tx, account: Account, unsent: Sequence[Unsent]) -> None:
    """A job that runs before the new end finds it by itself; one planned for later runs then."""
    if unsent:
        moved = await store.move_ends(tx, account.id, unsent)
        due = [(message_id.hex, end - account.clock) for message_id, end in moved.items()]
        await queue.run_by(tx, SENDING_POOLS, account.id, due)
