"""How many guests of an event had answered yes and no, over time."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from tidings.engine.db.tx import Tx

from . import count_store

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


async def load_curve(tx: Tx, account_id: UUID, event_id: str, zone: str) -> Curve:
    """By the last answer of each guest. Days and weeks begin as they do in `zone`."""
    found = await count_store.find_answers(tx, account_id, event_id, zone)
    step: Step = found[0][0] if found else "minute"
    return Curve(step, accumulate([(at, yes, no) for _, at, yes, no in found], step, zone))


def accumulate(counted: Sequence[tuple[datetime, int, int]], step: Step, zone: str) -> list[Point]:
    """The sums at every step, also where nobody answered; it begins at nought. Pure."""
    if not counted:
        return []
    given = {at: (yes, no) for at, yes, no in counted}
    points, yes, no = [], 0, 0
    for at in _steps(counted[0][0], counted[-1][0], step, ZoneInfo(zone)):
        more_yes, more_no = given.get(at, (0, 0))
        yes, no = yes + more_yes, no + more_no
        points.append(Point(at, yes, no))
    return points


def _steps(first: datetime, last: datetime, step: Step, zone: ZoneInfo) -> Iterator[datetime]:
    """From the step before the first. Days are the zone's own, which are not all of one length."""
    length = _LENGTHS[step]
    is_civil = step in ("day", "week")
    local = first.astimezone(zone).replace(tzinfo=None) if is_civil else first
    at = local - length
    while True:
        instant = at.replace(tzinfo=zone).astimezone(first.tzinfo) if is_civil else at
        if instant > last:
            return
        yield instant
        at += length
