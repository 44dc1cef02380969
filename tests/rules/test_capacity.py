"""What a number can still send, and who may try a number that the platform refuses. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.rules.test_message_numbers import number
from tests.rules.test_scheduling import (
    DAY,
    FIRST,
    FRIEND,
    GUEST,
    HOUR,
    LIMITED,
    MICROSECOND,
    NEAR,
    NOON,
    OTHER,
    SECOND,
    STEP,
    capacity,
)
from tests.support.accounts import OURS, account
from tidings import limits
from tidings.features.senders import rate_limiter
from tidings.features.senders.capacity import NEVER, Capacity, HeldQuota
from tidings.features.senders.quotas import ACCOUNT, RollingCounter, UniqueRecipients
from tidings.features.senders.rate_limiter import RateLimiter

NUMBER = number(FIRST, 0, "CONNECTED")
BROKEN = replace(NUMBER, fault="TOKEN_INVALID", access_token=b"old")


# A number whose circuit is open


@pytest.mark.parametrize(
    ("fields", "half_open_at", "token", "may"),
    [
        ({}, None, b"old", True),
        ({}, NOON, b"old", True),
        ({}, NOON + MICROSECOND, b"old", False),
        ({}, None, b"new", False),  # the probe would use the token that was replaced
        ({"fault": None}, None, b"old", False),
    ],
)
def test_one_message_probes_a_number_that_is_refused(
    fields: dict[str, Any], half_open_at: datetime | None, token: bytes, may: bool
) -> None:
    held = capacity(half_open_at=half_open_at, access_token=token)
    assert held.may_probe(account(), replace(BROKEN, **fields), NOON) is may


def test_a_probe_keeps_others_from_probing_until_its_answer() -> None:
    held = capacity(access_token=b"old")
    held.take_slot(account(), NUMBER, NOON)
    assert held.may_probe(account(), BROKEN, NOON)
    held.take_slot(account(), replace(BROKEN, half_open=True), NOON)
    assert held.limiters[OURS, FIRST].half_open_at == NOON + limits.HALF_OPEN_DELAY_MIN
    assert not held.may_probe(account(), BROKEN, NOON)


# Now, or when


@pytest.mark.parametrize(
    ("free_at", "recipients", "counted", "can"),
    [
        (NOON + NEAR, None, True, True),
        (NOON + NEAR + MICROSECOND, None, True, False),
        (NOON, 1, True, True),
        (NOON, 0, True, False),
        (NOON, 0, False, True),
    ],
)
def test_whether_a_number_can_send_now(
    free_at: datetime, recipients: int | None, counted: bool, can: bool
) -> None:
    held = capacity(recipients=recipients, next_free_at=free_at)
    assert held.can_send_now(account(), NUMBER, GUEST, NOON, counted=counted) is can


@pytest.mark.parametrize(
    ("batch", "counted", "recipients", "at"),
    [
        (False, True, None, NOON + SECOND),
        (True, True, None, NOON + HOUR),
        (False, True, 1, NOON + DAY),
        (False, False, 1, NOON + SECOND),
        (False, True, 0, NEVER),
        (False, True, 2, NOON + SECOND),
    ],
)
def test_when_a_number_could_send(
    batch: bool, counted: bool, recipients: int | None, at: datetime
) -> None:
    held = capacity(recipients=recipients, next_free_at=NOON + SECOND, planned_until=NOON + HOUR)
    if recipients:
        held.unique_recipients[OURS, LIMITED].reserve(FRIEND, NOON)
    found = held.earliest_send(account(), NUMBER, GUEST, NOON, batch=batch, counted=counted)
    assert found == at


@pytest.mark.parametrize("limits_", [{"daily": 1}, {"recipients": 1}])
def test_whoever_reserves_without_a_slot_is_refused_if_another_has_meanwhile(
    limits_: dict[str, int],
) -> None:
    """`save` compares the number's generation only where something has changed."""
    held = capacity(**limits_)
    held.reserve_quota(account(), NUMBER, GUEST, NOON, counted=True)
    assert held.limiters[OURS, FIRST].changed


