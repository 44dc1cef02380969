"""What time tells of invitations whose guest was not understood: the nudge, and the end."""

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.events import invitations, moves
from tidings.features.messages.read import lookup
from tidings.features.webhooks.publish import Event, publish

from . import events as reply_events
from . import jobs as kinds


async def run_nudges(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `invitation.nudge`."""
    await ctx.db.transact(lambda tx: _nudge(tx, jobs))


async def _nudge(tx: Tx, jobs: list[Job]) -> None:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    found = await invitations.lock(tx, [kinds.key(job) for job in jobs])
    prompts = []
    for invitation in found.values():
        account = accounts[invitation.account_id]
        text = moves.nudge(invitation, account.now(tx.now))
        if text is not None and invitation.unclear is not None:
            number = invitation.unclear.number
            prompts.append(kinds.prompt(tx, account, invitation, text, number))
    await invitations.save(tx, list(found.values()))
    await queue.complete(tx, jobs)
    await queue.enqueue(tx, prompts)


async def run_expiries(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `invitation.expire`."""
    await ctx.db.transact(lambda tx: _expire(tx, jobs))


async def _expire(tx: Tx, jobs: list[Job]) -> None:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    found = await invitations.lock(tx, [kinds.key(job) for job in jobs])
    over = {
        key: invitation
        for key, invitation in found.items()
        if moves.expired(invitation, accounts[key[0]].now(tx.now))
    }
    messages = await lookup.find_messages(tx, over)
    events = []
    for key, invitation in over.items():
        assert invitation.unclear is not None, "only what was not understood is unresolved"
        data = reply_events.unresolved_data(messages[key], invitation.unclear.told)
        account = accounts[key[0]]
        at = account.now(tx.now)
        events.append(
            Event(
                account,
                reply_events.UNRESOLVED,
                at,
                data,
                invitation.message_id,
                invitation.event_id,
            )
        )
    await invitations.save(tx, list(over.values()))
    await queue.complete(tx, jobs)
    await publish(tx, events)
