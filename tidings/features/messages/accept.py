"""Take messages into custody: repeat, refuse, or accept (4.1). The work of the accept lane.

Load every fact in a few set-based queries, decide one message after another in memory, save in a
few set-based statements, commit, answer everyone. A refused message leaves nothing behind.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings import ids, limits, times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Conflict, Tx
from tidings.engine.queue import Job, NewJob
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import STRANGER, Contact
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.senders.rules import decide_number
from tidings.features.templates import lookup as templates
from tidings.features.templates.model import Template
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms import failures
from tidings.platforms.content import Content

from . import moves, present, rules, store
from .dispatch import POOL, SEND, Claimed, due_at
from .model import Message, Step, Wanted
from .states import Status

Original = tuple[datetime, Message]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of one wanted message. `claimed`: its maker hands it over at once."""

    message: Message
    duplicate: bool = False
    claimed: Claimed | None = None


@dataclass(slots=True)
class Facts:
    """All that the rules need to know about one batch."""

    accounts: dict[UUID, Account]
    originals: dict[tuple[UUID, str], Original]
    people: dict[contacts.Key, Contact]
    numbers: dict[UUID, list[Number]]
    templates: dict[tuple[UUID, str], list[Template]]


@dataclass(frozen=True, slots=True)
class Decision:
    """A message to be stored, and what follows from it."""

    message: Message
    content: Content
    account: Account
    number: Number | None
    expires_at: datetime | None
    tell: str | None = None  # the kind of event to publish at once


async def accept(ctx: Context, wanted: list[Wanted]) -> list[Accepted | Exception]:
    return await ctx.db.transact(lambda tx: _accept(tx, wanted))


async def _accept(tx: Tx, wanted: list[Wanted]) -> list[Accepted | Exception]:
    facts = await _load(tx, wanted)
    results: list[Accepted | Decision | Exception] = []
    for item in wanted:
        try:
            results.append(_decide(item, facts, tx.now))
        except ApiError as refusal:
            results.append(refusal)
    decisions = [result for result in results if isinstance(result, Decision)]
    claimed = await _save(tx, decisions) if decisions else {}
    return [
        Accepted(result.message, claimed=claimed.get(result.message.id))
        if isinstance(result, Decision)
        else result
        for result in results
    ]


async def _load(tx: Tx, wanted: Sequence[Wanted]) -> Facts:
    account_ids = sorted({item.account_id for item in wanted})
    accounts = await load_accounts(tx, account_ids)
    named = {(item.account_id, item.template.name) for item in wanted if item.template}
    named |= {(a.id, a.default_template) for a in accounts.values() if a.default_template}
    return Facts(
        accounts=accounts,
        originals=await store.find_originals(
            tx, [(item.account_id, item.client_message_id) for item in wanted]
        ),
        people=await contacts.load(tx, [(item.account_id, item.to) for item in wanted]),
        numbers=await load_numbers(tx, account_ids),
        templates=await templates.load(tx, sorted(named)) if named else {},
    )


def _decide(wanted: Wanted, facts: Facts, real_now: datetime) -> Accepted | Decision:
    account = facts.accounts[wanted.account_id]
    now = account.now(real_now)
    key = (account.id, wanted.client_message_id)
    original = facts.originals.get(key)
    if original is not None and now - original[0] < limits.REPEAT_WINDOW:
        return Accepted(copy(original[1]), duplicate=True)
    decision = _decide_new(wanted, account, facts, now)
    facts.originals[key] = (now, decision.message)
    return decision


