"""The spacing of a number's messages: never above its rate, and passcodes not behind the rest."""

from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import NOON
from tidings import limits
from tidings.features.senders.quotas import EPOCH
from tidings.features.senders.rate_limiter import (
    SPAN,
    RateLimiter,
    next_slot,
    plan_slot,
    take_slot,
)
from tidings.features.senders.rate_limiter import _after as after

MICRO = timedelta(microseconds=1)

rates = st.integers(1, 1000)
gaps = st.lists(
    st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 30_000), st.integers(0, 5_000_000)),
    min_size=1,
    max_size=150,
)


def arrivals(waits):
    at = NOON
    for wait in waits:
        at += wait * MICRO
        yield at


def fullest(slots, seconds):
    """The most slots that lie within any `seconds` of each other."""
    slots = sorted(slots)
    span, start, most = timedelta(seconds=seconds), 0, 0
    for end, slot in enumerate(slots):
        while slot - slots[start] >= span:
            start += 1
        most = max(most, end - start + 1)
    return most


@given(rates, gaps, st.integers(1, 20))
def test_no_stretch_of_time_holds_more_than_the_rate_and_one(per_second, waits, seconds):
    limiter = RateLimiter(per_second)
    slots = [take_slot(limiter, now) for now in arrivals(waits)]
    assert fullest(slots, seconds) <= seconds * per_second + 1


def test_a_passcode_of_an_account_that_reserves_nothing_for_them_takes_a_slot_like_any_other():
    limiter = RateLimiter(10)
    slots = [take_slot(limiter, NOON, passcode=True) for _ in range(2)]
    assert slots == [NOON, NOON + timedelta(seconds=0.1)]


@given(rates, gaps, st.integers(1, 20), st.data())
def test_passcodes_and_the_rest_together_keep_to_the_rate(per_second, waits, seconds, data):
    limiter = RateLimiter(per_second, has_passcodes=True)
    general, own = [], []
    for now in arrivals(waits):
        if data.draw(st.booleans()):
            before = limiter.otp_next_free_at
            slot = take_slot(limiter, now, passcode=True)
            (own if limiter.otp_next_free_at != before else general).append(slot)
        else:
            general.append(take_slot(limiter, now))
    share = Fraction(limits.SEND_OTP_SLOTS_PERCENT, 100)
    assert fullest(own, seconds) <= seconds * per_second * share + 1
    assert fullest(general, seconds) <= seconds * per_second * (1 - share) + 1
    assert fullest(own + general, seconds) <= seconds * per_second + 2


@given(rates, gaps)
def test_nobody_waits_while_a_slot_is_free(per_second, waits):
    limiter = RateLimiter(per_second)
    slots = []
    for now in arrivals(waits):
        slot = take_slot(limiter, now)
        spaced = slots[-1] + timedelta(seconds=1) / per_second + MICRO if slots else now
        assert now <= slot <= max(now, spaced)
        slots.append(slot)


@given(rates, st.booleans(), st.integers(1, 300), st.integers(0, 10**6))
def test_a_long_row_is_as_long_as_it_should_be_to_the_microsecond(
    per_second, has_passcodes, count, offset
):
    limiter = RateLimiter(per_second, has_passcodes)
    start = NOON + offset * MICRO
    first, *_, last = [take_slot(limiter, start) for _ in range(count + 1)]
    exact = Fraction(count * 100, per_second * (75 if has_passcodes else 100)) * 10**6
    assert first == start
    assert abs((last - first) // MICRO - exact) <= 1


@given(rates, gaps, st.booleans(), st.booleans())
def test_peeking_says_what_taking_gives(per_second, waits, has_passcodes, passcode):
    limiter = RateLimiter(per_second, has_passcodes)
    for now in arrivals(waits):
        said = next_slot(limiter, now, passcode=passcode)
        assert take_slot(limiter, now, passcode=passcode) == said


def test_80_a_second_are_12_and_a_half_milliseconds_apart():
    limiter = RateLimiter(80)
    assert [(take_slot(limiter, NOON) - NOON) // MICRO for _ in range(4)] == [
        0,
        12_500,
        25_000,
        37_500,
    ]


def test_with_passcodes_to_send_the_rest_keep_to_three_quarters_of_the_rate():
    limiter = RateLimiter(80, has_passcodes=True)
    slots = [(take_slot(limiter, NOON) - NOON) // MICRO for _ in range(7)]
    assert slots == [0, 16_667, 33_334, 50_000, 66_667, 83_334, 100_000]


def test_a_passcode_goes_at_once_behind_a_thousand_other_messages():
    limiter = RateLimiter(80, has_passcodes=True)
    batch = [take_slot(limiter, NOON) for _ in range(1000)]
    assert batch[-1] > NOON + timedelta(seconds=16)
    assert take_slot(limiter, NOON, passcode=True) == NOON
    assert take_slot(limiter, NOON, passcode=True) == NOON + timedelta(milliseconds=50)


def test_an_account_of_passcodes_alone_has_the_whole_rate_of_its_number():
    limiter = RateLimiter(80, has_passcodes=True)
    slots = [take_slot(limiter, NOON, passcode=True) for _ in range(802)]
    assert slots[-1] - NOON == timedelta(seconds=10)


def test_a_batch_is_planned_at_the_rate_and_keeps_no_slot_from_a_single_message():
    limiter = RateLimiter(10)
    turns = [plan_slot(limiter, NOON) for _ in range(1000)]
    assert turns[-1] - NOON == timedelta(seconds=99.9)
    assert take_slot(limiter, NOON) == NOON
    assert plan_slot(limiter, NOON) == NOON + timedelta(seconds=100)


def test_a_plan_begins_behind_the_slots_that_are_taken():
    limiter = RateLimiter(10)
    for _ in range(20):
        take_slot(limiter, NOON)
    assert plan_slot(limiter, NOON) == NOON + timedelta(seconds=2)
    later = NOON + timedelta(minutes=5)
    assert plan_slot(limiter, later) == later


def test_a_passcode_of_an_account_without_a_share_for_them_waits_its_turn():
    limiter = RateLimiter(1)
    take_slot(limiter, NOON)
    assert take_slot(limiter, NOON, passcode=True) == NOON + timedelta(seconds=1)
    assert limiter.otp_next_free_at is None


@pytest.mark.parametrize("idle", [timedelta(seconds=1), timedelta(days=400)])
def test_idle_time_is_not_saved_up(idle):
    limiter = RateLimiter(2)
    take_slot(limiter, NOON)
    later = NOON + idle
    assert [take_slot(limiter, later) - later for _ in range(3)] == [
        timedelta(0), timedelta(seconds=0.5), timedelta(seconds=1),
    ]  # fmt: skip


@given(rates.map(lambda rate: rate * 100), st.integers(0, 10**9))
def test_a_whole_rate_is_stepped_by_its_second_as_by_all_of_time(per_span, microseconds):
    """`_after` looks at the second alone where it can; the cells are the same."""
    slot = NOON + microseconds * MICRO
    at = (slot - EPOCH) // MICRO
    cell = at * per_span // SPAN
    step = -(-(cell + 1) * SPAN // per_span) + (-cell * SPAN // per_span)
    assert after(slot, per_span) == slot + step * MICRO
