"""Timers of invitations whose reply was not understood: the nudge and the end.

Also the job that moves them after the end of an event's invitations has moved (`event.moved`): the
invitations themselves were changed with the event; here the messages that still wait get the new
end and new timers are set. Timers of the old end find nothing to do.
"""

from datetime import datetime
from functools import partial
from uuid import UUID

import msgspec

from tidings import times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.events import invitation_states, invitations
from tidings.features.events.invitation_states import Prompt
from tidings.features.events.lookup import load_events
from tidings.features.events.model import Event as RegisteredEvent
from tidings.features.events.model import Invitation
from tidings.features.events.rules import nudge_after
from tidings.features.messages.read import lookup
from tidings.features.messages.send import reschedule as message_ends
from tidings.features.webhooks.publish import Event, publish

from . import events as reply_events

POOL = "timers"
PROMPT = "invitation.prompt"
NUDGE = "invitation.nudge"
EXPIRE = "invitation.expire"


class PromptPayload(msgspec.Struct, frozen=True):
    """Which text to send, and from which of our numbers: that of the conversation."""

    prompt: Prompt
    number: str


def prompt(tx: Tx, account: Account, invitation: Invitation, which: Prompt, number: str) -> NewJob:
    payload = msgspec.json.encode(PromptPayload(which, number))
    return _job(account, PROMPT, invitation, tx.now, payload)


def read_payload(job: Job) -> PromptPayload:
    return msgspec.json.decode(job.payload or "", type=PromptPayload)


def watch(
    account: Account, invitation: Invitation, event: RegisteredEvent | None, since: datetime
) -> list[NewJob]:
    """After the first reply that was not understood: a nudge, and the end."""
    end = invitation.expires_at
    found = [_job(account, EXPIRE, invitation, end - account.clock)]
    if event is not None and since + nudge_after(event) < end:
        due = since + nudge_after(event) - account.clock
        found.append(_job(account, NUDGE, invitation, due))
    return found


def _job(
    account: Account,
    kind: str,
    invitation: Invitation,
    due_at: datetime,
    payload: bytes | None = None,
) -> NewJob:
    return NewJob(
        account_id=account.id,
        pool=POOL,
        kind=kind,
        subject=invitation.message_id.hex,
        due_at=due_at,
        clock=account.clock,
        payload=payload,
    )


def invitation_key(job: Job) -> tuple[UUID, UUID]:
    """The invitation a job is about."""
    return (job.account_id, UUID(hex=job.subject))


async def run_nudges(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `invitation.nudge`."""
    await ctx.db.transact(lambda tx: _nudge(tx, jobs))


async def _nudge(tx: Tx, jobs: list[Job]) -> None:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    found = await invitations.lock(tx, [invitation_key(job) for job in jobs])
    prompts = []
    for invitation in found.values():
        account = accounts[invitation.account_id]
        text = invitation_states.nudge(invitation, account.now(tx.now))
        if text is not None and invitation.unclear is not None:
            number = invitation.unclear.number
            prompts.append(prompt(tx, account, invitation, text, number))
    await invitations.save(tx, list(found.values()))
    await queue.complete(tx, jobs)
    await queue.enqueue(tx, prompts)


async def run_expiries(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `invitation.expire`."""
    await ctx.db.transact(lambda tx: _expire(tx, jobs))


async def _expire(tx: Tx, jobs: list[Job]) -> None:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    found = await invitations.lock(tx, [invitation_key(job) for job in jobs])
    over = {
        key: invitation
        for key, invitation in found.items()
        if invitation_states.expired(invitation, accounts[key[0]].now(tx.now))
    }
    messages = await lookup.find_messages(tx, over)
    events = []
    for key, invitation in over.items():
        assert invitation.unclear is not None, "only what was not understood is unresolved"
        data = reply_events.unresolved_data(messages[key], invitation.unclear.data)
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


async def run_moved(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `event.moved`."""
    for job in jobs:
        await ctx.db.transact(partial(_move, job=job))


async def _move(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    unsent = await invitations.find_unsent(tx, account.id, job.subject)
    await message_ends.move_ends(tx, account, unsent)
    timers = await _timers(tx, account, job.subject)
    await queue.complete(tx, [job])
    await queue.enqueue(tx, timers)


async def _timers(tx: Tx, account: Account, event_id: str) -> list[NewJob]:
    keys = await invitations.find_unclear(tx, account.id, event_id)
    found = await invitations.find_all(tx, keys)
    event = (await load_events(tx, [(account.id, event_id)]))[account.id, event_id]
    timers = []
    for invitation in found.values():
        if invitation.unclear is not None and invitation.answer is None:
            since = times.parse(invitation.unclear.data["receivedAt"])
            timers += watch(account, invitation, event, since)
    return timers
