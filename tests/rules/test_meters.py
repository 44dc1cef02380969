"""Rolling 24 h limits: never above them in any 24 hours, and no place is lost."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import NOON
from tidings.features.senders.meters import DAY, Meter, Minute, Reach, limits_of, meter_of
from tidings.features.senders.model import Number

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
    meter, now, takings = Meter(limit), NOON, []
    for gap in gaps:
        now += gap
        takings.append(meter.free_at(now))
        meter.take(takings[-1])
    assert fullest(takings) <= limit
    assert all(earlier <= later for earlier, later in pairwise(takings))


@given(limits, waits, st.data())
def test_nor_when_places_are_taken_ahead_in_any_order(limit, gaps, data):
    meter, now, takings = Meter(limit), NOON, []
    for gap in gaps:
        now += gap
        wanted = now + data.draw(st.sampled_from([timedelta(0), timedelta(hours=9), DAY, 3 * DAY]))
        takings.append(meter.free_at(wanted))
        meter.take(takings[-1])
        assert takings[-1] >= wanted
    assert fullest(takings) <= limit


@given(limits, waits)
def test_a_place_is_found_at_most_a_minute_after_it_is_free(limit, gaps):
    meter, now, takings = Meter(limit), NOON, []
    for gap in gaps:
        now += gap
        exact, found = earliest(takings, limit, now), meter.free_at(now)
        assert exact <= found < exact + MINUTE
        meter.take(found)
        takings.append(found)


@given(limits, waits, st.data())
def test_a_meter_says_the_same_once_it_has_been_stored(limit, gaps, data):
    meter, now = Meter(limit), NOON
    stored = {}
    for gap in gaps:
        now += gap
        meter.take(meter.free_at(now + data.draw(st.sampled_from([timedelta(0), DAY]))))
        for begins, minute in meter.taken.items():
            known = stored.get(begins, Minute(begins, 0, minute.last_at))
            last_at = max(known.last_at, minute.last_at)
            stored[begins] = Minute(begins, known.used + minute.used, last_at)
        again = Meter(limit, stored.values())
        assert again.free_at(now) == meter.free_at(now)
        assert again.used_at(now) == meter.used_at(now)
        assert again.remaining_at(now) == meter.remaining_at(now)
        assert again.resets_at(now) == meter.resets_at(now)
        meter = again


@given(limits, waits)
def test_remaining_is_how_many_more_may_go_now(limit, gaps):
    meter, now = Meter(limit), NOON
    for gap in gaps[:20]:
        now += gap
        meter.take(meter.free_at(now))
    now += timedelta(hours=3)
    for _ in range(meter.remaining_at(now)):
        assert meter.free_at(now) == now
        meter.take(now)
    assert meter.free_at(now) > now
    assert meter.used_at(now) == limit


def test_an_unused_meter_is_free_and_resets_never():
    meter = Meter(3)
    assert meter.free_at(NOON) == NOON
    assert (meter.used_at(NOON), meter.remaining_at(NOON), meter.resets_at(NOON)) == (0, 3, None)


def test_without_a_limit_places_are_counted_and_always_free():
    meter = Meter(None)
    for _ in range(1000):
        meter.take(NOON)
    assert meter.free_at(NOON) == NOON
    assert (meter.used_at(NOON), meter.remaining_at(NOON)) == (1000, None)


def test_a_limit_of_zero_has_no_place_ever():
    assert Meter(0).free_at(NOON) is None
    assert Meter(0).remaining_at(NOON) == 0


def test_a_place_is_free_exactly_24_hours_after_the_last_of_its_minute():
    meter = Meter(2)
    meter.take(NOON + SECOND)
    meter.take(NOON + 5 * SECOND)
    assert meter.free_at(NOON + 6 * SECOND) == NOON + 5 * SECOND + DAY
    assert meter.resets_at(NOON + 6 * SECOND) == NOON + 5 * SECOND + DAY
    assert meter.used_at(NOON + 5 * SECOND + DAY) == 0


def test_a_place_taken_ahead_is_not_given_away():
    meter = Meter(2)
    meter.take(NOON + timedelta(hours=8))
    assert meter.used_at(NOON) == 1
    meter.take(meter.free_at(NOON))
    assert meter.remaining_at(NOON) == 0
    assert meter.free_at(NOON) == NOON + DAY


def test_a_lowered_limit_waits_until_enough_has_left():
    minutes = [Minute(NOON + n * MINUTE, 1, NOON + n * MINUTE) for n in range(5)]
    meter = Meter(2, minutes)
    now = NOON + timedelta(hours=1)
    assert meter.remaining_at(now) == 0
    assert meter.free_at(now) == NOON + 3 * MINUTE + DAY


def test_a_thousand_messages_beyond_a_full_day_find_their_places_quickly():
    minutes = [Minute(NOON + n * MINUTE, 1, NOON + n * MINUTE) for n in range(1440)]
    meter = Meter(1440, minutes)
    now = NOON + DAY - SECOND
    for n in range(1000):
        at = meter.free_at(now)
        assert at == NOON + n * MINUTE + DAY
        meter.take(at)


# People


def test_a_person_counts_once_in_24_hours():
    reach = Reach(Meter(1))
    reach.take("972501111111", NOON)
    assert reach.free_at("972501111111", NOON + timedelta(hours=23)) == NOON + timedelta(hours=23)
    reach.take("972501111111", NOON + timedelta(hours=23))
    assert reach.meter.used_at(NOON + timedelta(hours=23)) == 1
    assert reach.free_at("972502222222", NOON + SECOND) == NOON + DAY
    reach.take("972501111111", NOON + DAY)
    assert reach.meter.used_at(NOON + DAY) == 1
    assert reach.held == {"972501111111": 1}


def test_a_person_whose_turn_comes_later_gets_both_messages_then():
    reach = Reach(Meter(1))
    reach.take("972501111111", NOON)
    turn = reach.free_at("972502222222", NOON + SECOND)
    reach.take("972502222222", turn)
    assert reach.free_at("972502222222", NOON + timedelta(hours=1)) == turn
    assert reach.free_at("972503333333", NOON + timedelta(hours=1)) == turn + DAY


@given(limits, waits, st.data())
def test_every_message_is_covered_by_a_count_and_counts_keep_the_limit(limit, gaps, data):
    reach, now, counts = Reach(Meter(limit)), NOON, []
    for gap in gaps:
        now += gap
        phone = data.draw(st.sampled_from("abcdef"))
        at = reach.free_at(phone, now)
        before = reach.counted.get(phone)
        reach.take(phone, at)
        if reach.counted[phone] != before:
            counts.append(reach.counted[phone])
        assert reach.counted[phone] <= at < reach.counted[phone] + DAY
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
    assert limits_of([first, second, NUMBER]) == {"portfolio:P": limit, meter_of(NUMBER): None}


def test_a_number_without_a_portfolio_has_its_own_meter():
    other = replace(NUMBER, number="972555000002", daily_limit=7)
    assert limits_of([NUMBER, other]) == {"number:972555000001": None, "number:972555000002": 7}


@given(limits, waits, st.data())
def test_who_moves_up_into_a_free_place_breaks_no_limit_and_is_never_later(limit, gaps, data):
    meter, now, takings = Meter(limit), NOON, []
    for gap in gaps:
        now += gap
        takings.append(meter.free_at(now))
        meter.take(takings[-1])
        gone = data.draw(st.sampled_from([None, *takings]))
        if gone is not None:  # somebody gives a place back; the last in line looks for a better one
            takings.remove(gone)
            meter.drop(gone)
        if takings and (mine := max(takings)) > now:
            meter.drop(mine)
            better = meter.free_at(now)
            assert better <= mine
            meter.restore(mine)
            if better < mine:
                meter.drop(mine)
                takings.remove(mine)
                meter.take(better)
                takings.append(better)
    assert fullest(takings) <= limit


@given(limits, waits)
def test_a_place_that_is_dropped_and_restored_leaves_all_as_it_was(limit, gaps):
    meter, now, takings = Meter(limit), NOON, []
    for gap in gaps:
        now += gap
        takings.append(meter.free_at(now))
        meter.take(takings[-1])
    before = [(meter.free_at(at), meter.used_at(at)) for at in [now, *takings]]
    for at in takings:
        meter.drop(at)
        meter.restore(at)
    assert before == [(meter.free_at(at), meter.used_at(at)) for at in [now, *takings]]
