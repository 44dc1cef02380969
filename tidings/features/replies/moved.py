"""After the end of an event's invitations has moved (`event.moved`): what depends on it follows.

The invitations themselves were changed with the event. Here the messages that still wait get the
new end, and the timers of replies that were not understood are set anew; timers of the old end find
nothing to do.
"""

from functools import partial

from tidings import times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.events import ends, invitations
from tidings.features.events.lookup import load_events
from tidings.features.messages.send import reschedule as message_ends

from . import jobs as kinds


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `event.moved`."""
    for job in jobs:
        await ctx.db.transact(partial(_follow, job=job))


async def _follow(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    unsent = await ends.find_unsent(tx, account.id, job.subject)
    await message_ends.move_ends(tx, account, unsent)
    timers = await _timers(tx, account, job.subject)
    await queue.complete(tx, [job])
    await queue.enqueue(tx, timers)


async def _timers(tx: Tx, account: Account, event_id: str) -> list[NewJob]:
    keys = await ends.find_unclear(tx, account.id, event_id)
    found = await invitations.find_all(tx, keys)
    event = (await load_events(tx, [(account.id, event_id)]))[account.id, event_id]
    timers = []
    for invitation in found.values():
        if invitation.unclear is not None and invitation.answer is None:
            since = times.parse(invitation.unclear.told["receivedAt"])
            timers += kinds.watch(account, invitation, event, since)
    return timers