# An earlier place


def earlier(held: Capacity, at: datetime, counter: str | None = None) -> datetime | None:
    quota = HeldQuota(OURS, GUEST, at, counter)
    return held.find_earlier(quota, account(), NUMBER, NOON, counted=True)


def test_a_place_moves_up_to_where_there_is_room_and_its_own_does_not_count() -> None:
    held = capacity(1)
    counter = held.counters[OURS, ACCOUNT]
    counter.reserve(NOON - 2 * HOUR)
    counter.reserve(NOON + 2 * DAY)
    assert earlier(held, NOON + 2 * DAY) == NOON + DAY - 2 * HOUR
    assert counter.used_at(NOON + 2 * DAY) == 1, "finding one reserves and releases nothing"
    assert earlier(held, NOON + DAY - 2 * HOUR) is None, "it is not earlier"
    assert earlier(capacity(0), NOON + DAY) is None


def test_a_place_of_this_very_minute_moves_up_to_now() -> None:
    held = capacity(1)
    held.counters[OURS, ACCOUNT].reserve(NOON + 30 * SECOND)
    assert earlier(held, NOON + 30 * SECOND) == NOON


def test_a_place_of_another_number_does_not_stand_in_the_way_of_ones_own() -> None:
    held = capacity(recipients=1)
    held.unique_recipients[OURS, LIMITED].reserve(FRIEND, NOON - HOUR)
    assert earlier(held, NOON + 2 * DAY, f"number:{OTHER}") == NOON + DAY - HOUR


def test_a_guest_who_is_counted_ahead_for_another_message_keeps_that_place() -> None:
    held = capacity(recipients=1)
    held.unique_recipients[OURS, LIMITED].reserve(GUEST, NOON + HOUR)
    assert earlier(held, NOON + 2 * DAY, f"number:{OTHER}") == NOON + HOUR


def test_a_guest_moves_up_with_the_message_and_the_number_says_so() -> None:
    held = capacity(recipients=1)
    counted = held.unique_recipients[OURS, LIMITED]
    counted.reserve(GUEST, NOON + HOUR)
    quota = HeldQuota(OURS, GUEST, NOON + HOUR, LIMITED)
    moved = held.move_earlier(quota, account(), NUMBER, NOON, counted=True)
    assert (moved.at, moved.counter, counted.counted) == (NOON, LIMITED, {GUEST: NOON})
    assert counted.held == {GUEST: 1}, "it is still one message that relies on it"
    assert counted.counter.used_at(NOON + HOUR) == 1, "and one place"
    assert held.limiters[OURS, FIRST].changed


def test_a_guest_who_was_counted_at_another_number_is_counted_anew_at_this_one() -> None:
    held = capacity(recipients=2)
    held.unique_recipients[OURS, LIMITED].reserve(GUEST, NOON + HOUR)
    quota = HeldQuota(OURS, GUEST, NOON + DAY, f"number:{OTHER}")
    moved = held.move_earlier(quota, account(), NUMBER, NOON, counted=True)
    assert (moved.at, moved.counter) == (NOON, LIMITED)
    assert held.released == [quota]


def test_where_the_daily_limit_allows_nothing_no_guest_is_counted() -> None:
    held = capacity(0, recipients=1)
    held.unique_recipients[OURS, LIMITED].reserve(FRIEND, NOON)
    reserved = held.reserve_quota(account(), NUMBER, GUEST, NOON, counted=True)
    assert (reserved.at, reserved.reason) == (None, "ACCOUNT_LIMIT")
    assert held.unique_recipients[OURS, LIMITED].counted == {FRIEND: NOON}


