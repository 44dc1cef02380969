"""The life of a message (specification 3, contract.md "Status"). Pure: states in, states out.

    scheduled, queued, deferred --claim--> sending --accepted--> sent --> delivered --> read
        ^  |                                  |  |                |
        |  +--> cancelled, expired            |  +--> failed      +--> failed, expired
        +--------------- hold ----------------+

Statuses never go backwards, whatever order callbacks arrive in; `delivered` and `read` win over
`failed` and `expired`, because the person holds the message in hand.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from tidings import limits, times
from tidings.platforms.port import Failure, StatusKind

from ..model import LEFT_US, REFUNDED, WAITING, Attempt, Fault, Message, Status, Step


class Trigger(StrEnum):
    CLAIM = "claim"
    HOLD = "hold"  # the platform did not take it, and will perhaps later
    SENT = "sent"  # accepted by the platform, or so its callback says
    DELIVERED = "delivered"
    READ = "read"
    FAILURE = "failure"
    DEADLINE = "deadline"  # its time is over: unsent, or never delivered
    CANCELLATION = "cancellation"


TRANSITIONS: dict[tuple[Status, Trigger], Status] = {
    **{(status, Trigger.CLAIM): Status.SENDING for status in WAITING},
    **{(status, Trigger.DEADLINE): Status.EXPIRED for status in WAITING},
    **{(status, Trigger.FAILURE): Status.FAILED for status in WAITING},
    **{(status, Trigger.CANCELLATION): Status.CANCELLED for status in WAITING},
    # An earlier hand-over, given up as unknown, did arrive: it must not go out once more.
    **{(status, Trigger.SENT): Status.SENT for status in WAITING},
    **{(status, Trigger.DELIVERED): Status.DELIVERED for status in WAITING},
    **{(status, Trigger.READ): Status.READ for status in WAITING},
    (Status.SENDING, Trigger.HOLD): Status.DEFERRED,
    (Status.SENDING, Trigger.SENT): Status.SENT,
    (Status.SENDING, Trigger.DELIVERED): Status.DELIVERED,  # the callback overtook the answer
    (Status.SENDING, Trigger.READ): Status.READ,
    (Status.SENDING, Trigger.FAILURE): Status.FAILED,
    (Status.SENDING, Trigger.DEADLINE): Status.EXPIRED,  # unknown outcome, and its time is over
    (
        Status.SENDING,
        Trigger.CANCELLATION,
    ): Status.CANCELLED,  # held back after its batch was cancelled
    (Status.SENT, Trigger.DELIVERED): Status.DELIVERED,
    (Status.SENT, Trigger.READ): Status.READ,  # the platform skips `delivered` in an open chat
    (Status.SENT, Trigger.FAILURE): Status.FAILED,
    (Status.SENT, Trigger.DEADLINE): Status.EXPIRED,
    (Status.DELIVERED, Trigger.READ): Status.READ,
    (Status.FAILED, Trigger.DELIVERED): Status.DELIVERED,
    (Status.FAILED, Trigger.READ): Status.READ,
    (Status.EXPIRED, Trigger.DELIVERED): Status.DELIVERED,
    (Status.EXPIRED, Trigger.READ): Status.READ,
}


def next_status(status: Status, trigger: Trigger) -> Status | None:
    """The next status, or None when the trigger says nothing new about a message in `status`."""
    return TRANSITIONS.get((status, trigger))


def move(message: Message, trigger: Trigger, at: datetime, reason: str = "") -> bool:
    """Take the trigger's move, if it is one for this status."""
    status = next_status(message.status, trigger)
    if status is None:
        return False
    if message.status in WAITING:
        at = _not_before_last(message, at)
    message.status = status
    message.timeline.append(Step(status.value, times.to_wire(at), reason))
    if status in LEFT_US:
        message.reason = message.retry_at = message.unknown_since = None
    if status in REFUNDED and message.refunded_at is None:
        message.refunded_at = at
    if status not in REFUNDED:
        message.error = None  # it arrived after all
    return True


def claim(message: Message, number: str, at: datetime) -> None:
    """On its way: the platform is called next. The generation fences whoever had it before."""
    moved = move(message, Trigger.CLAIM, at)
    assert moved, f"a message that is {message.status} cannot be claimed"
    message.number = number
    message.generation += 1
    message.reason = message.retry_at = None


def accepted(message: Message, platform_id: str, at: datetime, timeout: timedelta) -> bool:
    """The platform took it. True: it is news, not overtaken by a callback."""
    _attempt(message, "sent", at)
    return evidence(message, platform_id, at, timeout)


def evidence(message: Message, platform_id: str, at: datetime, timeout: timedelta) -> bool:
    """We learn that it went: from the answer, or from a callback of a send without an answer."""
    if message.platform_id is None:
        message.platform_id = platform_id
    message.sent_at = message.sent_at or at
    if not move(message, Trigger.SENT, at):
        return False
    message.times_out_at = timeout_after(message, at, timeout)
    return True


def timeout_after(message: Message, sent_at: datetime, timeout: timedelta) -> datetime:
    """Foreseen when it was accepted; only for a message that waited long it is worked out anew.

    An event may have given it less time than `timeout`; that deadline is exact.
    """
    foreseen = message.times_out_at
    begun = max(message.created_at, message.scheduled_for or message.created_at)
    own = min(timeout, foreseen - begun)
    exact = sent_at + own
    slack = limits.TIMEOUT_SLACK if own == timeout else timedelta(0)
    return foreseen if abs(exact - foreseen) <= slack else exact


