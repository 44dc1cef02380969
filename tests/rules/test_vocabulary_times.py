"""Timestamps in and out: strict RFC 3339 (contract.md; reliability.md, sections 0 and 5)."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import NOON, ManualClock
from tidings import times
from tidings.clock import Clock, SystemClock

OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda m: timezone(timedelta(minutes=m)))
MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(9998, 12, 30), timezones=OFFSETS)


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ("2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"),
        ("2026-01-31T09:30:00+02:00", "2026-01-31T07:30:00.000Z"),
        ("2026-01-31T23:30:00-05:30", "2026-02-01T05:00:00.000Z"),
        ("2026-01-31T09:30:00-00:00", "2026-01-31T09:30:00.000Z"),
        ("2026-01-31t09:30:00z", "2026-01-31T09:30:00.000Z"),
        ("2026-01-31T09:30:00.1Z", "2026-01-31T09:30:00.100Z"),
        ("2026-01-31T09:30:00.9999999999Z", "2026-01-31T09:30:00.999Z"),
        ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
        ("9998-12-31T23:59:59Z", "9998-12-31T23:59:59.000Z"),
    ],
)
def test_a_timestamp_with_an_offset_is_read_and_written_in_utc(text: str, wire: str) -> None:
    assert times.to_wire(times.parse(text)) == wire


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-01-31T09:30:00", "no UTC offset"),
        ("2026-01-31T09:30:00.123", "no UTC offset"),
        ("2026-01-31", "a date without a time"),
        ("2026-02-30T00:00:00Z", "does not exist"),
        ("2026-02-29T00:00:00Z", "does not exist"),
        ("2026-13-01T00:00:00Z", "does not exist"),
        ("2026-00-01T00:00:00Z", "does not exist"),
        ("2026-01-01T24:00:00Z", "does not exist"),
        ("2026-01-01T00:60:00Z", "does not exist"),
        ("2026-12-31T23:59:60Z", "does not exist"),
        ("0000-01-01T00:00:00Z", "does not exist"),
        ("0001-01-01T00:00:00+23:59", "outside the years"),
        ("1969-12-31T23:59:59Z", "outside the years"),
        ("1970-01-01T00:00:00+01:00", "outside the years"),
        ("9999-01-01T00:00:00Z", "outside the years"),
        ("9998-12-31T23:59:59-01:00", "outside the years"),
        ("2026-W01-1T00:00:00Z", "not an RFC 3339 time"),
        ("2026-001T00:00:00Z", "not an RFC 3339 time"),
        ("20260131T093000Z", "not an RFC 3339 time"),
        ("2026-01-31 09:30:00Z", "not an RFC 3339 time"),
        ("2026-01-31T09:30Z", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00.Z", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00,5Z", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00+02", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00+0200", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00+24:00", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00+02:60", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00Z\n", "not an RFC 3339 time"),
        (" 2026-01-31T09:30:00Z", "not an RFC 3339 time"),
        ("+2026-01-31T09:30:00Z", "not an RFC 3339 time"),
        ("٢٠٢٦-01-31T09:30:00Z", "not an RFC 3339 time"),
        ("2026-01-31T09:30:00." + "0" * 60 + "Z", "not an RFC 3339 time"),
        ("1767268800", "not an RFC 3339 time"),
        ("tomorrow", "not an RFC 3339 time"),
        ("", "not an RFC 3339 time"),
    ],
)
def test_anything_else_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        times.parse(text)


@given(MOMENTS)
def test_a_written_timestamp_is_read_back_to_the_millisecond(timestamp: datetime) -> None:
    wire = times.to_wire(timestamp)
    back = times.parse(wire)
    assert len(wire) == 24
    assert back.tzinfo is UTC
    assert timedelta(0) <= timestamp - back < timedelta(milliseconds=1)
    assert times.to_wire(back) == wire


@given(MOMENTS)
def test_a_timestamp_in_any_offset_is_read_exactly(timestamp: datetime) -> None:
    assert times.parse(timestamp.isoformat()) == timestamp


@given(st.text(max_size=40) | st.from_regex(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(Z|\+\d\d:\d\d)?"))
def test_no_text_gets_anything_but_a_timestamp_or_a_value_error(text: str) -> None:
    try:
        timestamp = times.parse(text)
    except ValueError:
        return
    assert timestamp.tzinfo is UTC


def test_a_naive_timestamp_never_reaches_the_wire() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        times.to_wire(datetime(2026, 1, 1))


def test_a_date_is_read_and_only_a_date() -> None:
    assert times.parse_date("2026-01-31") == date(2026, 1, 31)
    for text in [
        "2026-13-01",
        "2026-02-30",
        "20260131",
        "2026-1-31",
        "2026-W05-6",
        "",
        "0001-01-01",
    ]:
        with pytest.raises(ValueError, match=r"date|outside"):
            times.parse_date(text)


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock()], ids=lambda c: type(c).__name__)
def test_a_clock_tells_utc_and_never_runs_backwards(clock: Clock) -> None:
    assert clock.now().utcoffset() == timedelta(0)
    first = clock.monotonic()
    assert clock.monotonic() >= first


def test_a_manual_clock_moves_only_when_advanced() -> None:
    clock = ManualClock()
    assert clock.now() == NOON
    clock.advance(hours=47, minutes=59)
    assert clock.now() == NOON + timedelta(hours=47, minutes=59)
    assert clock.monotonic() == 47 * 3600 + 59 * 60
    clock.jump(-timedelta(days=1))
    assert clock.now() < NOON + timedelta(days=1)
    assert clock.monotonic() == 47 * 3600 + 59 * 60
