"""Rolling 24 h limits: never above them in any 24 hours, and no place is lost."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import NOON
from tidings import limits as limits_
from tidings.features.senders.model import Number
from tidings.features.senders.quotas import (
    DAY,
    MinuteCount,
    RollingCounter,
    UniqueRecipients,
    counter_limits,
    counter_of,
)

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)

limits = st.integers(1, 8)
waits = st.lists(
    st.one_of(
        st.just(timedelta(0)),
        st.timedeltas(timedelta(0), timedelta(minutes=3)),
        st.timedeltas(timedelta(0), timedelta(hours=14)),
        st.just(DAY),
    ),
    max_size=60,
)


def fullest(takings):
    """The most takings that lie in any rolling 24 hours."""
    return max((sum(end - DAY < at <= end for at in takings) for end in takings), default=0)


def earliest(takings, limit, now):
    """By trying every time at which something changes."""
    for at in sorted([now, *(taking + DAY for taking in takings if taking + DAY > now)]):
        if fullest([*takings, at]) <= limit:
            return at
    raise AssertionError("there is always a place some day")


@given(limits, waits)
def test_no_rolling_24_hours_hold_more_than_the_limit(limit, gaps):
    counter, now, takings = RollingCounter(limit), NOON, []
    for gap in gaps:
        now += gap
        takings.append(counter.free_at(now))
        counter.reserve(takings[-1])
    assert fullest(takings) <= limit
    assert all(earlier <= later for earlier, later in pairwise(takings))


@given(limits, waits, st.data())
def test_nor_when_places_are_taken_ahead_in_any_order(limit, gaps, data):
    counter, now, takings = RollingCounter(limit), NOON, []
    for gap in gaps:
        now += gap
        wanted = now + data.draw(st.sampled_from([timedelta(0), timedelta(hours=9), DAY, 3 * DAY]))
        takings.append(counter.free_at(wanted))
        counter.reserve(takings[-1])
        assert takings[-1] >= wanted
    assert fullest(takings) <= limit


@given(limits, waits)
def test_a_place_is_found_at_most_a_minute_after_it_is_free(limit, gaps):
    counter, now, takings = RollingCounter(limit), NOON, []
    for gap in gaps:
        now += gap
        exact, found = earliest(takings, limit, now), counter.free_at(now)
        assert exact <= found < exact + MINUTE
        counter.reserve(found)
        takings.append(found)


@given(limits, waits, st.data())
def test_a_meter_says_the_same_once_it_has_been_stored(limit, gaps, data):
    counter, now = RollingCounter(limit), NOON
    stored = {}
    for gap in gaps:
        now += gap
        counter.reserve(counter.free_at(now + data.draw(st.sampled_from([timedelta(0), DAY]))))
        for begins, minute in counter.reserved.items():
            known = stored.get(begins, MinuteCount(begins, 0, minute.last_at))
            last_at = max(known.last_at, minute.last_at)
            stored[begins] = MinuteCount(begins, known.used + minute.used, last_at)
        again = RollingCounter(limit, stored.values())
        assert again.free_at(now) == counter.free_at(now)
        assert again.used_at(now) == counter.used_at(now)
        assert again.remaining_at(now) == counter.remaining_at(now)
        assert again.resets_at(now) == counter.resets_at(now)
        counter = again


@given(limits, waits)
def test_remaining_is_how_many_more_may_go_now(limit, gaps):
    counter, now = RollingCounter(limit), NOON
    for gap in gaps[:20]:
        now += gap
        counter.reserve(counter.free_at(now))
    now += timedelta(hours=3)
    for _ in range(counter.remaining_at(now)):
        assert counter.free_at(now) == now
        counter.reserve(now)
    assert counter.free_at(now) > now
    assert counter.used_at(now) == limit


def test_an_unused_meter_is_free_and_resets_never():
    counter = RollingCounter(3)
    assert counter.free_at(NOON) == NOON
    assert (counter.used_at(NOON), counter.remaining_at(NOON), counter.resets_at(NOON)) == (
        0,
        3,
        None,
    )


def test_without_a_limit_places_are_counted_and_always_free():
    counter = RollingCounter(None)
    for _ in range(1000):
        counter.reserve(NOON)
    assert counter.free_at(NOON) == NOON
    assert (counter.used_at(NOON), counter.remaining_at(NOON)) == (1000, None)


def test_a_limit_of_zero_has_no_place_ever():
    assert RollingCounter(0).free_at(NOON) is None
    assert RollingCounter(0).remaining_at(NOON) == 0


def test_a_place_is_free_exactly_24_hours_after_the_last_of_its_minute():
    counter = RollingCounter(2)
    counter.reserve(NOON + SECOND)
    counter.reserve(NOON + 5 * SECOND)
    assert counter.free_at(NOON + 6 * SECOND) == NOON + 5 * SECOND + DAY
    assert counter.resets_at(NOON + 6 * SECOND) == NOON + 5 * SECOND + DAY
    assert counter.used_at(NOON + 5 * SECOND + DAY) == 0


def test_a_place_taken_ahead_is_not_given_away():
    counter = RollingCounter(2)
    counter.reserve(NOON + timedelta(hours=8))
    assert counter.used_at(NOON) == 1
    counter.reserve(counter.free_at(NOON))
    assert counter.remaining_at(NOON) == 0
    assert counter.free_at(NOON) == NOON + DAY


def test_a_lowered_limit_waits_until_enough_has_left():
    minutes = [MinuteCount(NOON + n * MINUTE, 1, NOON + n * MINUTE) for n in range(5)]
    counter = RollingCounter(2, minutes)
    now = NOON + timedelta(hours=1)
    assert counter.remaining_at(now) == 0
    assert counter.free_at(now) == NOON + 3 * MINUTE + DAY


def test_a_thousand_messages_beyond_a_full_day_find_their_places_quickly():
    minutes = [MinuteCount(NOON + n * MINUTE, 1, NOON + n * MINUTE) for n in range(1440)]
    counter = RollingCounter(1440, minutes)
    now = NOON + DAY - SECOND
    for n in range(1000):
        at = counter.free_at(now)
        assert at == NOON + n * MINUTE + DAY
        counter.reserve(at)


# People


def test_a_person_counts_once_in_24_hours():
    recipients = UniqueRecipients(RollingCounter(1))
    recipients.reserve("972501111111", NOON)
    assert recipients.free_at("972501111111", NOON + timedelta(hours=23)) == NOON + timedelta(
        hours=23
    )
    recipients.reserve("972501111111", NOON + timedelta(hours=23))
    assert recipients.counter.used_at(NOON + timedelta(hours=23)) == 1
    assert recipients.free_at("972502222222", NOON + SECOND) == NOON + DAY
    recipients.reserve("972501111111", NOON + DAY)
    assert recipients.counter.used_at(NOON + DAY) == 1
    assert recipients.held == {"972501111111": 1}


def test_a_person_whose_turn_comes_later_gets_both_messages_then():
    recipients = UniqueRecipients(RollingCounter(1))
    recipients.reserve("972501111111", NOON)
    turn = recipients.free_at("972502222222", NOON + SECOND)
    recipients.reserve("972502222222", turn)
    assert recipients.free_at("972502222222", NOON + timedelta(hours=1)) == turn
    assert recipients.free_at("972503333333", NOON + timedelta(hours=1)) == turn + DAY


@given(limits, waits, st.data())
def test_every_message_is_covered_by_a_count_and_counts_keep_the_limit(limit, gaps, data):
    recipients, now, counts = UniqueRecipients(RollingCounter(limit)), NOON, []
    for gap in gaps:
        now += gap
        phone = data.draw(st.sampled_from("abcdef"))
        at = recipients.free_at(phone, now)
        before = recipients.counted.get(phone)
        recipients.reserve(phone, at)
        if recipients.counted[phone] != before:
            counts.append(recipients.counted[phone])
        assert recipients.counted[phone] <= at < recipients.counted[phone] + DAY
        assert at >= now
    assert fullest(counts) <= limit


NUMBER = Number("972555000001", 0, "", None, None, None, None, 80, None, "CONNECTED", "GREEN")


@pytest.mark.parametrize(
    ("declared", "limit"), [((None, None), None), ((10, None), 10), ((10, 3), 3), ((0, 3), 0)]
)
def test_numbers_of_a_portfolio_share_the_smallest_limit_declared(declared, limit):
    first, second = (
        replace(NUMBER, number=str(n), portfolio_id="P", daily_limit=one)
        for n, one in enumerate(declared)
    )
    assert counter_limits([first, second, NUMBER]) == {
        "portfolio:P": limit,
        counter_of(NUMBER): None,
    }


def test_a_number_without_a_portfolio_has_its_own_counter():
    other = replace(NUMBER, number="972555000002", daily_limit=7)
    assert counter_limits([NUMBER, other]) == {
        "number:972555000001": None,
        "number:972555000002": 7,
    }


@given(limits, waits, st.data())
def test_who_moves_up_into_a_free_place_breaks_no_limit_and_is_never_later(limit, gaps, data):
    counter, now, takings = RollingCounter(limit), NOON, []
    for gap in gaps:
        now += gap
        takings.append(counter.free_at(now))
        counter.reserve(takings[-1])
        gone = data.draw(st.sampled_from([None, *takings]))
        if gone is not None:  # somebody gives a place back; the last in line looks for a better one
            takings.remove(gone)
            counter.release(gone)
        if takings and (mine := max(takings)) > now:
            counter.release(mine)
            better = counter.free_at(now)
            assert better <= mine
            counter.restore(mine)
            if better < mine:
                counter.release(mine)
                takings.remove(mine)
                counter.reserve(better)
                takings.append(better)
    assert fullest(takings) <= limit


@given(limits, waits)
def test_a_place_that_is_dropped_and_restored_leaves_all_as_it_was(limit, gaps):
    counter, now, takings = RollingCounter(limit), NOON, []
    for gap in gaps:
        now += gap
        takings.append(counter.free_at(now))
        counter.reserve(takings[-1])
    before = [(counter.free_at(at), counter.used_at(at)) for at in [now, *takings]]
    for at in takings:
        counter.release(at)
        counter.restore(at)
    assert before == [(counter.free_at(at), counter.used_at(at)) for at in [now, *takings]]


def test_a_place_of_a_minute_that_was_not_loaded_is_released_without_effect():
    """A counter that has room is loaded as one sum, of its newest minute."""
    counter = RollingCounter(2, [MinuteCount(NOON + 5 * MINUTE, 2, NOON + 5 * MINUTE)])
    counter.release(NOON)
    assert counter.used_at(NOON + 6 * MINUTE) == 2
    counter.release(NOON + 5 * MINUTE)
    assert counter.used_at(NOON + 6 * MINUTE) == 1


def test_a_message_to_who_is_counted_already_is_one_more_that_relies_on_it():
    recipients = UniqueRecipients(RollingCounter(1), {"guest": NOON})
    recipients.reserve("guest", NOON + MINUTE)
    assert (recipients.held, recipients.counter.reserved) == ({"guest": 1}, {})


def test_who_was_counted_by_a_transaction_that_got_the_lock_first_needs_no_place():
    at = NOON + limits_.LOCK_TIMEOUT
    recipients = UniqueRecipients(RollingCounter(0), {"guest": at})
    assert recipients.free_at("guest", NOON) == NOON
    assert recipients.free_at("guest", NOON - timedelta(microseconds=1)) == at
