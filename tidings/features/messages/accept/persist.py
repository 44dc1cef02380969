"""Write accepted messages, in the order of locks: contacts, idempotency keys, messages, secrets,
jobs, charges, outbox. Accounts and numbers come before (`AcceptanceInputs.save_reservations`).

`persist` writes one part of a batch; `persist_totals` once, at the end, what all parts have used.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings import limits
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
from ..state import counts, events, side_effects, store
from . import idempotency_store
from .decide import Decision
from .inputs import AcceptanceInputs

SENDING, FAILED = Status.SENDING, Status.FAILED  # looking up an enum member is slow
Claims = dict[UUID, Claimed]  # by message id: messages that the caller dispatches right away


async def persist(
    ctx: Context, tx: Tx, inputs: AcceptanceInputs, decisions: Sequence[Decision]
) -> Claims:
    await _save_contacts(tx, decisions)
    await idempotency_store.claim(tx, [decision.message for decision in decisions], inputs.used_ids)
    await store.insert(tx, [(d.message, d.content, d.fallback) for d in decisions])
    await invitations.open_all(
        tx, side_effects.new_invitations((d.message, d.ends_with_event) for d in decisions)
    )
    await create_links(tx, [decision.link for decision in decisions if decision.link])
    await uses.assign(tx, [_use(d.message, d.file) for d in decisions if d.file is not None])
    await _persist_passcodes(ctx, tx, decisions)
    return await _enqueue(tx, decisions)


async def persist_totals(
    ctx: Context, tx: Tx, inputs: AcceptanceInputs, decisions: Sequence[Decision]
) -> None:
    """Charges and events; and the metrics: accepted messages, and those that failed at once."""
    await inputs.funding.save(tx)
    await publish(tx, [_event(decision) for decision in decisions if decision.event_type])
    counts.count_accepted(ctx, tx, ((d.message.kind, d.account.environment) for d in decisions))
    failed = (d for d in decisions if d.message.status is FAILED)
    counts.count_statuses(ctx, tx, (counts.reached(d.message, d.account) for d in failed))


async def _save_contacts(tx: Tx, decisions: Sequence[Decision]) -> None:
    """The recipients who got a number by these messages, each once."""
    reserved = [d.reserved for d in decisions if d.reserved.contact is not None]
    await contacts.add(tx, [r.contact for r in reserved if r.is_new_contact and r.contact])
    known = [r.contact for r in reserved if not r.is_new_contact and r.contact]
    await contacts.meet(tx, known, all_new=True)


def _use(message: Message, file: FileUse) -> uses.NewUse:
    return uses.NewUse(message.account_id, message.id, file.media_id, file.hold)


async def _persist_passcodes(ctx: Context, tx: Tx, decisions: Sequence[Decision]) -> None:
    """Encrypted with a short-lived key outside the database, until sent or expired."""
    secret = [decision for decision in decisions if decision.passcode is not None]
    if secret:
        await ctx.vault.put(
            tx,
            [(d.account.id, d.message.id.hex, d.passcode) for d in secret if d.passcode],
            [_real_deadline(decision) for decision in secret],
        )


def _real_deadline(decision: Decision) -> datetime:
    deadline = decision.message.deadline
    assert deadline is not None, "a passcode has a deadline"
    return deadline - decision.account.clock


async def _enqueue(tx: Tx, decisions: Sequence[Decision]) -> Claims:
    """What is sent right away shares the lease of a group. What is due before the next claim, as
    the first messages of a batch, goes to this process's worker if nothing else waits for it. The
    rest waits in the queue."""
    now = [decision for decision in decisions if decision.message.status is SENDING]
    later = [_job(tx, d) for d in decisions if d.message.status not in (SENDING, FAILED)]
    soon = tx.now + limits.SEND_GATHER
    await queue.enqueue_here(tx, [job for job in later if job.due_at <= soon])
    await queue.enqueue(tx, [job for job in later if job.due_at > soon])
    jobs = await queue.lease_group(tx, [_job(tx, decision) for decision in now])
    return {
        decision.message.id: _claimed(decision, job)
        for decision, job in zip(now, jobs, strict=True)
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
    )


def _claimed(decision: Decision, job: Job) -> Claimed:
    assert decision.number is not None, "a message is sent from a number"
    return Claimed(
        job=job,
        message=decision.message,
        content=_with_code(decision),
        account=decision.account,
        number=decision.number,
        slot=decision.reserved.slot,
    )


def _with_code(decision: Decision) -> Content:
    """The content to send: the code is added only here, in memory."""
    content = decision.content
    if decision.message.kind == MessageKind.PASSCODE and isinstance(content, Passcode):
        assert decision.passcode is not None, "a passcode is accepted with its code"
        return Passcode(content.name, content.language, decision.passcode.reveal())
    return content


def _event(decision: Decision) -> Event:
    message, at = decision.message, decision.message.created_at
    if decision.event_type == "message.deferred":
        return events.deferred(decision.account, message, at)
    return events.status(decision.account, message, at)
