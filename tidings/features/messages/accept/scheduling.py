"""When a message may be sent, and from which number (contract.md, "Deferral reasons").

No I/O. The obstacles are checked in the order in which a person would name them: the message is
scheduled, the account is paused or disabled, an invoice is overdue, no number can send, the send
window is closed, a rolling limit is reached, the number is busy.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from tidings import limits
from tidings.features.accounts.model import Account
from tidings.features.accounts.send_window import next_open
from tidings.features.recipients.contacts import Contact
from tidings.features.senders.capacity import Capacity, HeldQuota
from tidings.features.senders.model import Number
from tidings.features.senders.number_selection import Choice, select_number

from ..model import Message, MessageKind, Reason
from . import rules


class Go(msgspec.Struct, frozen=True):
    """Send now, in this slot of the number's rate: at most a second away."""

    slot: datetime


class Queue(msgspec.Struct, frozen=True):
    """Send at this time: a batch is spread over the number's rate."""

    at: datetime


class Later(msgspec.Struct, frozen=True):
    """`reason` None: it was scheduled. `at` None: no time is known."""

    at: datetime | None
    reason: Reason | None = None


Timing = Go | Queue | Later


def choose_number(
    numbers: Sequence[Number],
    capacity: Capacity,
    account: Account,
    person: Contact,
    to: str,
    now: datetime,
    *,
    requested: str | None,
    policy: str | None,
    known: str | None,
    in_batch: bool,
) -> Choice:
    """`known`: the number that the recipient already has messages from. Reserves nothing."""

    def is_counted(number: Number) -> bool:
        return not rules.is_window_open(person.last_inbound.get(number.number), now)

    return select_number(
        numbers,
        requested=requested,
        policy=policy,
        known=known,
        can_send_now=lambda number: capacity.can_send_now(
            account, number, to, now, counted=is_counted(number)
        ),
        earliest_send=lambda number: capacity.earliest_send(
            account, number, to, now, batch=in_batch, counted=is_counted(number)
        ),
        may_probe=lambda number: capacity.may_probe(account, number, now),
        now=now,
    )


def decide_and_reserve(
    message: Message,
    account: Account,
    number: Number | None,
    capacity: Capacity,
    now: datetime,
    *,
    in_conversation: bool,
    arriving: bool = False,
    overdue: bool = False,
) -> Timing:
    """Decide, and reserve what the decision needs, so that the next message cannot have it too.

    Reserved in `capacity`, and named on the message: quota of the rolling limits
    (`reserved_at`, `recipient_counter`) and a planned slot in the number's queue (`planned_at`).
    A `Go` names its slot of the number's rate.

    `in_conversation`: inside the 24 h window, where the platform counts no new recipient.
    `arriving`: its sender waits for the response, and learns of a deferral if the number is busy; a
    message that has been waiting is spread over the number's rate without notification.
    """
    if message.scheduled_for is not None and message.scheduled_for > now:
        return Later(message.scheduled_for)
    obstacle = _find_obstacle(message, account, number, now, overdue)
    if obstacle is not None:
        if message.reserved_at is not None and message.reserved_at <= now:
            _release_quota(message, capacity)  # it will have lapsed when the obstacle is gone
        return obstacle
    assert number is not None, "to have none is an obstacle"
    if message.kind == MessageKind.PASSCODE:
        return _reserve_passcode_slot(message, account, number, capacity, now)
    limited = _reserve_quota(message, account, number, capacity, now, in_conversation)
    return limited or _reserve_slot(message, account, number, capacity, now, arriving)


def _find_obstacle(
    message: Message, account: Account, number: Number | None, now: datetime, overdue: bool
) -> Later | None:
    if not account.may_send:
        return Later(None, Reason.SENDING_PAUSED)
    if overdue:
        return Later(None, Reason.INVOICE_OVERDUE)
    if number is None:
        return Later(None, Reason.NUMBER_UNHEALTHY)
    if account.send_window is not None and message.kind != MessageKind.PASSCODE:
        opens = next_open(account.send_window, now)
        if opens > now:
            return Later(opens, Reason.SEND_WINDOW)
    return None


