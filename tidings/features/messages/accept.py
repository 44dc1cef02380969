"""Take messages into custody: the work of the accept lane (4.1).

Load every fact in a few set-based queries, decide one message after another in memory, save in a
few set-based statements, commit, answer everyone. A refused message leaves nothing behind.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Conflict, Tx
from tidings.engine.queue import Job, NewJob
from tidings.errors import ApiError
from tidings.features.events import invitations
from tidings.features.links.create import create as create_links
from tidings.features.recipients import contacts
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms.content import Content, Passcode

from . import facts as facts_of
from . import fates, news, store
from .decide import Decision, OptedOut, Repeat, decide
from .dispatch import SEND, Claimed, due_at, pool_of, priority_of
from .facts import Facts
from .model import Kind, Message, Wanted
from .states import Status

TURN = 50  # messages that are decided without a pause: about two milliseconds


class Accepted(msgspec.Struct, frozen=True):
    """What became of one wanted message. `claimed`: its maker hands it over at once."""

    message: Message
    duplicate: bool = False
    claimed: Claimed | None = None


async def accept(ctx: Context, wanted: list[Wanted]) -> list[Accepted | Exception]:
    """The work of the accept lane."""
    return await ctx.db.transact(lambda tx: accept_in(ctx, tx, wanted))


async def accept_in(
    ctx: Context, tx: Tx, wanted: Sequence[Wanted], *, storing: bool = True
) -> list[Accepted | Exception]:
    """The same inside somebody else's transaction; `storing` False only looks what would be."""
    return (await accept_with_facts(ctx, tx, wanted, storing=storing))[0]


async def accept_with_facts(
    ctx: Context, tx: Tx, wanted: Sequence[Wanted], *, storing: bool = True
) -> tuple[list[Accepted | Exception], Facts]:
    """And what it was decided upon, as it is afterwards: a batch asks when it will be done."""
    facts = await facts_of.load(ctx, tx, wanted)
    became = await _decide_all(wanted, facts, tx.now)
    decisions = [result for result in became if isinstance(result, Decision)]
    claimed = await _save(ctx, tx, facts, decisions) if decisions and storing else {}
    return [_accepted(result, claimed) for result in became], facts


async def _decide_all(
    wanted: Sequence[Wanted], facts: Facts, now: datetime
) -> list[Decision | Repeat | Exception]:
    """In short turns of the event loop, so that a large batch keeps nobody else waiting."""
    decided = [_decided(item, facts, now) for item in wanted[:TURN]]
    for start in range(TURN, len(wanted), TURN):
        await asyncio.sleep(0)
        decided += [_decided(item, facts, now) for item in wanted[start : start + TURN]]
    return decided


def _decided(wanted: Wanted, facts: Facts, now: datetime) -> Decision | Repeat | Exception:
    try:
        return decide(wanted, facts, now)
    except (ApiError, OptedOut) as refusal:
        return refusal


def _accepted(
    result: Decision | Repeat | Exception, claimed: dict[UUID, Claimed]
) -> Accepted | Exception:
    if isinstance(result, Decision):
        return Accepted(result.message, claimed=claimed.get(result.message.id))
    if isinstance(result, Repeat):
        return Accepted(result.message, duplicate=True)
    return result


async def _save(
    ctx: Context, tx: Tx, facts: Facts, decisions: list[Decision]
) -> dict[UUID, Claimed]:
    """In the order of locks: numbers, contacts, ids, messages, secrets, charges, jobs, outbox."""
    await facts.capacity.save(tx)
    await _meet(tx, facts, decisions)
    taken = await store.take_ids(tx, [decision.message for decision in decisions])
    if taken != len(decisions):
        raise Conflict  # another process took one of these ids just now: read again, and repeat
    await store.insert(tx, [(d.message, d.content, d.outside) for d in decisions])
    await invitations.open_all(tx, fates.of_new([decision.message for decision in decisions]))
    await create_links(tx, [decision.link for decision in decisions if decision.link])
    await _keep_passcodes(ctx, tx, decisions)
    await facts.credit.save(tx)
    claimed = await _put_jobs(tx, decisions)
    await publish(tx, [_event(decision) for decision in decisions if decision.tell])
    return claimed


async def _meet(tx: Tx, facts: Facts, decisions: list[Decision]) -> None:
    """A new guest knows us by the number that writes first."""
    strangers = []
    for decision in decisions:
        message = decision.message
        known = facts.people.get((message.account_id, message.recipient))
        if message.number is not None and (known is None or known.number is None):
            strangers.append((message.account_id, message.recipient, message.number))
    await contacts.meet(tx, strangers)


async def _keep_passcodes(ctx: Context, tx: Tx, decisions: list[Decision]) -> None:
    """Under a short-lived key outside the database, until sent or expired."""
    kept = [decision for decision in decisions if decision.passcode is not None]
    if kept:
        await ctx.vault.put(
            tx,
            [(d.account.id, d.message.id.hex, d.passcode) for d in kept if d.passcode],
            [_real(decision, decision.message.deadline) for decision in kept],
        )


def _real(decision: Decision, moment: datetime | None) -> datetime:
    assert moment is not None, "a passcode has an end"
    return moment - decision.account.clock


async def _put_jobs(tx: Tx, decisions: list[Decision]) -> dict[UUID, Claimed]:
    waiting = [d for d in decisions if d.message.status is not Status.FAILED]
    jobs = [_job(tx, decision) for decision in waiting]
    job_ids = await queue.put(tx, jobs)
    return {
        decision.message.id: _claimed(decision, Job(job_id, job.account_id, SEND, job.subject, 1))
        for decision, job, job_id in zip(waiting, jobs, job_ids, strict=True)
        if job.leased
    }


def _job(tx: Tx, decision: Decision) -> NewJob:
    message, account = decision.message, decision.account
    return NewJob(
        account_id=account.id,
        pool=pool_of(message),
        kind=SEND,
        subject=message.id.hex,
        due_at=due_at(message, account, tx.now),
        clock=account.clock,
        priority=priority_of(message),
        leased=message.status is Status.SENDING,
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
    if decision.message.kind == Kind.PASSCODE and isinstance(content, Passcode):
        assert decision.passcode is not None, "a passcode is accepted with its code"
        return Passcode(content.name, content.language, decision.passcode.reveal())
    return content


def _event(decision: Decision) -> Event:
    message, at = decision.message, decision.message.created_at
    assert decision.tell is not None, "asked only of what is told"
    tell = news.deferred if decision.tell == "message.deferred" else news.status
    return tell(decision.account, message, at)
