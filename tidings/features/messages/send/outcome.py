"""Write down what the platform answered: the second transaction of a send, and the outcome lane."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob, Reschedule
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.events import invitations
from tidings.features.senders.heed import Sign, follow, heed
from tidings.features.senders.model import Number
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms import failures
from tidings.platforms.port import (
    Accepted,
    AccountInactive,
    DeadlineExceeded,
    FailureKind,
    Rejected,
    UnknownOutcome,
)
from tidings.platforms.sandbox.platform import encode_callbacks

from ..model import Message, Reason, Status
from ..state import events as message_events
from ..state import side_effects, store, timers, transitions
from ..state.timers import POOL
from .dispatch import Outcome, due_at

PLAY = "simulator.play"


@dataclass(slots=True)
class _Written:
    """What one batch of answers asks the database to do."""

    done: list[Job] = field(default_factory=list)
    later: list[Reschedule] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    plays: list[NewJob] = field(default_factory=list)
    timeouts: list[tuple[UUID, datetime]] = field(default_factory=list)  # account, when
    left: list[tuple[UUID, UUID]] = field(default_factory=list)  # account, batch
    stopped: list[side_effects.OptOut] = field(default_factory=list)
    came_to: list[Status] = field(default_factory=list)


async def record(ctx: Context, outcomes: list[Outcome]) -> list[Message | Exception]:
    """The work of the outcome lane: the messages as they now are."""
    try:
        messages = await ctx.db.transact(lambda tx: _record(ctx, tx, outcomes, look_first=False))
    except Overtaken:
        return await ctx.db.transact(lambda tx: _record(ctx, tx, outcomes, look_first=True))
    for outcome in outcomes:
        if _accepted(outcome):
            _accept(outcome.claimed.message, outcome)
    return messages


class Overtaken(Exception):
    """A callback or another worker has moved one of the messages meanwhile: look before writing."""


async def _record(
    ctx: Context, tx: Tx, outcomes: list[Outcome], *, look_first: bool
) -> list[Message | Exception]:
    """Mostly the platform took the message and nothing else has happened: that needs no look."""
    plain = [] if look_first else [outcome for outcome in outcomes if _accepted(outcome)]
    rest = outcomes if look_first else [o for o in outcomes if not _accepted(o)]
    accounts = await load_accounts(tx, {o.claimed.message.account_id for o in outcomes})
    turned = await heed(tx, _signs(outcomes))
    written = _Written()
    await _record_sent(tx, plain, accounts, written)
    messages = await _record_others(ctx, tx, rest, accounts, written)
    for outcome in outcomes:
        _plan(outcome, accounts[outcome.claimed.message.account_id], written)
    await publish(tx, written.events)
    await queue.complete(tx, written.done)
    await queue.reschedule(tx, written.later)
    await queue.enqueue(tx, written.plays)
    await side_effects.erase_passcodes(ctx, tx, [outcome.claimed.message for outcome in plain])
    await timers.schedule_timeouts(tx, accounts, written.timeouts)
    await timers.schedule_batch_progress(tx, accounts, written.left)
    await follow(tx, turned)
    side_effects.count_statuses(ctx, tx, written.came_to)
    return [messages.get(o.claimed.message.id) or o.claimed.message for o in outcomes]


def _signs(outcomes: list[Outcome]) -> list[Sign]:
    """What the answers of a real platform say about the numbers that sent. The sandbox's faults
    are those of its recipients."""
    signs = []
    for outcome in outcomes:
        claimed = outcome.claimed
        if claimed.account.is_sandbox or outcome.result is None:
            continue
        answer = outcome.result.outcome
        if isinstance(answer, Rejected) and failures.affects_number(answer.failure):
            signs.append(Sign(claimed.account, claimed.number, answer.failure))
        elif isinstance(answer, Accepted) and _is_news(claimed.number):
            signs.append(Sign(claimed.account, claimed.number, None))
    return signs


def _is_news(number: Number) -> bool:
    """Whether it is news that the platform took a message from it."""
    return number.on_trial or not number.is_confirmed


def _accepted(outcome: Outcome) -> bool:
    return outcome.result is not None and isinstance(outcome.result.outcome, Accepted)


async def _record_sent(
    tx: Tx, outcomes: list[Outcome], accounts: dict[UUID, Account], written: _Written
) -> None:
    """Compare and set, all at once. The messages themselves are moved when it has committed."""
    marks = []
    for outcome in outcomes:
        message = outcome.claimed.message
        assert outcome.result is not None and isinstance(outcome.result.outcome, Accepted)
        platform_id = outcome.result.outcome.platform_id
        timeout = transitions.timeout_after(message, outcome.at, limits.UNDELIVERED_TIMEOUT_DEFAULT)
        key = (message.account_id, message.id)
        marks.append(store.MarkedSent(key, message.generation, platform_id, outcome.at, timeout))
        account = accounts[message.account_id]
        written.events.append(message_events.sent(account, message, platform_id, outcome.at))
        written.done.append(outcome.claimed.job)
        written.timeouts.append((message.account_id, timeout))
        if message.batch_id is not None:
            written.left.append((message.account_id, message.batch_id))
    written.came_to += [Status.SENT] * len(marks)
    if marks and await store.mark_sent(tx, marks) != len(marks):
        raise Overtaken
    await invitations.mark(
        tx, side_effects.sent_invitations((o.claimed.message, o.at) for o in outcomes)
    )


async def _record_others(
    ctx: Context,
    tx: Tx,
    outcomes: list[Outcome],
    accounts: dict[UUID, Account],
    written: _Written,
) -> dict[UUID, Message]:
    """Everything that is not so plain: look at the messages as they are, then move them."""
    if not outcomes:
        return {}
    keys = [(o.claimed.message.account_id, o.claimed.message.id) for o in outcomes]
    messages = await store.load(tx, keys)
    for key, outcome in zip(keys, outcomes, strict=True):
        message = messages[key]
        _answer(outcome, message, accounts[key[0]], written, tx.now)
    await store.save(tx, messages.values())
    written.events += await side_effects.record_opt_outs(tx, written.stopped)
    await side_effects.apply(ctx, tx, accounts, messages.values())
    return {message.id: message for message in messages.values()}


def _answer(
    outcome: Outcome, message: Message, account: Account, written: _Written, real_now: datetime
) -> None:
    now, job = outcome.at, outcome.claimed.job
    answer = None if outcome.result is None else outcome.result.outcome
    current = message.status is Status.SENDING
    current = current and message.generation == outcome.claimed.message.generation
    if isinstance(answer, Accepted):
        # A zombie's late answer is still evidence: the person holds the message in hand.
        _tell(_accept(message, outcome), message, account, written, outcome.at)
        written.done.append(job)
    elif not current:  # a callback or another worker has settled it since
        if isinstance(answer, UnknownOutcome):
            transitions.overtaken(message, outcome.claimed.message, now)
        written.done.append(job)
    elif answer is None or isinstance(answer, DeadlineExceeded):
        _tell(transitions.expired(message, now), message, account, written, now)
        written.done.append(job)
    elif isinstance(answer, UnknownOutcome):
        transitions.unanswered(message, now)
        written.later.append(Reschedule(job, due_at(message, account, real_now), account.clock))
    elif isinstance(answer, AccountInactive):
        _withhold(outcome, message, account, written, real_now)
    else:
        _reject(outcome, answer, message, account, written, real_now)


def _accept(message: Message, outcome: Outcome) -> bool:
    assert outcome.result is not None and isinstance(outcome.result.outcome, Accepted)
    platform_id = outcome.result.outcome.platform_id
    return transitions.accepted(
        message, platform_id, outcome.at, limits.UNDELIVERED_TIMEOUT_DEFAULT
    )


def _reject(
    outcome: Outcome,
    answer: Rejected,
    message: Message,
    account: Account,
    written: _Written,
    real_now: datetime,
) -> None:
    now, job, failure = outcome.at, outcome.claimed.job, answer.failure
    reason = failures.deferral_reason(failure.kind)
    if reason is None:
        _tell(transitions.refused(message, failure, now), message, account, written, now)
        written.stopped += side_effects.opt_outs_of(message, account, now)
        written.done.append(job)
        return
    if message.cancel_asked:
        transitions.cancelled(message, now)
        written.came_to.append(message.status)
        written.done.append(job)
        return
    wait = failures.wait_before_retry(failure, len(message.attempts) + 1, answer.retry_after)
    retry_at = None if wait is None else now + wait
    if transitions.held(message, reason, retry_at, now, failure):
        written.events.append(message_events.deferred(account, message, now))
    timestamp = due_at(message, account, real_now)
    if failure.kind is FailureKind.ACCOUNT_FAULT and not account.is_sandbox:
        timestamp = real_now  # the number is out (`heed`): perhaps another one can send
    written.later.append(Reschedule(job, timestamp, account.clock))


def _withhold(
    outcome: Outcome, message: Message, account: Account, written: _Written, real_now: datetime
) -> None:
    """The account was paused or disabled between the claim and the platform call."""
    now, job = outcome.at, outcome.claimed.job
    if message.cancel_asked:
        transitions.cancelled(message, now)
        written.done.append(job)
        return
    message.planned_at = None  # its slot has passed
    if transitions.held(message, Reason.SENDING_PAUSED, None, now):
        written.events.append(message_events.deferred(account, message, now))
    timestamp = due_at(message, account, real_now)
    written.later.append(Reschedule(job, timestamp, account.clock, count_attempt=False))


def _tell(
    is_news: bool, message: Message, account: Account, written: _Written, now: datetime
) -> None:
    if is_news:
        written.came_to.append(message.status)
        written.events.append(message_events.status(account, message, now))


def _plan(outcome: Outcome, account: Account, written: _Written) -> None:
    """The simulator's callbacks to come: one job plays them all, in the account's time."""
    plan = () if outcome.result is None else outcome.result.callbacks
    if plan:
        first = min(item.after for item in plan)
        written.plays.append(
            NewJob(
                account_id=account.id,
                pool=POOL,
                kind=PLAY,
                subject=outcome.claimed.message.id.hex,
                due_at=outcome.at + first - account.clock,
                clock=account.clock,
                payload=encode_callbacks(plan).encode(),
            )
        )
