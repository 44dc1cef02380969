"""How many guests of an event had answered yes and no, over time. Pure."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from .model import Answers

Step = Literal["minute", "hour", "day", "week"]
_LENGTHS: dict[Step, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
}


class Point(msgspec.Struct, frozen=True):
    """A step of time, and the answers that counted at its end."""

    at: datetime
    yes: int
    no: int


class Curve(msgspec.Struct, frozen=True):
    step: Step
    points: list[Point]  # a step apart; empty: nobody has answered yet


def draw(answers: Sequence[Answers], zone: str) -> Curve:
    """The sums at every step, also where nobody answered; it begins at nought. Days and weeks begin
    as they do in `zone`. `answers` are in order of time."""
    if not answers:
        return Curve("minute", [])
    first, last = _instant(answers[0]), _instant(answers[-1])
    step = choose_step(last - first)
    begins = [*_steps(_floor(first, step, ZoneInfo(zone)), last, step, ZoneInfo(zone))]
    points, yes, no, place = [], 0, 0, 0
    for at, end in pairwise(begins):
        while place < len(answers) and _instant(answers[place]) < end:
            yes, no = yes + answers[place].yes, no + answers[place].no
            place += 1
        points.append(Point(at, yes, no))
    return Curve(step, points)


def choose_step(spread: timedelta) -> Step:
    """Long times have long steps: a curve has at most about two hundred points a year."""
    if spread < timedelta(hours=2):
        return "minute"
    if spread <= timedelta(days=4):
        return "hour"
    return "day" if spread <= timedelta(days=100) else "week"


def _instant(answers: Answers) -> datetime:
    return datetime.fromtimestamp(answers.minute * 60, UTC)


def _floor(at: datetime, step: Step, zone: ZoneInfo) -> datetime:
    """The beginning of the step that `at` is in."""
    local = at.astimezone(zone)
    if step in ("minute", "hour"):  # an hour that is there twice is two
        return at - timedelta(minutes=local.minute if step == "hour" else 0)
    back = timedelta(days=local.weekday() if step == "week" else 0)
    return datetime.combine(local.date() - back, datetime.min.time(), zone)


def _steps(first: datetime, last: datetime, step: Step, zone: ZoneInfo) -> Iterator[datetime]:
    """From the step before the first to the one after the last. Days are the zone's own, which are
    not all of one length."""
    length = _LENGTHS[step]
    at = first.astimezone(zone).replace(tzinfo=None) if step in ("day", "week") else first
    at -= length
    while True:
        instant = at if at.tzinfo else at.replace(tzinfo=zone).astimezone(UTC)
        yield instant
        if instant > last:
            return
        at += length
