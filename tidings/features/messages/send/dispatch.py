"""Dispatch claimed messages to the platform (contract.md, "Sending").

Always three steps: a transaction that writes `sending`, the call with no transaction open, and a
transaction that writes the outcome (`outcome.py`). A crash between the first and the last leaves a
message with an unknown outcome, which the next claim of its job finds (`send_worker.py`).
"""

import asyncio
from collections import Counter
from datetime import datetime, timedelta
from functools import partial

import msgspec
import structlog

from tidings import limits, times
from tidings.context import Context
from tidings.engine.metrics.distribution import Timed
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.senders.lookup import open_token
from tidings.features.senders.model import Number
from tidings.platforms.content import Content, Passcode
from tidings.platforms.port import (
    Accepted,
    AccountInactive,
    DeadlineExceeded,
    DispatchResult,
    Rejected,
    Send,
    Sender,
    UnknownOutcome,
)

from ..model import Message, MessageKind, Status
from ..spans import Dispatch
from ..state import counts, transitions
from .send_ids import send_id

POOL = "send"
PASSCODES = "otp"  # a pool of their own, so that no passcode waits behind a batch
SENDING_POOLS = (PASSCODES, POOL)
SEND = "message.send"


# Looking up an enum member takes longer than comparing it.
SCHEDULED, QUEUED, DEFERRED = Status.SCHEDULED, Status.QUEUED, Status.DEFERRED


PASSCODE = MessageKind.PASSCODE
NOT_SENT = DispatchResult(AccountInactive())
_OUTCOMES: dict[type, str] = {  # in the metric
    Accepted: "accepted",
    Rejected: "rejected",
    UnknownOutcome: "unknown",
    DeadlineExceeded: "not_sent",
    AccountInactive: "not_sent",
}
log = structlog.get_logger()


class Claimed(msgspec.Struct, frozen=True):
    """A message that is `sending`, its leased job, and what to send."""

    job: Job
    message: Message
    content: Content
    account: Account
    number: Number
    slot: datetime | None = None  # of the number's rate, at most a second away


class Outcome(msgspec.Struct, frozen=True):
    """What the platform responded; the outcome lane records many in one transaction."""

    claimed: Claimed
    result: DispatchResult | None  # None: not sent, its deadline passed or its code is gone
    at: datetime  # of the response, by the account's clock


def pool_of(message: Message) -> str:
    return PASSCODES if message.kind == PASSCODE else POOL


def priority_of(message: Message) -> int:
    """Passcodes first, then single messages, then batches."""
    if message.kind == PASSCODE:
        return 0
    return 7 if message.batch_id is not None else 5


def due_at(message: Message, account: Account, real_now: datetime) -> datetime:
    """When the job runs next, in real time: when the message may be sent, or expires."""
    if message.unknown_since is not None:  # settled by a callback or by time, whatever its deadline
        return message.unknown_since + limits.UNKNOWN_GRACE - account.clock
    at = _next_try(message)
    if at is None:
        now = account.now(real_now)
        at = now + _back_off(message, now)
    at = min(at, transitions.give_up_at(message))
    return at - account.clock if account.clock else at


def _next_try(message: Message) -> datetime | None:
    status = message.status
    if status is QUEUED:
        return message.planned_at
    if status is SCHEDULED:
        return message.scheduled_for
    return message.retry_at if status is DEFERRED else None


def _back_off(message: Message, now: datetime) -> timedelta:
    """For a message that waits with no known time. Whatever ends the wait reschedules the job, but
    that can be missed while the job runs, and nothing announces that the platform has recovered.
    """
    if message.attempts:
        wait = max((now - message.created_at) / 4, limits.HOLD_RETRY_MIN)
    else:
        wait = max(now - times.parse(message.timeline[-1].at), limits.HOLD_PROBE_MIN)
    return min(wait, limits.HOLD_PROBE_MAX)


async def dispatch_all(ctx: Context, claimed: list[Claimed]) -> None:
    """Call the platform for each message at its slot, then record the outcome.

    The sandbox answers for all of them at once, as if at their slots. Responses of the live
    platform are recorded one by one as they arrive.
    """
    together = [item for item in claimed if item.account.is_sandbox]
    alone = [item for item in claimed if not item.account.is_sandbox]
    await asyncio.gather(
        _dispatch_together(ctx, together), *(dispatch_one(ctx, item, queued=True) for item in alone)
    )


async def _dispatch_together(ctx: Context, claimed: list[Claimed]) -> None:
    if not claimed:
        return
    started, real_now = ctx.clock.monotonic(), ctx.clock.now()
    tracer = ctx.tracer
    traces = [Dispatch(tracer, i.message, i.job.due_at) for i in claimed] if tracer else None
    sends = [_send(ctx, item, real_now) for item in claimed]
    stopped = await _find_stopped(ctx, claimed)
    results = {s.send_id: NOT_SENT for s in sends if s.account in stopped}
    in_time = [
        s
        for i, s in zip(claimed, sends, strict=True)
        if s.send_id not in results and _is_in_time(i, s, real_now)
    ]
    responses = await _call(ctx, claimed[0].account.environment, in_time)
    results |= zip((send.send_id for send in in_time), responses, strict=True)
    _measure(ctx, claimed[0].account.environment, responses, started)
    outcomes = [
        _outcome(ctx, item, send, results.get(send.send_id))
        for item, send in zip(claimed, sends, strict=True)
    ]
    if traces is None:
        await asyncio.gather(*map(ctx.lanes.outcome.put, outcomes))
    else:
        await asyncio.gather(*map(partial(_record_traced, ctx), outcomes, traces))