# Quota of the rolling limits


def _reserve_quota(
    message: Message,
    account: Account,
    number: Number,
    capacity: Capacity,
    now: datetime,
    in_conversation: bool,
) -> Later | None:
    """A message reserves quota once; later it can only get an earlier reservation."""
    counted = not in_conversation
    if message.reserved_at is not None and message.reserved_at > now:
        _move_up(message, account, number, capacity, now, counted)
        if message.reserved_at is None or message.reserved_at > now:
            return Later(message.reserved_at, _limit_notified(message))
        return None
    if message.reserved_at is not None and counted:
        counter = capacity.recipient_counter_of(account, number)
        if counter is not None and counter != message.recipient_counter:
            _release_quota(message, capacity)  # another number sends it than it was reserved for
    if message.reserved_at is None:
        reservation = capacity.reserve_quota(
            account, number, message.recipient, now, counted=counted
        )
        message.reserved_at, message.recipient_counter = reservation.at, reservation.counter
        if reservation.at is None or reservation.at > now:
            return Later(reservation.at, Reason(reservation.reason))
    return None


def _move_up(
    message: Message,
    account: Account,
    number: Number,
    capacity: Capacity,
    now: datetime,
    counted: bool,
) -> None:
    """Reserve an earlier time, if the limit was raised or another message released its quota."""
    held = _reservation(message)
    earlier = capacity.find_earlier(held, account, number, now, counted=counted)
    if earlier is not None:
        reservation = capacity.move_earlier(held, account, number, earlier, counted=counted)
        message.reserved_at, message.recipient_counter = reservation.at, reservation.counter


def _reservation(message: Message) -> HeldQuota:
    assert message.reserved_at is not None, "the message has a reservation"
    return HeldQuota(
        message.account_id, message.recipient, message.reserved_at, message.recipient_counter
    )


def _release_quota(message: Message, capacity: Capacity) -> None:
    capacity.release(_reservation(message))
    message.reserved_at = message.recipient_counter = None


def _limit_notified(message: Message) -> Reason:
    """The limit that its reservation waits for; since then other reasons may have been notified."""
    notified = [
        r for r in message.notified_reasons if r in (Reason.NUMBER_LIMIT, Reason.ACCOUNT_LIMIT)
    ]
    return Reason(notified[-1]) if notified else Reason.NUMBER_LIMIT


# Slots of the number's rate


def _reserve_slot(
    message: Message,
    account: Account,
    number: Number,
    capacity: Capacity,
    now: datetime,
    arriving: bool,
) -> Timing:
    """A batch is spread over the number's rate; a single message is sent at once if it can be."""
    if message.batch_id is not None and message.planned_at is None:
        message.planned_at = capacity.plan_slot(account, number, now)
        return Queue(message.planned_at)
    slot = capacity.next_slot(account, number, now)
    if arriving and message.kind == MessageKind.FEEDBACK:
        message.planned_at = slot  # forms are answered with `queued`: a worker sends them
        return Queue(slot)
    if _is_near(slot, message, now):
        return Go(capacity.take_slot(account, number, now))
    if message.planned_at is None:
        message.planned_at = capacity.plan_slot(account, number, now)
        slot = max(slot, message.planned_at)
    if arriving and message.batch_id is None:
        return Later(slot, Reason.NUMBER_LIMIT)
    return Queue(slot)


def _reserve_passcode_slot(
    message: Message, account: Account, number: Number, capacity: Capacity, now: datetime
) -> Timing:
    """Passcodes have slots of their own, and are exempt from send windows and rolling limits."""
    slot = capacity.next_slot(account, number, now, passcode=True)
    if not _is_near(slot, message, now):
        return Later(slot, Reason.NUMBER_LIMIT)
    return Go(capacity.take_slot(account, number, now, passcode=True))


def _is_near(slot: datetime, message: Message, now: datetime) -> bool:
    """Near enough to wait for in memory. A slot after its deadline is left to other messages: the
    message waits until the deadline and expires."""
    send_by = message.send_by
    in_time = send_by is None or slot < send_by
    return in_time and slot - now <= limits.SLOT_WAIT_MAX
