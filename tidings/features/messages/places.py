"""Places within the rolling limits that a message was granted and will not need.

Others that wait move up into them (`limits.move_up`): each that does gives its own place back, so
that the next in line looks too.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.senders import capacity
from tidings.features.senders.capacity import HeldQuota

from . import dispatch, store, timeouts
from .model import Message
from .states import REFUNDED

MOVE_UP = "limits.move_up"
NEVER_LEFT = {"failed", "deferred"}  # outcomes of attempts that the platform refused


async def give_back_unused(
    tx: Tx, accounts: Mapping[UUID, Account], messages: Iterable[Message]
) -> None:
    """A message that ended without ever leaving us frees its place for another."""
    unused = [
        HeldQuota(
            message.account_id, message.recipient, message.reserved_at, message.recipient_counter
        )
        for message in messages
        if message.reserved_at is not None and _never_left(message)
    ]
    if unused:
        await capacity.release_all(tx, unused)
        await let_others_up(tx, accounts, unused)


def _never_left(message: Message) -> bool:
    """What the platform took, or may have taken, counts even if it failed later."""
    return message.status in REFUNDED and all(
        attempt.outcome in NEVER_LEFT for attempt in message.attempts
    )


async def let_others_up(
    tx: Tx, accounts: Mapping[UUID, Account], freed: Iterable[HeldQuota]
) -> None:
    """Not at once: what ends together is looked at together."""
    due = tx.now + limits.MOVE_UP_WAIT
    owners = {place.account_id for place in freed}
    jobs = [
        NewJob(owner, timeouts.POOL, MOVE_UP, MOVE_UP, due, accounts[owner].clock, once=MOVE_UP)
        for owner in sorted(owners)
    ]
    await queue.put(tx, jobs)


async def run_move_up(ctx: Context, jobs: list[Job]) -> None:
    """The handler: those that wait longest for a place look again, now."""
    for job in jobs:
        await ctx.db.transact(partial(_move_up, job=job))


async def _move_up(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    waiting = await store.find_granted(
        tx, account.id, dispatch.POOL, account.now(tx.now), limits.MOVE_UP_MAX
    )
    await queue.hasten_these(tx, dispatch.POOL, waiting)
    await queue.finish(tx, [job])