def _decide_new(wanted: Wanted, account: Account, facts: Facts, now: datetime) -> Decision:
    rules.require_times(wanted, now)
    person = facts.people.get((account.id, wanted.to), STRANGER)
    known = rules.number_in_conversation(person.heard, now) or person.number
    choice = decide_number(
        facts.numbers.get(account.id, []),
        asked=wanted.sent_from,
        policy=wanted.from_policy,
        known=known,
    )
    wish = rules.decide_template(wanted, account)
    versions = facts.templates.get((account.id, wish.name), []) if wish else []
    heard_at = person.heard.get(choice.waits_for or "")
    window_open = rules.is_window_open(heard_at, now)
    composed = rules.compose(wanted, wish, versions, window_open=window_open)
    rules.require_allowed(account, wanted.to)
    message = _new_message(wanted, now)
    message.number = choice.waits_for
    message.fallback_used = composed.fell_back or choice.other_than_asked
    if person.opted_out_at is not None:
        moves.failed(message, failures.RECIPIENT_OPTED_OUT, now)
        tell: str | None = "message.status"
    else:
        tell = _set_out(message, account, choice.number, now)
    return Decision(message, composed.content, account, choice.number, wanted.expires_at, tell)


def _new_message(wanted: Wanted, now: datetime) -> Message:
    return Message(
        account_id=wanted.account_id,
        id=ids.new_id(),
        client_message_id=wanted.client_message_id,
        kind=wanted.kind.value,
        recipient=wanted.to,
        status=Status.QUEUED,
        created_at=now,
        meta=wanted.meta,
        scheduled_for=wanted.scheduled_for,
        deadline=wanted.deadline,
        asked_number=wanted.sent_from,
        from_policy=wanted.from_policy,
        timeline=[Step(Status.QUEUED.value, times.to_wire(now))],
    )


def _set_out(
    message: Message, account: Account, number: Number | None, now: datetime
) -> str | None:
    """Send it now, or let it wait; the kind of event that says so."""
    when = rules.decide_when(account, number, message.scheduled_for, now)
    if isinstance(when, rules.SendNow):
        assert number is not None
        moves.claim(message, number.number, now)
        return None
    if when.reason is None:
        message.status = Status.SCHEDULED
        message.timeline[0].status = Status.SCHEDULED.value
        return None
    moves.held(message, when.reason, when.at, now)
    return "message.deferred"


async def _save(tx: Tx, decisions: list[Decision]) -> dict[UUID, Claimed]:
    taken = await store.take_ids(tx, [decision.message for decision in decisions])
    if taken != len(decisions):
        raise Conflict  # another process took one of these ids just now: read again, and repeat
    await contacts.meet(
        tx,
        (
            (d.account.id, d.message.recipient, d.message.number)
            for d in decisions
            if d.message.number
        ),
    )
    await store.insert(tx, [(decision.message, decision.content) for decision in decisions])
    waiting = [d for d in decisions if d.message.status is not Status.FAILED]
    jobs = [_job(tx, decision) for decision in waiting]
    job_ids = await queue.put(tx, jobs)
    await publish(tx, [_event(decision) for decision in decisions if decision.tell])
    return {
        decision.message.id: _claimed(decision, Job(job_id, job.account_id, SEND, job.subject, 1))
        for decision, job, job_id in zip(waiting, jobs, job_ids, strict=True)
        if job.leased
    }


def _job(tx: Tx, decision: Decision) -> NewJob:
    message, account = decision.message, decision.account
    return NewJob(
        account_id=account.id,
        pool=POOL,
        kind=SEND,
        subject=message.id.hex,
        due_at=due_at(message, account, tx.now),
        clock=account.clock,
        leased=message.status is Status.SENDING,
    )


def _claimed(decision: Decision, job: Job) -> Claimed:
    assert decision.number is not None
    return Claimed(
        job, decision.message, decision.content, decision.account, decision.number,
        decision.expires_at,
    )  # fmt: skip


def _event(decision: Decision) -> Event:
    message, at = decision.message, decision.message.created_at
    assert decision.tell is not None
    data = (
        present.deferred_event(message, at)
        if decision.tell == "message.deferred"
        else present.status_event(message, at)
    )
    return Event(decision.account, decision.tell, at, data, message.id)