def failed(message: Message, failure: Failure, at: datetime) -> bool:
    """Refused, now or in a callback. What is delivered stays delivered."""
    if not move(message, Trigger.FAILURE, at):
        return False
    message.error = fault(failure)
    return True


def refused(message: Message, failure: Failure, at: datetime) -> bool:
    _attempt(message, "failed", at, failure)
    return failed(message, failure, at)


def fault(failure: Failure) -> Fault:
    return Fault(failure.code, failure.explanation, failure.action, failure.platform_code)


def held(
    message: Message,
    reason: str,
    retry_at: datetime | None,
    at: datetime,
    failure: Failure | None = None,
) -> bool:
    """It must wait. True once per reason: that is when the customer is told."""
    if message.status in LEFT_US:
        return False
    if failure is not None:
        _attempt(message, "deferred", at, failure)
    if message.status is Status.SENDING:
        move(message, Trigger.HOLD, at, reason)
    elif message.reason != reason:
        message.status = Status.DEFERRED
        at = _not_before_last(message, at)
        message.timeline.append(Step(Status.DEFERRED.value, times.to_wire(at), reason))
    message.reason, message.retry_at = reason, retry_at
    if reason in message.told_reasons:
        return False
    message.told_reasons.append(reason)
    return True


def queued(message: Message, at: datetime, now: datetime) -> None:
    """Its turn comes by itself, at a known time; nothing holds it back."""
    if message.status not in WAITING:
        return
    if message.status is not Status.QUEUED:
        message.status = Status.QUEUED
        now = _not_before_last(message, now)
        message.timeline.append(Step(Status.QUEUED.value, times.to_wire(now)))
    message.planned_at = at
    message.reason = message.retry_at = None


def resent(message: Message) -> None:
    """Handed over once more after an unknown outcome; the claim before this one is void."""
    message.resends += 1
    message.generation += 1
    message.unknown_since = None


def unanswered(message: Message, at: datetime) -> None:
    """Bytes went out and no answer came: it stays `sending` until evidence or time settles it."""
    _attempt(message, "unknown", at)
    message.unknown_since = message.unknown_since or at


def overtaken(message: Message, claimed: Message, at: datetime) -> None:
    """No answer came, and a callback was quicker to settle it. The attempt is noted once."""
    same = message.generation == claimed.generation
    if same and len(message.attempts) == len(claimed.attempts):
        _attempt(message, "unknown", at)


def expired(message: Message, at: datetime) -> bool:
    was_sent = message.sent_at is not None or message.unknown_since is not None
    if not move(message, Trigger.DEADLINE, at):
        return False
    message.never_delivered = True
    message.timeline[-1].reason = "UNDELIVERED" if was_sent else "DEADLINE"
    return True


def cancelled(message: Message, at: datetime) -> bool:
    return move(message, Trigger.CANCELLATION, at)


_TRIGGERS = {
    StatusKind.SENT: Trigger.SENT,
    StatusKind.DELIVERED: Trigger.DELIVERED,
    StatusKind.READ: Trigger.READ,
}


def not_before(message: Message, at: datetime) -> datetime:
    """When a callback's news happened. The platform counts whole seconds and we do not: time stands
    still rather than run backwards."""
    if message.sent_at is not None:
        return max(at, message.sent_at)
    claims = [step.at for step in message.timeline if step.status == Status.SENDING]
    return max(at, times.parse(claims[-1])) if claims else at


def _not_before_last(message: Message, at: datetime) -> datetime:
    """Of a message that waits: the sandbox's platform may have given it back at a slot that is a
    timestamp ahead of what happens to it next."""
    last = message.timeline[-1].at if message.timeline else ""
    return times.parse(last) if last > times.to_wire(at) else at


def reported(
    message: Message, status: StatusKind, platform_id: str, at: datetime, failure: Failure | None
) -> bool:
    """A status callback: in any order, any number of times. A late lower one joins the timeline."""
    if any(step.status == status.value for step in message.timeline):
        return False
    if status is StatusKind.FAILED:
        assert failure is not None
        return failed(message, failure, at) or _join(message, status, at)
    if status is StatusKind.SENT:
        news = evidence(message, platform_id, at, limits.UNDELIVERED_TIMEOUT_DEFAULT)
        return news or _join(message, status, at)
    if message.platform_id is None:
        message.platform_id = platform_id
    message.sent_at = message.sent_at or at
    message.delivered_at = message.delivered_at or max(at, message.sent_at)  # read implies it
    if status is StatusKind.READ:
        message.read_at = message.read_at or max(at, message.delivered_at)
    return move(message, _TRIGGERS[status], at) or _join(message, status, at)


def _join(message: Message, status: StatusKind, at: datetime) -> bool:
    message.timeline.append(Step(status.value, times.to_wire(at)))
    return False


def _attempt(message: Message, outcome: str, at: datetime, failure: Failure | None = None) -> None:
    number = message.number or ""
    code = failure.code if failure is not None else ""
    place = len(message.attempts) + 1
    message.attempts.append(Attempt(place, times.to_wire(at), number, outcome, code))


def give_up_at(message: Message) -> datetime:
    """A message that waits with no deadline of its own is not kept forever."""
    latest = message.send_by
    patience = max(message.created_at, message.scheduled_for or message.created_at)
    patience += limits.UNDELIVERED_TIMEOUT_DEFAULT
    return patience if latest is None else min(latest, patience)
