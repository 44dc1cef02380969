"""Write down what the platform answered: the second transaction of a send, and the outcome lane."""

from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Again, Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms import failures
from tidings.platforms.port import Accepted, NoAnswer, Rejected
from tidings.platforms.simulator import planned

from . import batching, moves, present, secrecy, store, timeouts
from .dispatch import Outcome, due_at
from .model import Message
from .states import Status

PLAY = "simulator.play"
TIMERS = "timers"


@dataclass(slots=True)
class _Written:
    """What one batch of answers asks the database to do."""

    changed: dict[UUID, Message] = field(default_factory=dict)
    done: list[Job] = field(default_factory=list)
    later: list[Again] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    plays: list[NewJob] = field(default_factory=list)


async def record(ctx: Context, outcomes: list[Outcome]) -> list[Message | Exception]:
    """The work of the outcome lane: the messages as they now are."""
    try:
        return await ctx.db.transact(lambda tx: _record(ctx, tx, outcomes, look_first=False))
    except Overtaken:
        return await ctx.db.transact(lambda tx: _record(ctx, tx, outcomes, look_first=True))


class Overtaken(Exception):
    """A callback or another worker has moved one of the messages meanwhile: look before writing."""


async def _record(
    ctx: Context, tx: Tx, outcomes: list[Outcome], *, look_first: bool
) -> list[Message | Exception]:
    """Mostly the platform took the message and nothing else has happened: that needs no look."""
    keys = [(o.claimed.message.account_id, o.claimed.message.id) for o in outcomes]
    plain = {
        key: copy(outcome.claimed.message)
        for key, outcome in zip(keys, outcomes, strict=True)
        if not look_first and outcome.handover and isinstance(outcome.handover.answer, Accepted)
    }
    rest = [key for key in keys if key not in plain]
    messages = plain | await store.load(tx, rest) if rest else plain
    accounts = await load_accounts(tx, {key[0] for key in keys})
    written = _Written()
    for key, outcome in zip(keys, outcomes, strict=True):
        _answer(outcome, messages[key], accounts[key[0]], written, tx.now)
        _plan(outcome, accounts[key[0]], written, tx.now)
    await _write(tx, written, plain)
    await secrecy.forget_ended(ctx, tx, written.changed.values())
    await timeouts.watch(tx, accounts, written.changed.values())
    await batching.announce(tx, accounts, written.changed.values())
    return [messages[key] for key in keys]


async def _write(tx: Tx, written: _Written, plain: dict[store.Key, Message]) -> None:
    if plain:
        sent = [_marked(message) for message in plain.values()]
        if await store.mark_sent(tx, sent) != len(sent):
            raise Overtaken
    await store.save(tx, [m for m in written.changed.values() if (m.account_id, m.id) not in plain])
    await publish(tx, written.events)
    await queue.finish(tx, written.done)
    await queue.again(tx, written.later)
    await queue.put(tx, written.plays)


def _marked(message: Message) -> store.MarkedSent:
    assert message.platform_id and message.sent_at and message.times_out_at, "it was just sent"
    return store.MarkedSent(
        (message.account_id, message.id),
        message.generation,
        message.platform_id,
        message.sent_at,
        message.times_out_at,
    )


def _answer(
    outcome: Outcome, message: Message, account: Account, written: _Written, real_now: datetime
) -> None:
    now, job = account.now(real_now), outcome.claimed.job
    answer = None if outcome.handover is None else outcome.handover.answer
    current = message.status is Status.SENDING
    current = current and message.generation == outcome.claimed.message.generation
    if isinstance(answer, Accepted):
        # A zombie's late answer is still evidence: the person holds the message in hand.
        timeout = limits.UNDELIVERED_TIMEOUT_DEFAULT
        news = moves.accepted(message, answer.platform_id, outcome.at, timeout)
        _tell(news, message, account, written, outcome.at)
        written.done.append(job)
    elif not current:
        written.done.append(job)  # somebody else has settled it since
    elif answer is None:
        _tell(moves.expired(message, now), message, account, written, now)
        written.done.append(job)
    elif isinstance(answer, NoAnswer):
        moves.unanswered(message, now)
        written.later.append(Again(job, due_at(message, account, real_now), account.clock))
    else:
        _reject(job, answer, message, account, written, real_now)
    written.changed[message.id] = message


def _reject(
    job: Job,
    answer: Rejected,
    message: Message,
    account: Account,
    written: _Written,
    real_now: datetime,
) -> None:
    now, failure = account.now(real_now), answer.failure
    reason = failures.deferral_reason(failure.kind)
    if reason is None:
        _tell(moves.refused(message, failure, now), message, account, written, now)
        written.done.append(job)
        return
    if message.cancel_asked:
        moves.cancelled(message, now)
        written.done.append(job)
        return
    wait = failures.wait_before_retry(failure, len(message.attempts) + 1, answer.retry_after)
    retry_at = None if wait is None else now + wait
    if moves.held(message, reason, retry_at, now, failure):
        data = present.deferred_event(message, now)
        written.events.append(Event(account, "message.deferred", now, data, message.id))
    written.later.append(Again(job, due_at(message, account, real_now), account.clock))


def _tell(news: bool, message: Message, account: Account, written: _Written, now: datetime) -> None:
    if news:
        data = present.status_event(message, now)
        written.events.append(Event(account, "message.status", now, data, message.id))


def _plan(outcome: Outcome, account: Account, written: _Written, real_now: datetime) -> None:
    """The simulator's callbacks to come: one job plays them all, in the account's time."""
    plan = () if outcome.handover is None else outcome.handover.planned
    if plan:
        first = min(item.after for item in plan)
        written.plays.append(
            NewJob(
                account_id=account.id,
                pool=TIMERS,
                kind=PLAY,
                subject=outcome.claimed.message.id.hex,
                due_at=outcome.at + first - account.clock,
                clock=account.clock,
                payload=planned.dump(plan).encode(),
            )
        )
