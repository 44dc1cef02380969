"""When a message may be sent, and what it reserves for that: obstacles, limits, slots. Pure."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from tests.rules.test_message_numbers import GUESTS, NUMBERS, number
from tests.rules.test_message_transitions import message as a_message
from tests.support.accounts import OURS, account
from tidings import limits
from tidings.features.accounts.model import SendWindow
from tidings.features.messages.accept.scheduling import (
    Go,
    Later,
    Queue,
    Timing,
    decide_and_reserve,
)
from tidings.features.messages.model import Message, MessageKind, Reason
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.quotas import ACCOUNT, RollingCounter, UniqueRecipients
from tidings.features.senders.rate_limiter import RateLimiter

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MICROSECOND, SECOND = timedelta(microseconds=1), timedelta(seconds=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STEP = SECOND / 10  # between the slots of a number of ten a second
FIRST, OTHER = NUMBERS[:2]
GUEST, FRIEND = GUESTS
NEAR = limits.SLOT_WAIT_MAX
LIMITED = f"number:{FIRST}"


def message(recipient: str = GUEST, **fields: Any) -> Message:
    """Of this account."""
    one = a_message(**fields)
    one.account_id, one.recipient = OURS, recipient
    return one


def capacity(daily: int | None = None, recipients: int | None = None, **limiter: Any) -> Capacity:
    """`daily`: the account's limit; `recipients`: the first number's."""
    made = Capacity({(OURS, digits): RateLimiter(10, **limiter) for digits in NUMBERS}, {}, {}, {})
    if daily is not None:
        made.counters[OURS, ACCOUNT] = RollingCounter(daily)
        made.guards[OURS, ACCOUNT] = (OURS, FIRST)
    if recipients is not None:
        made.unique_recipients[OURS, LIMITED] = UniqueRecipients(RollingCounter(recipients))
        made.guards[OURS, LIMITED] = (OURS, FIRST)
    return made


def decide(one: Message, held: Capacity, now: datetime = NOON, **options: Any) -> Timing:
    values = {
        "account": account(), "number": number(FIRST, 0, "CONNECTED"), "in_conversation": False,
    }  # fmt: skip
    return decide_and_reserve(one, capacity=held, now=now, **values | options)


# Obstacles


@pytest.mark.parametrize(
    ("scheduled_for", "timing"),
    [
        (NOON + MICROSECOND, Later(NOON + MICROSECOND)),
        (NOON, Go(NOON)),
        (NOON - HOUR, Go(NOON)),
    ],
)
def test_what_is_scheduled_waits_for_its_time(scheduled_for: datetime, timing: Timing) -> None:
    assert decide(message(scheduled_for=scheduled_for), capacity()) == timing


EVENING = SendWindow(time(20), time(22), "UTC")
NOW_OPEN = SendWindow(time(12), time(13), "UTC")


@pytest.mark.parametrize(
    ("fields", "options", "timing"),
    [
        ({"paused": True}, {"overdue": True, "number": None}, Later(None, Reason.SENDING_PAUSED)),
        ({}, {"overdue": True, "number": None}, Later(None, Reason.INVOICE_OVERDUE)),
        ({"send_window": EVENING}, {"number": None}, Later(None, Reason.NUMBER_UNHEALTHY)),
        ({"send_window": EVENING}, {}, Later(NOON + 8 * HOUR, Reason.SEND_WINDOW)),
        ({"send_window": NOW_OPEN}, {}, Go(NOON)),
    ],
)
def test_of_several_obstacles_the_first_that_a_person_would_name(
    fields: dict[str, Any], options: dict[str, Any], timing: Timing
) -> None:
    assert decide(message(), capacity(), account=account(**fields), **options) == timing


def test_a_passcode_goes_at_any_hour_and_beyond_the_limits_of_a_day() -> None:
    one = message()
    one.kind = MessageKind.PASSCODE
    assert decide(one, capacity(0, 0), account=account(send_window=EVENING)) == Go(NOON)
    assert one.reserved_at is None


@pytest.mark.parametrize(
    ("reserved_at", "is_released"), [(NOON - HOUR, True), (NOON, True), (NOON + HOUR, False)]
)
def test_behind_an_obstacle_a_place_whose_time_has_come_is_left_to_others(
    reserved_at: datetime, is_released: bool
) -> None:
    one, held = message(reserved_at=reserved_at, recipient_counter=LIMITED), capacity(1)
    assert decide(one, held, overdue=True) == Later(None, Reason.INVOICE_OVERDUE)
    assert (one.reserved_at is None) == (one.recipient_counter is None) == is_released
    assert [each.reserved_at for each in held.released] == ([reserved_at] if is_released else [])


# Limits of a day


def test_the_accounts_limit_counts_every_message() -> None:
    held, first, second, third = capacity(2), message(), message(), message()
    assert [decide(one, held) for one in (first, second)] == [Go(NOON), Go(NOON + STEP)]
    assert decide(third, held) == Later(NOON + DAY, Reason.ACCOUNT_LIMIT)
    assert [one.reserved_at for one in (first, second, third)] == [NOON, NOON, NOON + DAY]
    assert {one.recipient_counter for one in (first, second, third)} == {None}
    assert held.limiters[OURS, FIRST].changed, "no other transaction has reserved the same"


def test_a_numbers_limit_counts_each_guest_once_and_none_in_conversation() -> None:
    held = capacity(recipients=1)
    for _ in range(2):
        one = message()
        assert isinstance(decide(one, held), Go)
        assert (one.reserved_at, one.recipient_counter) == (NOON, LIMITED)
    talking = message(recipient=FRIEND)
    assert isinstance(decide(talking, held, in_conversation=True), Go)
    assert talking.recipient_counter is None
    new = message(recipient=FRIEND)
    assert decide(new, held) == Later(NOON + DAY, Reason.NUMBER_LIMIT)
    assert (new.reserved_at, new.recipient_counter) == (NOON + DAY, LIMITED)


@pytest.mark.parametrize(
    ("daily", "recipients", "reason"),
    [
        (0, None, Reason.ACCOUNT_LIMIT),
        (None, 0, Reason.NUMBER_LIMIT),
        (0, 5, Reason.ACCOUNT_LIMIT),
        (5, 0, Reason.NUMBER_LIMIT),
    ],
)
def test_a_limit_of_nothing_is_never_free(
    daily: int | None, recipients: int | None, reason: Reason
) -> None:
    one = message()
    assert decide(one, capacity(daily, recipients)) == Later(None, reason)
    assert one.reserved_at is None


def test_the_later_of_two_limits_decides() -> None:
    held = capacity(daily=1, recipients=1)
    held.counters[OURS, ACCOUNT].reserve(NOON - 2 * HOUR)
    held.unique_recipients[OURS, LIMITED].reserve(FRIEND, NOON - HOUR)
    assert decide(message(), held) == Later(NOON + DAY - HOUR, Reason.NUMBER_LIMIT)
    held = capacity(daily=1, recipients=1)
    held.counters[OURS, ACCOUNT].reserve(NOON - HOUR)
    held.unique_recipients[OURS, LIMITED].reserve(FRIEND, NOON - 2 * HOUR)
    assert decide(message(), held) == Later(NOON + DAY - HOUR, Reason.ACCOUNT_LIMIT)


@pytest.mark.parametrize(
    ("notified", "reason"),
    [
        ([Reason.ACCOUNT_LIMIT, Reason.SENDING_PAUSED], Reason.ACCOUNT_LIMIT),
        ([Reason.ACCOUNT_LIMIT, Reason.NUMBER_LIMIT], Reason.NUMBER_LIMIT),
        ([Reason.SENDING_PAUSED], Reason.NUMBER_LIMIT),
        ([], Reason.NUMBER_LIMIT),
    ],
)
def test_what_waits_for_its_place_goes_on_to(notified: list[Reason], reason: Reason) -> None:
    held = capacity(1)
    held.counters[OURS, ACCOUNT].reserve(NOON)
    held.counters[OURS, ACCOUNT].reserve(NOON + DAY)
    one = message(reserved_at=NOON + DAY, notified_reasons=notified)
    assert decide(one, held) == Later(NOON + DAY, reason)
    assert one.reserved_at == NOON + DAY
    assert not held.released


def test_what_waits_moves_up_where_there_is_room_by_now() -> None:
    held = capacity(2)
    held.counters[OURS, ACCOUNT].reserve(NOON)
    held.counters[OURS, ACCOUNT].reserve(NOON + DAY)
    one = message(reserved_at=NOON + DAY)
    assert decide(one, held) == Go(NOON)
    assert one.reserved_at == NOON
    assert [each.reserved_at for each in held.released] == [NOON + DAY]


def test_what_waits_for_a_guests_turn_moves_up_with_it() -> None:
    held = capacity(recipients=2)
    counted = held.unique_recipients[OURS, LIMITED]
    counted.reserve(FRIEND, NOON)
    counted.reserve(GUEST, NOON + DAY)
    one = message(reserved_at=NOON + DAY, recipient_counter=LIMITED)
    assert decide(one, held) == Go(NOON)
    assert (one.reserved_at, one.recipient_counter) == (NOON, LIMITED)
    assert counted.counted[GUEST] == NOON
    assert counted.moved_from == {GUEST: NOON + DAY}
    assert held.limiters[OURS, FIRST].changed


def test_a_place_whose_time_has_come_is_used_and_no_second_one_taken() -> None:
    held = capacity(1, 1)
    one = message(reserved_at=NOON, recipient_counter=LIMITED)
    assert decide(one, held) == Go(NOON)
    assert (one.reserved_at, one.recipient_counter) == (NOON, LIMITED)
    assert not held.counters[OURS, ACCOUNT].reserved
    assert not held.released


@pytest.mark.parametrize(("in_conversation", "is_exchanged"), [(False, True), (True, False)])
def test_a_place_with_another_number_is_exchanged_unless_none_is_needed(
    in_conversation: bool, is_exchanged: bool
) -> None:
    held = capacity(recipients=1)
    one = message(reserved_at=NOON - HOUR, recipient_counter=f"number:{OTHER}")
    assert decide(one, held, in_conversation=in_conversation) == Go(NOON)
    assert [each.counter for each in held.released] == [f"number:{OTHER}"] * is_exchanged
    assert one.recipient_counter == (LIMITED if is_exchanged else f"number:{OTHER}")


# Slots of the number's rate


@pytest.mark.parametrize(
    ("free_at", "deadline", "timing"),
    [
        (NOON + NEAR, None, Go(NOON + NEAR)),
        (NOON + NEAR + MICROSECOND, None, Later(NOON + NEAR + MICROSECOND, Reason.NUMBER_LIMIT)),
        (NOON + STEP, NOON + STEP + MICROSECOND, Go(NOON + STEP)),
        (NOON + STEP, NOON + STEP, Later(NOON + STEP, Reason.NUMBER_LIMIT)),
    ],
)
@pytest.mark.parametrize("kind", [MessageKind.NOTIFICATION, MessageKind.PASSCODE])
def test_a_slot_is_waited_for_if_it_is_near_and_in_time(
    free_at: datetime, deadline: datetime | None, timing: Timing, kind: MessageKind
) -> None:
    one, held = message(deadline=deadline), capacity(next_free_at=free_at)
    one.kind = kind
    assert decide(one, held, arriving=True) == timing
    taken = free_at + STEP if isinstance(timing, Go) else free_at
    assert held.limiters[OURS, FIRST].next_free_at == taken, "what is not used is left to others"


def test_a_passcode_has_slots_of_its_own() -> None:
    one, held = message(), capacity(has_passcodes=True, next_free_at=NOON + HOUR)
    one.kind = MessageKind.PASSCODE
    assert decide(one, held) == Go(NOON)
    assert held.limiters[OURS, FIRST].next_free_at == NOON + HOUR
    assert held.limiters[OURS, FIRST].otp_next_free_at == NOON + 4 * STEP


def batched() -> Message:
    one = message()
    one.batch_id = one.id
    return one


def test_a_batch_is_planned_and_then_sent_in_its_slots() -> None:
    held, messages = capacity(), [batched() for _ in range(3)]
    planned = [NOON, NOON + STEP, NOON + 2 * STEP]
    assert [decide(one, held, arriving=True) for one in messages] == [Queue(at) for at in planned]
    assert [one.planned_at for one in messages] == planned
    assert decide(messages[1], held, NOON + STEP) == Go(NOON + STEP)
    held.limiters[OURS, FIRST].next_free_at = NOON + HOUR
    assert decide(messages[2], held, NOON + 2 * STEP) == Queue(NOON + HOUR)
    assert decide(messages[2], held, NOON + 2 * STEP, arriving=True) == Queue(NOON + HOUR)


def test_a_form_is_sent_by_a_worker_though_its_slot_is_now() -> None:
    one, held = message(), capacity()
    one.kind = MessageKind.FEEDBACK
    assert decide(one, held, arriving=True) == Queue(NOON)
    assert one.planned_at == NOON
    assert decide(one, held) == Go(NOON)


def test_a_single_message_that_waits_stands_behind_what_is_planned() -> None:
    busy, behind = NOON + HOUR, NOON + 2 * HOUR
    held, one = capacity(next_free_at=busy, planned_until=behind), message()
    assert decide(one, held, arriving=True) == Later(behind, Reason.NUMBER_LIMIT)
    assert one.planned_at == behind
    assert held.limiters[OURS, FIRST].planned_until == behind + STEP
    assert decide(one, held) == Queue(busy), "it keeps its plan, and is asked again when it is due"
    assert one.planned_at == behind
