"""Hand messages over to the platform, and keep what it answered (contract.md, "Sending").

Three steps, never fewer: a transaction that writes down the intent (`sending`), the call with no
transaction open, a transaction that writes down the outcome. A crash between the first and the last
leaves a message whose outcome is unknown, and that is what the next claim finds.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Again, Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import STRANGER, Contact
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.senders.rules import decide_number
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms import failures
from tidings.platforms.content import Content
from tidings.platforms.port import Handover, Send, Sender

from . import moves, present, rules, store
from .model import Message
from .states import WAITING, Status

POOL = "send"
SEND = "message.send"


@dataclass(frozen=True, slots=True)
class Claimed:
    """A message on its way: the job that carries it, and what to hand over."""

    job: Job
    message: Message
    content: Content
    account: Account
    number: Number
    expires_at: datetime | None = None  # of an invitation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the platform answered; the outcome lane records many in one transaction."""

    claimed: Claimed
    handover: Handover


def due_at(message: Message, account: Account, real_now: datetime) -> datetime:
    """When the job must look at the message next, in real time: its turn, or its end."""
    moment = message.scheduled_for if message.status is Status.SCHEDULED else message.retry_at
    if message.unknown_since is not None:
        moment = message.unknown_since + limits.UNKNOWN_GRACE
    if moment is None:
        moment = account.now(real_now) + limits.HOLD_PROBE
    return min(moment, moves.give_up_at(message)) - account.clock


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `message.send`."""
    claimed = await ctx.db.transact(lambda tx: _begin(tx, jobs))
    if claimed:
        await hand_over(ctx, claimed)


async def hand_over(ctx: Context, claimed: list[Claimed]) -> None:
    """Call the platform, no transaction open, then write down what it said."""
    for environment, platform in ctx.platforms.items():
        going = [item for item in claimed if item.account.environment == environment]
        handovers = await platform.send([_send(ctx, item) for item in going])
        outcomes = map(Outcome, going, handovers)
        await asyncio.gather(*map(ctx.lanes.outcome.put, outcomes))


async def hand_over_one(ctx: Context, claimed: Claimed) -> Message:
    """The same for a request that waits for the answer; the message as it then is."""
    platform = ctx.platforms[claimed.account.environment]
    handovers = await platform.send([_send(ctx, claimed)])
    message: Message = await ctx.lanes.outcome.put(Outcome(claimed, handovers[0]))
    return message


def _send(ctx: Context, claimed: Claimed) -> Send:
    message, account, number = claimed.message, claimed.account, claimed.number
    return Send(
        send_id=f"{message.id.hex}.{message.generation}",
        account=account.id.hex,
        sender=Sender(number.number),
        to=message.recipient,
        content=claimed.content,
        client_message_id=message.client_message_id,
        at=account.now(ctx.clock.now()),
        attempt=len(message.attempts) + 1,
        created_at=message.created_at,
        expires_at=claimed.expires_at,
    )


# The first transaction: what is due, and may it go?


@dataclass(slots=True)
class _Round:
    """One batch of due messages, and what is decided about them."""

    accounts: dict[UUID, Account]
    people: dict[contacts.Key, Contact]
    numbers: dict[UUID, list[Number]]
    going: list[tuple[Job, Message, Number]]
    changed: list[Message]
    done: list[Job]
    later: list[Again]
    events: list[Event]


async def _begin(tx: Tx, jobs: list[Job]) -> list[Claimed]:
    keys = [(job.account_id, UUID(hex=job.subject)) for job in jobs]
    messages = await store.load(tx, keys)
    account_ids = sorted({job.account_id for job in jobs})
    people = await contacts.load(tx, [(m.account_id, m.recipient) for m in messages.values()])
    around = _Round(
        accounts=await load_accounts(tx, account_ids),
        people=people,
        numbers=await load_numbers(tx, account_ids),
        going=[], changed=[], done=[], later=[], events=[],
    )  # fmt: skip
    for job, key in zip(jobs, keys, strict=True):
        _look_at(job, messages[key], around, tx.now)
    return await _write_intent(tx, around)


def _look_at(job: Job, message: Message, around: _Round, real_now: datetime) -> None:
    account = around.accounts[job.account_id]
    now = account.now(real_now)
    if message.status is Status.SENDING:
        _look_at_unknown(job, message, account, around, real_now)
    elif message.status not in WAITING:
        around.done.append(job)
    elif now >= moves.give_up_at(message):
        moves.expired(message, now)
        _end(job, message, account, around, now)
    else:
        _look_at_waiting(job, message, account, around, real_now)


def _look_at_waiting(
    job: Job, message: Message, account: Account, around: _Round, real_now: datetime
) -> None:
    now = account.now(real_now)
    person = around.people.get((account.id, message.recipient), STRANGER)
    if person.opted_out_at is not None:
        moves.failed(message, failures.RECIPIENT_OPTED_OUT, now)
        _end(job, message, account, around, now)
        return
    choice = decide_number(
        around.numbers.get(account.id, []),
        asked=message.asked_number,
        policy=message.from_policy,
        known=message.number,
    )
    when = rules.decide_when(account, choice.number, message.scheduled_for, now)
    if isinstance(when, rules.SendNow):
        assert choice.number is not None
        moves.claim(message, choice.number.number, now)
        around.going.append((job, message, choice.number))
        around.changed.append(message)
        return
    if when.reason is not None and moves.held(message, when.reason, when.at, now):
        data = present.deferred_event(message, now)
        around.events.append(Event(account, "message.deferred", now, data, message.id))
    around.changed.append(message)
    moment = due_at(message, account, real_now)
    around.later.append(Again(job, moment, account.clock, uncounted=True))


def _look_at_unknown(
    job: Job, message: Message, account: Account, around: _Round, real_now: datetime
) -> None:
    """It was handed over, perhaps: a worker died, or no answer came. Evidence or time decides."""
    now = account.now(real_now)
    if message.unknown_since is None:
        moves.unanswered(message, now)
    assert message.unknown_since is not None
    verdict = rules.decide_unknown(
        kind=message.kind,
        channel_alive=rules.is_channel_alive(account),
        may_resend=account.resend_unknown,
        resends=message.resends,
        waited_for=message.unknown_since,
        deadline=message.deadline,
        now=now,
    )
    number = next((n for n in around.numbers[account.id] if n.number == message.number), None)
    if isinstance(verdict, rules.SendAgain) and number is not None:
        message.resends += 1
        message.generation += 1
        message.unknown_since = None
        around.going.append((job, message, number))
        around.changed.append(message)
    elif isinstance(verdict, rules.Wait):
        around.changed.append(message)
        moment = max(due_at(message, account, real_now), real_now + timedelta(seconds=30))
        around.later.append(Again(job, moment, account.clock, uncounted=True))
    else:
        moves.failed(message, failures.UNKNOWN_OUTCOME, now)
        _end(job, message, account, around, now)


def _end(job: Job, message: Message, account: Account, around: _Round, now: datetime) -> None:
    around.changed.append(message)
    around.done.append(job)
    data = present.status_event(message, now)
    around.events.append(Event(account, "message.status", now, data, message.id))


async def _write_intent(tx: Tx, around: _Round) -> list[Claimed]:
    going = [(message.account_id, message.id) for _, message, _ in around.going]
    contents = await store.load_contents(tx, going) if going else {}
    await store.save(tx, around.changed)
    await publish(tx, around.events)
    await queue.finish(tx, around.done)
    await queue.again(tx, around.later)
    return [
        Claimed(
            job,
            message,
            contents[message.account_id, message.id],
            around.accounts[message.account_id],
            number,
        )
        for job, message, number in around.going
    ]
