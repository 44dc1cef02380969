"""The curve of answers over time (portal.md: Event)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from tidings.features.events.answer_curve import Curve, choose_step, draw
from tidings.features.events.model import Answers

JERUSALEM = "Asia/Jerusalem"
START = datetime(2026, 6, 3, 10, 0, tzinfo=UTC)  # a Wednesday


def curve(*given: tuple[timedelta, int, int], zone: str = "UTC", start: datetime = START) -> Curve:
    minutes = [(round((start + after).timestamp()) // 60, yes, no) for after, yes, no in given]
    return draw([Answers(*one) for one in minutes], zone)


def sums(found: Curve) -> Sequence[tuple[int, int]]:
    return [(point.yes, point.no) for point in found.points]


def test_without_an_answer_it_has_no_points() -> None:
    assert draw([], JERUSALEM).points == []


def test_it_begins_at_nought_and_adds_up() -> None:
    found = curve((timedelta(0), 1, 0), (timedelta(minutes=2), 0, 2))
    assert found.step == "minute"
    assert sums(found) == [(0, 0), (1, 0), (1, 0), (1, 2)]
    assert [point.at for point in found.points][1] == START


@pytest.mark.parametrize(
    ("spread", "step"),
    [
        (timedelta(0), "minute"),
        (timedelta(minutes=119), "minute"),
        (timedelta(hours=2), "hour"),
        (timedelta(days=4), "hour"),
        (timedelta(days=4, minutes=15), "day"),
        (timedelta(days=100), "day"),
        (timedelta(days=101), "week"),
    ],
)
def test_long_times_are_told_in_long_steps(spread: timedelta, step: str) -> None:
    assert choose_step(spread) == step
    found = curve((timedelta(0), 1, 0), (spread, 1, 1))
    assert found.step == step and sums(found)[-1] == (2, 1)
    assert len(found.points) <= 122


def test_days_begin_as_in_the_zone() -> None:
    """22:30 in London is after midnight in Jerusalem."""
    late = START.replace(hour=22, minute=30)
    given = ((timedelta(0), 1, 0), (timedelta(days=5), 1, 0))
    found = curve(*given, zone=JERUSALEM, start=late)
    assert found.points[1].at == START.replace(hour=21, minute=0)  # midnight, three hours ahead
    assert sums(found) == [(0, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (2, 0)]
    assert curve(*given, start=late).points[1].at == START.replace(hour=0)


def test_a_day_with_another_clock_is_one_step() -> None:
    start = datetime(2026, 3, 25, 12, 0, tzinfo=UTC)  # 27 March: an hour is left out
    found = curve((timedelta(0), 1, 0), (timedelta(days=5), 0, 1), zone=JERUSALEM, start=start)
    lengths = [later.at - at.at for at, later in pairwise(found.points)]
    assert sorted(lengths) == [timedelta(hours=23), *[timedelta(hours=24)] * 5]


def test_an_hour_that_is_there_twice_is_two_steps() -> None:
    start = datetime(2026, 10, 24, 22, 10, tzinfo=UTC)  # 25 October: 01:00 to 02:00 comes again
    given = [(timedelta(hours=n), 1, 0) for n in range(4)]
    found = curve(*given, zone=JERUSALEM, start=start)
    assert sums(found) == [(n, 0) for n in range(5)]


def test_hours_of_a_zone_between_hours() -> None:
    found = curve((timedelta(minutes=15), 1, 0), (timedelta(hours=3), 1, 0), zone="Asia/Kathmandu")
    assert found.points[1].at == START + timedelta(minutes=15)  # 16:00 there


def test_weeks_begin_on_monday() -> None:
    found = curve((timedelta(0), 1, 0), (timedelta(days=120), 1, 0), zone=JERUSALEM)
    assert found.points[1].at == datetime(2026, 5, 31, 21, 0, tzinfo=UTC)
    assert sums(found)[1] == (1, 0)