async def dispatch_one(ctx: Context, claimed: Claimed, *, queued: bool = False) -> Message:
    """Dispatch one message, for a caller that may wait for the response; returns its new state.
    `queued`: a worker has claimed it."""
    started, trace = ctx.clock.monotonic(), None
    if ctx.tracer is not None:
        trace = Dispatch(ctx.tracer, claimed.message, claimed.job.due_at if queued else None)
    wait = _wait(claimed, ctx.clock.now())
    if wait > timedelta(0):
        await asyncio.sleep(wait.total_seconds())
    real_now = ctx.clock.now()
    send = _send(ctx, claimed, real_now)
    result: DispatchResult | None = None
    with ctx.sends.during(claimed.message.id):  # its callbacks wait until the outcome is recorded
        if await _find_stopped(ctx, [claimed]):
            result = NOT_SENT
        elif _is_in_time(claimed, send, real_now):
            if trace is not None:
                trace.calls()
            (result,) = await _call(ctx, claimed.account.environment, [send])
            _measure(ctx, claimed.account.environment, [result], started)
        outcome = _outcome(ctx, claimed, send, result)
        if trace is not None:
            return await _record_traced(ctx, outcome, trace)
        return await ctx.lanes.outcome.put(outcome)


async def _record_traced(ctx: Context, outcome: Outcome, trace: Dispatch) -> Message:
    trace.called(outcome.result)
    message = await ctx.lanes.outcome.put(outcome)
    trace.recorded(message)
    return message


async def _find_stopped(ctx: Context, claimed: list[Claimed]) -> set[str]:
    """Accounts among these that were paused or disabled since the claim.

    `ctx.stopped` costs no query but may be stale after a resumption: a hit is verified.
    """
    if not ctx.stopped:
        return set()
    doubtful = {item.account.id for item in claimed if item.account.id.hex in ctx.stopped}
    if not doubtful:
        return set()
    accounts = await ctx.db.transact(lambda tx: load_accounts(tx, doubtful))
    resumed = {one.id.hex for one in accounts.values() if one.may_send}
    ctx.stopped.difference_update(resumed)
    return {one.hex for one in doubtful} - resumed


async def _call(ctx: Context, environment: str, sends: list[Send]) -> list[DispatchResult]:
    """An adapter that raises may have sent the request: the outcome is unknown."""
    if not sends:
        return []
    try:
        with Timed(ctx.clock, ctx.metrics.platform_call_seconds, (environment,)):
            return await ctx.platforms[environment].send(sends)
    except Exception:
        log.exception("platform.adapter_failed", environment=environment, sends=len(sends))
        return [DispatchResult(UnknownOutcome()) for _ in sends]


def _measure(ctx: Context, environment: str, results: list[DispatchResult], started: float) -> None:
    """The metrics of calls that the platform has answered, or should have."""
    seconds = ctx.clock.monotonic() - started
    for outcome, number in Counter(_OUTCOMES[type(one.outcome)] for one in results).items():
        ctx.metrics.dispatch_seconds.observe(seconds, (environment, outcome), number)
    errors = [one.outcome.failure for one in results if isinstance(one.outcome, Rejected)]
    if errors:
        counts.count_platform_errors(ctx, "dispatch", ((environment, one) for one in errors))


def _outcome(ctx: Context, claimed: Claimed, send: Send, result: DispatchResult | None) -> Outcome:
    """The response is not before the send, which in the sandbox may be slightly in the future."""
    if result is not None and result.at is not None:
        return Outcome(claimed, result, result.at)
    now = claimed.account.now(ctx.clock.now())
    return Outcome(claimed, result, now if result is None else max(now, send.at))


def _is_in_time(claimed: Claimed, send: Send, real_now: datetime) -> bool:
    """Checked once more right before the call: no passcode is sent late or without its code."""
    send_by = claimed.message.send_by
    if isinstance(claimed.content, Passcode) and not claimed.content.code:
        return False
    return send_by is None or max(send.at, claimed.account.now(real_now)) < send_by


def _wait(claimed: Claimed, real_now: datetime) -> timedelta:
    """Until its slot. The sandbox does not wait: its clock can be advanced."""
    if claimed.slot is None or claimed.account.is_sandbox:
        return timedelta(0)
    return claimed.slot - claimed.account.now(real_now)


def _sent_at(claimed: Claimed, real_now: datetime) -> datetime:
    """By the account's clock. The sandbox does not wait for the slot but uses its time, so that a
    test shows the rate of a live account."""
    if claimed.slot is not None and claimed.account.is_sandbox:
        return claimed.slot
    return claimed.account.now(real_now)


def _send(ctx: Context, claimed: Claimed, real_now: datetime) -> Send:
    message, account = claimed.message, claimed.account
    return Send(
        send_id=send_id(message, "" if account.is_sandbox else ctx.peers.name),
        account=account.id.hex,
        sender=_sender(ctx, account, claimed.number),
        to=message.recipient,
        content=claimed.content,
        client_message_id=message.client_message_id,
        at=_sent_at(claimed, real_now),
        attempt=len(message.attempts) + 1,
        created_at=message.created_at,
        expires_at=message.expires_at,
        deadline=message.send_by,
        is_prompt=message.kind == MessageKind.PROMPT,
    )


def _sender(ctx: Context, account: Account, number: Number) -> Sender:
    if account.is_sandbox:
        return Sender(number.number)
    return Sender(
        number=number.number,
        phone_number_id=number.phone_number_id or "",
        waba_id=number.waba_id or "",
        access_token=open_token(ctx.sealer, account.id, number),
    )
