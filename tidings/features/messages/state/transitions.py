"""The state machine of a message (specification 3, contract.md "Status"). Pure.

    scheduled, queued, deferred --claim--> sending --accepted--> sent --> delivered --> read
        ^  |                                  |  |                |
        |  +--> cancelled, expired            |  +--> failed      +--> failed, expired
        +--------------- hold ----------------+

Statuses never go backwards, whatever the order in which callbacks arrive. `delivered` and `read`
win over `failed` and `expired`: the recipient has the message.

There is one function for each thing that can happen to a message. It changes the `Message` it is
given and returns whether the customer is notified. `changes.py` calls them and writes the result.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from tidings import limits, times
from tidings.platforms.port import Failure, StatusKind

from ..model import DONE_SENDING, REFUNDED, WAITING, Attempt, Fault, Message, Status, Step


class Trigger(StrEnum):
    CLAIM = "claim"
    HOLD = "hold"  # the platform refused it for now
    SENT = "sent"  # accepted by the platform, or a callback proves it
    DELIVERED = "delivered"
    READ = "read"
    FAILURE = "failure"
    DEADLINE = "deadline"  # not sent in time, or sent and not delivered in time
    CANCELLATION = "cancellation"


TRANSITIONS: dict[tuple[Status, Trigger], Status] = {
    **{(status, Trigger.CLAIM): Status.SENDING for status in WAITING},
    **{(status, Trigger.DEADLINE): Status.EXPIRED for status in WAITING},
    **{(status, Trigger.FAILURE): Status.FAILED for status in WAITING},
    **{(status, Trigger.CANCELLATION): Status.CANCELLED for status in WAITING},
    # An earlier attempt whose outcome was unknown did arrive: the message must not be sent again.
    **{(status, Trigger.SENT): Status.SENT for status in WAITING},
    **{(status, Trigger.DELIVERED): Status.DELIVERED for status in WAITING},
    **{(status, Trigger.READ): Status.READ for status in WAITING},
    (Status.SENDING, Trigger.HOLD): Status.DEFERRED,
    (Status.SENDING, Trigger.SENT): Status.SENT,
    (Status.SENDING, Trigger.DELIVERED): Status.DELIVERED,  # the callback overtook the response
    (Status.SENDING, Trigger.READ): Status.READ,
    (Status.SENDING, Trigger.FAILURE): Status.FAILED,
    (Status.SENDING, Trigger.DEADLINE): Status.EXPIRED,  # the outcome is unknown and time is up
    (
        Status.SENDING,
        Trigger.CANCELLATION,
    ): Status.CANCELLED,  # with its batch
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
    """None: the trigger does not change a message in this status."""
    return TRANSITIONS.get((status, trigger))


def move(message: Message, trigger: Trigger, at: datetime, reason: str = "") -> bool:
    """Change the status if the trigger does so; whether it did."""
    status = next_status(message.status, trigger)
    if status is None:
        return False
    if message.status in WAITING:
        at = _not_before_last(message, at)
    message.status = status
    message.timeline.append(Step(status.value, times.to_wire(at), reason))
    if status in DONE_SENDING:
        message.reason = message.retry_at = message.unknown_since = None
    if status in REFUNDED and message.refunded_at is None:
        message.refunded_at = at
    if status not in REFUNDED:
        message.error = None  # it arrived after all
    return True


# While it waits


def scheduled(message: Message) -> None:
    """A new message with a time in the future."""
    message.status = Status.SCHEDULED
    message.timeline[0].status = Status.SCHEDULED.value


def queued(message: Message, at: datetime, now: datetime) -> None:
    """It has a slot at a known time; nothing else delays it."""
    if message.status not in WAITING:
        return
    if message.status is not Status.QUEUED:
        message.status = Status.QUEUED
        now = _not_before_last(message, now)
        message.timeline.append(Step(Status.QUEUED.value, times.to_wire(now)))
    message.planned_at = at
    message.reason = message.retry_at = None


def held(
    message: Message,
    reason: str,
    retry_at: datetime | None,
    at: datetime,
    failure: Failure | None = None,
) -> bool:
    """It has to wait. The customer is notified once for each reason."""
    if message.status in DONE_SENDING:
        return False
    if failure is not None:
        _add_attempt(message, "deferred", at, failure)
    if message.status is Status.SENDING:
        move(message, Trigger.HOLD, at, reason)
    elif message.reason != reason:
        message.status = Status.DEFERRED
        at = _not_before_last(message, at)
        message.timeline.append(Step(Status.DEFERRED.value, times.to_wire(at), reason))
    message.reason, message.retry_at = reason, retry_at
    if reason in message.notified_reasons:
        return False
    message.notified_reasons.append(reason)
    return True


# While it is sent


def claim(message: Message, number: str, at: datetime) -> None:
    """The platform is called next. The new generation fences off an earlier claim."""
    moved = move(message, Trigger.CLAIM, at)
    assert moved, f"a message that is {message.status} cannot be claimed"
    message.number = number
    message.generation += 1
    message.reason = message.retry_at = None


def accepted(message: Message, platform_id: str, at: datetime) -> bool:
    """The platform accepted it. False: a callback has reported it already."""
    _add_attempt(message, "sent", at)
    return sent(message, platform_id, at)


def sent(message: Message, platform_id: str, at: datetime) -> bool:
    """The only transition to `sent`: by the platform's response, or a callback that proves it."""
    if message.platform_id is None:
        message.platform_id = platform_id
    message.sent_at = message.sent_at or at
    if not move(message, Trigger.SENT, at):
        return False
    message.times_out_at = timeout_after(message, at)
    return True


