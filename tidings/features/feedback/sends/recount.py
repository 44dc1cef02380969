"""Keep the number of sent forms true when a message fails, or arrives after all.

The messages slice, below this one, enqueues the job with the change of the message's status.
"""

from functools import partial
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.messages.model import REFUNDED
from tidings.features.messages.read.lookup import find_messages

from . import store


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `feedback.recount`."""
    await ctx.db.transact(partial(_recount, jobs=jobs))


async def _recount(tx: Tx, jobs: list[Job]) -> None:
    messages = await find_messages(tx, [(job.account_id, UUID(hex=job.subject)) for job in jobs])
    failed = {key: messages[key].status in REFUNDED for key in sorted(messages)}
    await store.recount(tx, failed)
    await queue.complete(tx, jobs)
