"""When a message may go (contract.md, "Deferral reasons"). Pure, but for the capacity it draws on.

The order is that of the obstacles a person would name first: it was scheduled, the account is
paused or disabled, an invoice is overdue, no number can send, the send window is closed, a limit is
reached, the number is busy.
"""

from datetime import datetime

import msgspec

from tidings import limits
from tidings.features.accounts.model import Account
from tidings.features.accounts.send_window import next_open
from tidings.features.senders.capacity import Capacity, HeldQuota
from tidings.features.senders.model import Number

from ..model import Message, MessageKind, Reason


class Go(msgspec.Struct, frozen=True):
    """Now: at most a timestamp away, at its slot of the number's rate."""

    slot: datetime


class Queue(msgspec.Struct, frozen=True):
    """Its turn comes by itself: a batch is spread over the number's rate."""

    at: datetime


class Later(msgspec.Struct, frozen=True):
    """`reason` None: it was scheduled. `at` None: no time is known."""

    at: datetime | None
    reason: Reason | None = None


Turn = Go | Queue | Later


def decide_turn(
    message: Message,
    account: Account,
    number: Number | None,
    capacity: Capacity,
    now: datetime,
    *,
    in_conversation: bool,
    arriving: bool = False,
    overdue: bool = False,
) -> Turn:
    """`in_conversation`: inside the 24 h window, where the platform counts no new recipient.

    `arriving`: its sender waits for the answer, and is told of a deferral where the number is busy;
    a message that has waited anyway is spread over the number's rate without a word.
    """
    if message.scheduled_for is not None and message.scheduled_for > now:
        return Later(message.scheduled_for)
    obstacle = _obstacle(message, account, number, now, overdue)
    if obstacle is not None:
        if message.reserved_at is not None and message.reserved_at <= now:
            _let_go(message, capacity)  # by the time it can go, this place has passed
        return obstacle
    assert number is not None, "to have none is an obstacle"
    if message.kind == MessageKind.PASSCODE:
        return _passcode(message, account, number, capacity, now)
    held = _limited(message, account, number, capacity, now, in_conversation)
    return held or _paced(message, account, number, capacity, now, arriving)


def _obstacle(
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


def _limited(
    message: Message,
    account: Account,
    number: Number,
    capacity: Capacity,
    now: datetime,
    in_conversation: bool,
) -> Later | None:
    """The rolling limits grant a place once; a message that has one may only move up."""
    counted = not in_conversation
    if message.reserved_at is not None and message.reserved_at > now:
        _move_up(message, account, number, capacity, now, counted)
        if message.reserved_at is None or message.reserved_at > now:
            return Later(message.reserved_at, _limit_told(message))
        return None
    if message.reserved_at is not None and counted:
        counter = capacity.recipient_counter_of(account, number)
        if counter is not None and counter != message.recipient_counter:
            _let_go(message, capacity)  # another number sends it than the one it was counted for
    if message.reserved_at is None:
        place = capacity.reserve_quota(account, number, message.recipient, now, counted=counted)
        message.reserved_at, message.recipient_counter = place.at, place.counter
        if place.at is None or place.at > now:
            return Later(place.at, Reason(place.reason))
    return None


def _move_up(
    message: Message,
    account: Account,
    number: Number,
    capacity: Capacity,
    now: datetime,
    counted: bool,
) -> None:
    """Perhaps the limit was raised, or somebody gave a place back."""
    mine = _place(message)
    earlier = capacity.find_earlier(mine, account, number, now, counted=counted)
    if earlier is not None:
        place = capacity.move_earlier(mine, account, number, earlier, counted=counted)
        message.reserved_at, message.recipient_counter = place.at, place.counter


def _place(message: Message) -> HeldQuota:
    assert message.reserved_at is not None, "only a place that it has"
    return HeldQuota(
        message.account_id, message.recipient, message.reserved_at, message.recipient_counter
    )


def _let_go(message: Message, capacity: Capacity) -> None:
    capacity.release(_place(message))
    message.reserved_at = message.recipient_counter = None


def _limit_told(message: Message) -> Reason:
    """The limit that gave it its place. Since then other things may have held it back."""
    limits_told = [
        r for r in message.told_reasons if r in (Reason.NUMBER_LIMIT, Reason.ACCOUNT_LIMIT)
    ]
    return Reason(limits_told[-1]) if limits_told else Reason.NUMBER_LIMIT


def _paced(
    message: Message,
    account: Account,
    number: Number,
    capacity: Capacity,
    now: datetime,
    arriving: bool,
) -> Turn:
    """A batch is spread over the number's rate; a single message goes at once if it can."""
    if message.batch_id is not None and message.planned_at is None:
        message.planned_at = capacity.plan_slot(account, number, now)
        return Queue(message.planned_at)
    slot = capacity.next_slot(account, number, now)
    if arriving and message.kind == MessageKind.FEEDBACK:
        message.planned_at = slot  # whoever sends a form is told `queued`: a worker sends it
        return Queue(slot)
    if _is_near(slot, message, now):
        return Go(capacity.take_slot(account, number, now))
    if message.planned_at is None:
        message.planned_at = capacity.plan_slot(account, number, now)
        slot = max(slot, message.planned_at)
    if arriving and message.batch_id is None:
        return Later(slot, Reason.NUMBER_LIMIT)
    return Queue(slot)


def _passcode(
    message: Message, account: Account, number: Number, capacity: Capacity, now: datetime
) -> Turn:
    """Passcodes have slots of their own, and wait for no window and no limit of ours."""
    slot = capacity.next_slot(account, number, now, passcode=True)
    if not _is_near(slot, message, now):
        return Later(slot, Reason.NUMBER_LIMIT)
    return Go(capacity.take_slot(account, number, now, passcode=True))


def _is_near(slot: datetime, message: Message, now: datetime) -> bool:
    """Worth setting out for. A slot from its deadline on is left to others: until then the message
    waits, and then it expires."""
    send_by = message.send_by
    in_time = send_by is None or slot < send_by
    return in_time and slot - now <= limits.SLOT_WAIT_MAX