def timeout_after(message: Message, sent_at: datetime) -> datetime:
    """The value set at acceptance stays unless the message waited for long, so that most updates
    leave the indexed column alone. A shorter time-out that an event set is exact."""
    foreseen = message.times_out_at
    began = max(message.created_at, message.scheduled_for or message.created_at)
    timeout = min(limits.UNDELIVERED_TIMEOUT_DEFAULT, foreseen - began)
    exact = sent_at + timeout
    is_default = timeout == limits.UNDELIVERED_TIMEOUT_DEFAULT
    slack = limits.TIMEOUT_SLACK if is_default else timedelta(0)
    return foreseen if abs(exact - foreseen) <= slack else exact


def refused(message: Message, failure: Failure, at: datetime) -> bool:
    """The platform refused it for good."""
    _add_attempt(message, "failed", at, failure)
    return failed(message, failure, at)


def resent(message: Message) -> None:
    """Sent once more after an unknown outcome; the new generation fences off the earlier claim."""
    message.resends += 1
    message.generation += 1
    message.unknown_since = None


def unanswered(message: Message, at: datetime) -> None:
    """No response came: it stays `sending` until a callback or time settles it."""
    _add_attempt(message, "unknown", at)
    message.unknown_since = message.unknown_since or at


def overtaken(message: Message, claimed: Message, at: datetime) -> None:
    """No response came, and a callback has settled it already: only add the attempt, once."""
    same = message.generation == claimed.generation
    if same and len(message.attempts) == len(claimed.attempts):
        _add_attempt(message, "unknown", at)


def _add_attempt(
    message: Message, outcome: str, at: datetime, failure: Failure | None = None
) -> None:
    number = message.number or ""
    code = failure.code if failure is not None else ""
    count = len(message.attempts) + 1
    message.attempts.append(Attempt(count, times.to_wire(at), number, outcome, code))


# How it ends


def failed(message: Message, failure: Failure, at: datetime) -> bool:
    """Refused, in the response or in a callback. A delivered message stays delivered."""
    if not move(message, Trigger.FAILURE, at):
        return False
    message.error = fault(failure)
    return True


def fault(failure: Failure) -> Fault:
    return Fault(failure.code, failure.explanation, failure.action, failure.platform_code)


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


def reported(
    message: Message, status: StatusKind, platform_id: str, at: datetime, failure: Failure | None
) -> bool:
    """A status callback, in any order and any number of times. One that is older than the present
    status is only added to the timeline."""
    if any(step.status == status.value for step in message.timeline):
        return False
    if status is StatusKind.FAILED:
        assert failure is not None
        return failed(message, failure, at) or _add_step(message, status, at)
    if status is StatusKind.SENT:
        return sent(message, platform_id, at) or _add_step(message, status, at)
    if message.platform_id is None:
        message.platform_id = platform_id
    message.sent_at = message.sent_at or at
    message.delivered_at = message.delivered_at or max(at, message.sent_at)  # read implies it
    if status is StatusKind.READ:
        message.read_at = max(at, message.delivered_at)
    return move(message, _TRIGGERS[status], at) or _add_step(message, status, at)


def _add_step(message: Message, status: StatusKind, at: datetime) -> bool:
    message.timeline.append(Step(status.value, times.to_wire(at)))
    return False


# Times


def not_before(message: Message, at: datetime) -> datetime:
    """The time of a callback, but not before the message was sent: the platform's timestamps are
    whole seconds, ours are not."""
    if message.sent_at is not None:
        return max(at, message.sent_at)
    claims = [step.at for step in message.timeline if step.status == Status.SENDING]
    return max(at, times.parse(claims[-1])) if claims else at


def _not_before_last(message: Message, at: datetime) -> datetime:
    """The timeline of a waiting message stays in order: the sandbox may have refused it at the time
    of its slot, slightly in the future."""
    last = message.timeline[-1].at if message.timeline else ""
    return times.parse(last) if last > times.to_wire(at) else at


def give_up_at(message: Message) -> datetime:
    """When a waiting message expires, also where it has no deadline of its own."""
    latest = message.send_by
    began = max(message.created_at, message.scheduled_for or message.created_at)
    default = began + limits.UNDELIVERED_TIMEOUT_DEFAULT
    return default if latest is None else min(latest, default)
