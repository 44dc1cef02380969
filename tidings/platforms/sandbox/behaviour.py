"""How the simulated platform treats each recipient (contract.md, "Beside the 30 endpoints"). Pure.

The last four digits of a number select a row of `MAGIC`. Every other number is an ordinary phone:
delivered after one second, read after two. Rows whose result changes over time ("throttled once")
depend only on the send's attempt number and the message's age, so the sandbox keeps no state.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from tidings.platforms.content import Content, Form
from tidings.platforms.failures import explain
from tidings.platforms.port import (
    Accepted,
    DispatchResult,
    Rejected,
    ScheduledCallback,
    Send,
    StatusKind,
    StatusUpdate,
    UnknownOutcome,
)
from tidings.platforms.sandbox.guest_messages import (
    FORM_REPLIES,
    MagicReply,
    magic_reply,
    platform_id,
)

IMMEDIATELY = timedelta(0)
DELIVERED_AFTER = timedelta(seconds=1)
READ_AFTER = timedelta(seconds=2)
REPLY_AFTER = DELIVERED_AFTER + timedelta(seconds=5)
SECOND_REPLY_AFTER = timedelta(seconds=60)
LATE_REPLY_AFTER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class StatusStep:
    """A status callback: sent `after` the send; `at` is the time it reports, if that is earlier."""

    kind: StatusKind
    after: timedelta
    at: timedelta | None = None
    code: int | None = None  # with FAILED


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error response: always, for the first `attempts`, or until the message has this `age`."""

    code: int
    attempts: int | None = None
    age: timedelta | None = None


class ReplyTime(StrEnum):
    AFTER_DELIVERY = "after delivery"
    AFTER_EXPIRY = "after expiry"
    LATER = "later"  # after the first reply


SENT = StatusStep(StatusKind.SENT, IMMEDIATELY)
DELIVERED = StatusStep(StatusKind.DELIVERED, DELIVERED_AFTER)
READ = StatusStep(StatusKind.READ, READ_AFTER)


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One row of the table. A `SENT` status is scheduled only if the response does not imply it."""

    what: str
    refusal: Refusal | None = None
    responds: bool = True
    statuses: tuple[StatusStep, ...] = (DELIVERED, READ)
    replies: tuple[tuple[ReplyTime, MagicReply], ...] = ()


def _failed(code: int) -> Behaviour:
    step = StatusStep(StatusKind.FAILED, DELIVERED_AFTER, code=code)
    return Behaviour(f"sent, then failed {code}", statuses=(step,))


def _replies(what: str, reply: MagicReply, when: ReplyTime = ReplyTime.AFTER_DELIVERY) -> Behaviour:
    return Behaviour(f"replies: {what}", replies=((when, reply),))


_REVERSED = (
    *(READ,) * 2,
    *(StatusStep(StatusKind.DELIVERED, timedelta(seconds=3), at=DELIVERED_AFTER),) * 2,
    StatusStep(StatusKind.SENT, timedelta(seconds=4), at=IMMEDIATELY),
)
_YES_THEN_NO = ((ReplyTime.AFTER_DELIVERY, MagicReply.YES), (ReplyTime.LATER, MagicReply.NO))
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)

ORDINARY = Behaviour("delivered after one second, read after two")

MAGIC: dict[str, Behaviour] = {
    "9001": Behaviour("sent only", statuses=()),
    "9002": Behaviour("delivered, never read", statuses=(DELIVERED,)),
    "9003": Behaviour("read without delivered", statuses=(READ,)),
    "9004": Behaviour("statuses doubled and in reverse", statuses=_REVERSED),
    "9010": _failed(131026),
    "9011": _failed(131049),
    "9012": _failed(131050),
    "9013": Behaviour("refused 132015", Refusal(132015)),
    "9014": Behaviour("refused 132000", Refusal(132000)),
    "9015": _failed(131053),
    "9020": Behaviour("throttled once, then sent", Refusal(130429, attempts=1)),
    "9021": Behaviour("pair limit once, then sent", Refusal(131056, attempts=1)),
    "9022": Behaviour("platform down for a minute", Refusal(131016, age=_MINUTE)),
    "9023": Behaviour(
        "no answer, callbacks follow", responds=False, statuses=(SENT, DELIVERED, READ)
    ),
    "9024": Behaviour("no answer, no callback", responds=False, statuses=()),
    "9030": Behaviour("account fault 190 for an hour", Refusal(190, age=_HOUR)),
    "9101": _replies("yes", MagicReply.YES),
    "9102": _replies("no", MagicReply.NO),
    "9103": _replies("unclear", MagicReply.UNCLEAR),
    "9104": _replies("yes, four guests", MagicReply.YES_FOUR),
    "9105": _replies("yes, but only after expiry", MagicReply.YES, ReplyTime.AFTER_EXPIRY),
    "9106": _replies("stop", MagicReply.STOP),
    "9107": _replies("a photo", MagicReply.PHOTO),
    "9108": _replies("form, rating 5", MagicReply.FORM_BEST),
    "9109": _replies("form, rating 1", MagicReply.FORM_WORST),
    "9110": Behaviour("replies: yes, then no", replies=_YES_THEN_NO),
}


def simulate_send(send: Send) -> DispatchResult:
    """The platform's response to one send, and the callbacks that follow it."""
    behaviour = MAGIC.get(send.to[-4:], ORDINARY)
    id_ = platform_id(send.send_id)
    if behaviour is ORDINARY:  # the hot path
        statuses = (_status(send, id_, DELIVERED), _status(send, id_, READ))
        return DispatchResult(Accepted(id_), statuses, send.at)
    refusal = behaviour.refusal
    if refusal is not None and _refuses(refusal, send):
        return DispatchResult(Rejected(explain(refusal.code)), at=send.at)
    outcome = Accepted(id_) if behaviour.responds else UnknownOutcome()
    steps = [_status(send, id_, step) for step in behaviour.statuses]
    replies = _schedule_replies(send, id_, behaviour)
    return DispatchResult(outcome, (*steps, *replies), send.at)


