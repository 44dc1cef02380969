"""Record what the platform responded: the second transaction of a send, and the outcome lane."""

from datetime import datetime

from tidings.context import Context
from tidings.engine.db.errors import CommitUnknown
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob, Reschedule
from tidings.features.accounts.lookup import recall_accounts
from tidings.features.accounts.model import Account
from tidings.features.senders import platform_feedback
from tidings.features.senders.model import Number
from tidings.features.senders.platform_feedback import SendFeedback
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
from ..state import changes, store, timers, transitions
from ..state.changes import Changes, Overtaken
from .dispatch import Outcome, due_at

PLAY = "simulator.play"


async def record(ctx: Context, outcomes: list[Outcome]) -> list[Message | Exception]:
    """The work of `ctx.lanes.outcome`; the messages as they are afterwards.

    Nearly always the platform accepted the message and nothing else happened to it since the claim.
    So those are written without loading them first; if one has changed, or they may have been
    written already, all are loaded.
    """
    try:
        return await ctx.db.transact_patiently(
            lambda tx: _record(ctx, tx, outcomes, load_all=False)
        )
    except (Overtaken, CommitUnknown):
        return await ctx.db.transact_patiently(lambda tx: _record(ctx, tx, outcomes, load_all=True))


async def _record(
    ctx: Context, tx: Tx, outcomes: list[Outcome], *, load_all: bool
) -> list[Message | Exception]:
    accounts = await recall_accounts(tx, {o.claimed.message.account_id for o in outcomes})
    circuit_changes = await platform_feedback.record(
        tx, _feedback(outcomes)
    )  # locks numbers, which come before messages
    found = Changes(accounts)
    keys = [_key(outcome) for outcome in outcomes if load_all or not _is_accepted(outcome)]
    loaded = await store.load(tx, keys) if keys else {}
    messages: list[Message | Exception] = []
    for outcome in outcomes:
        account = accounts[outcome.claimed.message.account_id]
        message = loaded.get(_key(outcome))
        if message is None:
            message = found.add_unlocked(outcome.claimed.message)
        else:
            found.add(message)
        _apply(outcome, message, account, found, tx.now)
        _schedule_callbacks(outcome, account, found)
        messages.append(message)
    await changes.apply(ctx, tx, found)
    await platform_feedback.publish_changes(tx, circuit_changes)
    return messages


def _key(outcome: Outcome) -> store.Key:
    return outcome.claimed.message.account_id, outcome.claimed.message.id


def _is_accepted(outcome: Outcome) -> bool:
    return outcome.result is not None and isinstance(outcome.result.outcome, Accepted)


def _feedback(outcomes: list[Outcome]) -> list[SendFeedback]:
    """What responses of the live platform say about the numbers that sent. Failures in the sandbox
    are those of its simulated recipients."""
    feedback = []
    for outcome in outcomes:
        claimed = outcome.claimed
        if claimed.account.is_sandbox or outcome.result is None:
            continue
        answer = outcome.result.outcome
        if isinstance(answer, Rejected) and failures.affects_number(answer.failure):
            feedback.append(SendFeedback(claimed.account, claimed.number, answer.failure))
        elif isinstance(answer, Accepted) and _proves_health(claimed.number):
            feedback.append(SendFeedback(claimed.account, claimed.number, None))
    return feedback


def _proves_health(number: Number) -> bool:
    """Whether an accepted message changes what we know about the number."""
    return number.half_open or not number.is_confirmed


def _apply(
    outcome: Outcome, message: Message, account: Account, found: Changes, real_now: datetime
) -> None:
    now, job = outcome.at, outcome.claimed.job
    answer = None if outcome.result is None else outcome.result.outcome
    current = message.status is Status.SENDING
    current = current and message.generation == outcome.claimed.message.generation
    if isinstance(answer, Accepted):
        # Even a late response of a fenced-off claim proves that the message was sent.
        if not _is_recorded("sent", message, outcome.claimed.message):
            found.accept(message, answer.platform_id, now)
        found.completed.append(job)
    elif not current:  # a callback or another worker has settled it
        if isinstance(answer, UnknownOutcome):
            transitions.overtaken(message, outcome.claimed.message, now)
        found.completed.append(job)
    elif answer is None or isinstance(answer, DeadlineExceeded):
        found.expire(message, now)
        found.completed.append(job)
    elif isinstance(answer, UnknownOutcome):
        if not _is_recorded("unknown", message, outcome.claimed.message):
            transitions.unanswered(message, now)
        due = due_at(message, account, real_now)
        found.rescheduled.append(Reschedule(job, due, account.clock))
    elif isinstance(answer, AccountInactive):
        _hold(outcome, message, account, found, real_now)
    else:
        _reject(outcome, answer, message, account, found, real_now)


def _is_recorded(attempt: str, message: Message, claimed: Message) -> bool:
    """Whether this outcome was written before: its commit succeeded, though the response was lost.
    Other attempts since the claim do not count: a worker that found the lease expired has noted
    that the outcome is unknown."""
    since = message.attempts[len(claimed.attempts) :]
    return message.generation == claimed.generation and any(a.outcome == attempt for a in since)


def _reject(
    outcome: Outcome,
    answer: Rejected,
    message: Message,
    account: Account,
    found: Changes,
    real_now: datetime,
) -> None:
    """The platform refused the message: for good, or for now."""
    now, job, failure = outcome.at, outcome.claimed.job, answer.failure
    reason = failures.deferral_reason(failure.kind)
    if reason is None:
        found.refuse(message, failure, now)
        found.completed.append(job)
        return
    if message.cancel_requested:
        found.cancel(message, now)
        found.completed.append(job)
        return
    wait = failures.wait_before_retry(failure, len(message.attempts) + 1, answer.retry_after)
    retry_at = None if wait is None else now + wait
    found.defer(message, reason, retry_at, now, failure)
    due = due_at(message, account, real_now)
    if failure.kind is FailureKind.ACCOUNT_FAULT and not account.is_sandbox:
        due = real_now  # this number may not send any more (`platform_feedback`): another one may
    found.rescheduled.append(Reschedule(job, due, account.clock))


def _hold(
    outcome: Outcome, message: Message, account: Account, found: Changes, real_now: datetime
) -> None:
    """The account was paused or disabled between the claim and the call of the platform."""
    now, job = outcome.at, outcome.claimed.job
    if message.cancel_requested:
        found.cancel(message, now)
        found.completed.append(job)
        return
    message.planned_at = None  # its slot has passed
    found.defer(message, Reason.SENDING_PAUSED, None, now)
    due = due_at(message, account, real_now)
    found.rescheduled.append(Reschedule(job, due, account.clock, count_attempt=False))


def _schedule_callbacks(outcome: Outcome, account: Account, found: Changes) -> None:
    """The callbacks that the sandbox simulates: one job plays them all, by the account's clock."""
    callbacks = () if outcome.result is None else outcome.result.callbacks
    if callbacks:
        first = min(item.after for item in callbacks)
        found.started.append(
            NewJob(
                account_id=account.id,
                pool=timers.POOL,
                kind=PLAY,
                subject=outcome.claimed.message.id.hex,
                due_at=outcome.at + first - account.clock,
                clock=account.clock,
                payload=encode_callbacks(callbacks).encode(),
            )
        )