def test_a_guest_on_whom_others_rely_is_not_counted_a_day_earlier() -> None:
    held = capacity(recipients=1)
    counted = held.unique_recipients[OURS, LIMITED]
    counted.reserve(GUEST, NOON + DAY)
    assert earlier(held, NOON + DAY, LIMITED) == NOON
    counted.reserve(GUEST, NOON + DAY)  # a second message, a day later, relies on that
    assert earlier(held, NOON + DAY, LIMITED) is None


@pytest.mark.parametrize(
    ("holders", "held", "to", "may"),
    [
        (0, 1, NOON, True),
        (1, 0, NOON, True),
        (1, 1, NOON, False),
        (2, 0, NOON, False),
        (0, 2, NOON + MICROSECOND, True),
    ],
)
def test_who_relies_on_a_count_keeps_it_within_24_hours(
    holders: int, held: int, to: datetime, may: bool
) -> None:
    one = UniqueRecipients(RollingCounter(5), counted={GUEST: NOON + DAY})
    one.holders = {GUEST: holders} if holders else {}
    one.held = {GUEST: held} if held else {}
    assert one.can_move(GUEST, to) is may
    assert one.move_earlier(GUEST, to) is may
    assert not one.can_move(FRIEND, to)


# Planned slots, and a rate that throttling has halved


@pytest.mark.parametrize(
    ("planned_until", "last", "released"),
    [
        (NOON + HOUR, NOON + HOUR - STEP, True),
        (NOON + HOUR, NOON + HOUR, True),
        (NOON + HOUR, NOON + HOUR - STEP - MICROSECOND, False),
        (None, NOON, False),
    ],
)
def test_what_was_planned_last_makes_room_when_it_is_not_sent(
    planned_until: datetime | None, last: datetime, released: bool
) -> None:
    held = capacity(planned_until=planned_until)
    held.release_planned(account(), FIRST, NOON, last)
    limiter = held.limiters[OURS, FIRST]
    assert limiter.planned_until == (NOON if released else planned_until)
    assert limiter.changed is released
    held.release_planned(account(), "972555999999", NOON, last)


@pytest.mark.parametrize("take", [rate_limiter.take_slot, rate_limiter.plan_slot])
def test_whatever_takes_a_slot_is_written(take: Any) -> None:
    limiter = RateLimiter(10)
    take(limiter, NOON)
    assert limiter.changed


@pytest.mark.parametrize(("halvings", "step"), [(0, STEP), (1, 2 * STEP), (2, 4 * STEP)])
def test_a_throttled_number_takes_longer_steps(halvings: int, step: timedelta) -> None:
    limiter = RateLimiter(10, rate_halvings=halvings, rate_halved_at=NOON)
    rate_limiter.take_slot(limiter, NOON)
    assert limiter.next_free_at == NOON + step


def test_a_rate_is_never_halved_to_nothing() -> None:
    limiter = RateLimiter(1, rate_halvings=60, rate_halved_at=NOON)
    rate_limiter.take_slot(limiter, NOON)
    assert limiter.next_free_at == NOON + 100 * SECOND


# What is left


def test_a_place_ahead_in_this_very_minute_is_not_counted_beyond_the_limit() -> None:
    counter = RollingCounter(2)
    counter.reserve(NOON)
    assert (counter.used_at(NOON), counter.remaining_at(NOON)) == (1, 1)
    counter.reserve(NOON + 30 * SECOND)
    assert counter.used_at(NOON) == 2
    counter.reserve(NOON + 31 * SECOND)
    assert counter.used_at(NOON) == 2, "no more than the limit, though a place is ahead"
    assert counter.used_at(NOON + 31 * SECOND) == 3


def test_a_minute_begins_with_its_first_microsecond() -> None:
    counter = RollingCounter(1)
    counter.reserve(NOON + MICROSECOND)
    assert list(counter.reserved) == [NOON]
    assert counter.reserved[NOON].last_at == NOON + MICROSECOND
