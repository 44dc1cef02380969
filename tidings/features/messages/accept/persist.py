"""Write accepted messages down, in the order of locks: numbers, contacts, ids, messages, secrets,
jobs, charges, outbox.

`keep` writes messages, a part of a batch at a time; `close` once, at the end, what all of them
together have drawn on. The numbers are locked before either.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.events import invitations
from tidings.features.links.create import create as create_links
from tidings.features.media import references as uses
from tidings.features.media.model import FileUse
from tidings.features.recipients import contacts
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms.content import Content, Passcode

from ..model import Message, MessageKind, Status
from ..send.dispatch import SEND, Claimed, due_at, pool_of, priority_of
from ..state import events as message_events
from ..state import side_effects, store
from . import idempotency_store
from .decide import Decision
from .inputs import AcceptanceInputs

SENDING, FAILED = Status.SENDING, Status.FAILED  # found once


Claims = dict[UUID, Claimed]  # messages that their makers hand over at once, by id


async def persist(
    ctx: Context, tx: Tx, inputs: AcceptanceInputs, decisions: Sequence[Decision]
) -> Claims:
    await _save_contacts(tx, inputs)
    await idempotency_store.take_ids(
        tx, [decision.message for decision in decisions], inputs.used_ids
    )
    await store.insert(tx, [(d.message, d.content, d.outside) for d in decisions])
    await invitations.open_all(
        tx, side_effects.new_invitations((d.message, d.ends_with_event) for d in decisions)
    )
    await create_links(tx, [decision.link for decision in decisions if decision.link])
    await uses.assign(tx, [_use(d.message, d.file) for d in decisions if d.file is not None])
    await _persist_passcodes(ctx, tx, decisions)
    return await _put_jobs(tx, decisions)


async def persist_totals(
    ctx: Context, tx: Tx, inputs: AcceptanceInputs, decisions: Sequence[Decision]
) -> None:
    """What they took of the numbers' rates and limits, what they cost, what is told at once."""
    await inputs.capacity.save(tx)
    await inputs.funding.save(tx)
    await publish(tx, [_event(decision) for decision in decisions if decision.tell])
    side_effects.count_statuses(
        ctx, tx, (d.message.status for d in decisions if d.message.status is FAILED)
    )


async def _save_contacts(tx: Tx, inputs: AcceptanceInputs) -> None:
    """The guests who were given a number, each once. While this part of a batch is written the next
    is being decided: some of its guests may come along."""
    strangers, inputs.strangers = inputs.strangers, []
    unnamed, inputs.unnamed = inputs.unnamed, []
    await contacts.add(tx, strangers)
    await contacts.meet(tx, unnamed)


def _use(message: Message, file: FileUse) -> uses.NewUse:
    return uses.NewUse(message.account_id, message.id, file.media_id, file.hold)


async def _persist_passcodes(ctx: Context, tx: Tx, decisions: Sequence[Decision]) -> None:
    """Under a short-lived key outside the database, until sent or expired."""
    kept = [decision for decision in decisions if decision.passcode is not None]
    if kept:
        await ctx.vault.put(
            tx,
            [(d.account.id, d.message.id.hex, d.passcode) for d in kept if d.passcode],
            [_real(decision, decision.message.deadline) for decision in kept],
        )


def _real(decision: Decision, timestamp: datetime | None) -> datetime:
    assert timestamp is not None, "a passcode has an end"
    return timestamp - decision.account.clock


async def _put_jobs(tx: Tx, decisions: Sequence[Decision]) -> Claims:
    waiting = [d for d in decisions if d.message.status is not FAILED]
    jobs = [_job(tx, decision) for decision in waiting]
    if not any(job.leased for job in jobs):
        await queue.enqueue(tx, jobs)
        return {}
    job_ids = await queue.enqueue(tx, jobs, returning=True)
    return {
        decision.message.id: _claimed(decision, Job(job_id, job.account_id, SEND, job.subject, 1))
        for decision, job, job_id in zip(waiting, jobs, job_ids, strict=True)
        if job.leased
    }


def _job(tx: Tx, decision: Decision) -> NewJob:
    message, account = decision.message, decision.account
    return NewJob(
        account.id,
        pool_of(message),
        SEND,
        message.id.hex,
        due_at(message, account, tx.now),
        account.clock,
        priority_of(message),
        message.status is SENDING,
    )


def _claimed(decision: Decision, job: Job) -> Claimed:
    assert decision.number is not None, "a message that goes has a number"
    return Claimed(
        job=job,
        message=decision.message,
        content=_with_code(decision),
        account=decision.account,
        number=decision.number,
        slot=decision.slot,
    )


def _with_code(decision: Decision) -> Content:
    """What goes over the wire: a passcode's code is put in only here, in memory."""
    content = decision.content
    if decision.message.kind == MessageKind.PASSCODE and isinstance(content, Passcode):
        assert decision.passcode is not None, "a passcode is accepted with its code"
        return Passcode(content.name, content.language, decision.passcode.reveal())
    return content


def _event(decision: Decision) -> Event:
    message, at = decision.message, decision.message.created_at
    assert decision.tell is not None, "asked only of what is told"
    tell = message_events.deferred if decision.tell == "message.deferred" else message_events.status
    return tell(decision.account, message, at)