def _refuses(refusal: Refusal, send: Send) -> bool:
    if refusal.attempts is not None:
        return send.attempt <= refusal.attempts
    if refusal.age is not None:
        return send.at - (send.created_at or send.at) < refusal.age
    return True


def _status(send: Send, id_: str, step: StatusStep) -> ScheduledCallback:
    at = send.at + (step.after if step.at is None else step.at)
    failure = None if step.code is None else explain(step.code)
    return ScheduledCallback(
        step.after, StatusUpdate(id_, send.send_id, step.kind, at, send.to, failure)
    )


def _schedule_replies(send: Send, id_: str, behaviour: Behaviour) -> Iterator[ScheduledCallback]:
    replies = () if send.is_prompt else behaviour.replies
    for index, (when, reply) in enumerate(replies, start=1):
        at = _reply_time(send, when)
        if at is None:
            continue
        inbound = magic_reply(reply, send, id_, index=index, at=at)
        if inbound is not None:
            yield ScheduledCallback(at - send.at, inbound)


def _reply_time(send: Send, when: ReplyTime) -> datetime | None:
    earliest = send.at + REPLY_AFTER
    if when is ReplyTime.LATER:
        return earliest + SECOND_REPLY_AFTER
    if when is ReplyTime.AFTER_EXPIRY:
        expiry = send.expires_at
        return None if expiry is None else max(earliest, expiry + LATE_REPLY_AFTER)
    return earliest


def is_about_to_reply(to: str, content: Content, sent_at: datetime, now: datetime) -> bool:
    """Whether this recipient, who has read our message, is going to reply to it in a moment."""
    replies = MAGIC.get(to[-4:], ORDINARY).replies
    applies = any(
        when is ReplyTime.AFTER_DELIVERY and (reply in FORM_REPLIES) <= isinstance(content, Form)
        for when, reply in replies
    )
    return applies and sent_at + READ_AFTER <= now < sent_at + REPLY_AFTER
