"""The send window by the wall clock of its zone, also on the days when clocks are moved."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tidings.features.accounts.model import SendWindow
from tidings.features.accounts.send_window import is_open, next_open

MINUTE = timedelta(minutes=1)
ZONES = [
    "Asia/Jerusalem",
    "America/New_York",
    "Europe/London",
    "Australia/Lord_Howe",  # moves by half an hour
    "Asia/Kathmandu",  # +05:45
    "Pacific/Apia",
    "UTC",
]

times = st.builds(time, st.integers(0, 23), st.sampled_from([0, 15, 30, 59]))
windows = st.builds(SendWindow, times, times, st.sampled_from(ZONES))
# Around the days on which New York, London, Jerusalem and Lord Howe move their clocks in 2026.
CHANGED = [(3, 8), (3, 27), (3, 29), (4, 4), (10, 25), (11, 1)]
CHANGES = [datetime(2026, month, day, tzinfo=UTC) for month, day in CHANGED]
timestamps = st.one_of(
    st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.builds(
        lambda day, seconds: day + timedelta(seconds=seconds),
        st.sampled_from(CHANGES),
        st.integers(-86_400, 2 * 86_400),
    ),
)


def by_minutes(window, at):
    """The same by walking: every window here opens on a whole minute, and so do clock changes."""
    timestamp = at
    while not is_open(window, timestamp):
        timestamp = timestamp.replace(second=0, microsecond=0) + MINUTE
    return timestamp


@given(windows, timestamps)
@example(  # a clock that is put back opens the window for a second time
    SendWindow(time(0, 30), time(1, 30), "Europe/London"),
    datetime(2026, 10, 25, 0, 45, tzinfo=UTC),
)
def test_it_is_the_first_time_at_which_the_wall_clock_is_inside(window, at):
    assert next_open(window, at) == by_minutes(window, at)


@given(windows, timestamps)
def test_the_time_found_is_open_and_not_in_the_past(window, at):
    found = next_open(window, at)
    assert found >= at
    assert is_open(window, found)
    assert next_open(window, found) == found
    assert found - at <= timedelta(days=2)


@given(timestamps, times, st.sampled_from(ZONES))
def test_a_window_that_ends_where_it_begins_is_always_open(at, hour, zone):
    assert next_open(SendWindow(hour, hour, zone), at) == at


def wall(text, zone, fold=0):
    local = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return local.astimezone(UTC)


DAYTIME = SendWindow(time(8), time(21), "Asia/Jerusalem")
NIGHT = SendWindow(time(21), time(6), "Asia/Jerusalem")


@pytest.mark.parametrize(
    ("window", "at", "opens"),
    [
        (DAYTIME, "2026-01-05T07:59:59", "2026-01-05T08:00"),
        (DAYTIME, "2026-01-05T08:00", "2026-01-05T08:00"),
        (DAYTIME, "2026-01-05T20:59:59.999999", "2026-01-05T20:59:59.999999"),
        (DAYTIME, "2026-01-05T21:00", "2026-01-06T08:00"),
        (DAYTIME, "2026-01-05T23:30", "2026-01-06T08:00"),
        (NIGHT, "2026-01-05T20:59", "2026-01-05T21:00"),
        (NIGHT, "2026-01-05T23:59", "2026-01-05T23:59"),
        (NIGHT, "2026-01-06T05:59", "2026-01-06T05:59"),
        (NIGHT, "2026-01-06T06:00", "2026-01-06T21:00"),
    ],
)
def test_the_hours_of_the_zone_decide(window, at, opens):
    zone = window.timezone
    assert next_open(window, wall(at, zone)) == wall(opens, zone)


def test_the_same_hour_is_another_timestamp_in_summer():
    assert next_open(DAYTIME, wall("2026-03-25T22:00", "UTC")).hour == 6
    assert next_open(DAYTIME, wall("2026-03-26T22:00", "UTC")).hour == 5


def test_an_hour_that_is_skipped_opens_when_the_clock_has_jumped():
    window = SendWindow(time(2, 30), time(5), "America/New_York")  # 02:00 becomes 03:00
    found = next_open(window, wall("2026-03-08T01:00", "America/New_York"))
    assert found == wall("2026-03-08T03:00", "America/New_York")


def test_a_window_inside_the_skipped_hour_opens_the_day_after():
    window = SendWindow(time(2, 15), time(2, 45), "America/New_York")
    found = next_open(window, wall("2026-03-08T01:00", "America/New_York"))
    assert found == wall("2026-03-09T02:15", "America/New_York")


def test_an_hour_that_comes_twice_opens_twice():
    zone = "America/New_York"
    window = SendWindow(time(1, 30), time(5), zone)
    assert next_open(window, wall("2026-11-01T01:00", zone)) == wall("2026-11-01T01:30", zone)
    again = next_open(window, wall("2026-11-01T01:10", zone, fold=1))
    assert again == wall("2026-11-01T01:30", zone, fold=1)


def test_a_day_that_a_country_skipped_is_skipped():
    window = SendWindow(time(8), time(9), "Pacific/Apia")  # there was no 30 December 2011
    found = next_open(window, wall("2011-12-29T10:00", "Pacific/Apia"))
    assert found == wall("2011-12-31T08:00", "Pacific/Apia")
