"""Run the jobs of waiting messages earlier: quota was released, sending resumed, an end moved."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.engine.queue.stats import find_accounts
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.events.model import Unsent

from ..read import lookup_store
from ..state import store
from . import dispatch
from .dispatch import SENDING_POOLS

RESUME_ALL = "sending.changed"  # all sending was paused or resumed
INSTALLATION = UUID(int=0)  # jobs that concern no single account have this one


async def run_move_up(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `limits.move_up`: messages with quota reserved for later try again now."""
    for job in jobs:
        await ctx.db.transact(partial(_move_up, job=job))


async def _move_up(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    waiting = await lookup_store.find_reserved(
        tx, account.id, dispatch.POOL, account.now(tx.now), limits.MOVE_UP_MAX
    )
    await queue.run_jobs_now(tx, dispatch.POOL, waiting)
    await queue.complete(tx, [job])


async def run_resume(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `messages.resume`, which the billing slice enqueues."""
    for job in jobs:
        await ctx.db.transact(partial(_resume, job=job))


async def _resume(tx: Tx, job: Job) -> None:
    await queue.run_now(tx, job.account_id, SENDING_POOLS)
    await queue.complete(tx, [job])


async def run_resume_all(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `sending.changed`: every account that has waiting messages, one by one."""
    for account_id in await ctx.db.transact(lambda tx: find_accounts(tx, SENDING_POOLS)):
        await ctx.db.transact(partial(queue.run_now, account_id=account_id, pools=SENDING_POOLS))
    await ctx.db.transact(lambda tx: queue.complete(tx, jobs))


async def move_ends(tx: Tx, account: Account, unsent: Sequence[Unsent]) -> None:
    """Invitations now end with their moved event (4.10): jobs run at the new end at the latest."""
    if unsent:
        moved = await store.move_ends(tx, account.id, unsent)
        due = [(message_id.hex, end - account.clock) for message_id, end in moved.items()]
        await queue.run_by(tx, SENDING_POOLS, account.id, due)
