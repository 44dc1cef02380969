"""How far this machine's clock is from the database's, whose time all processes go by.

A machine may be minutes wrong without any effect: its processes add the difference to every time
they read or put into an id. Differences up to half a second are left alone, because measuring is
not much better than that on a busy network, and a clock that is set to and fro helps nobody.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import structlog

from tidings import ids
from tidings.clock import Clock, DatabaseClock
from tidings.engine.db.connections import Connection

TOLERATED = timedelta(seconds=0.5)
SKEWED = timedelta(seconds=2)  # reliability.md 2.16: from here on the operator is told
QUESTIONS = 3  # the quickest answer counts

Ask = Callable[[str], Awaitable[Any]]  # the value of a query

log = structlog.get_logger()


async def follow(clock: Clock, connection: Connection) -> None:
    """Set the clock by the database, if it is one that follows it."""
    if not isinstance(clock, DatabaseClock):
        return
    ahead = await measure(clock, connection.fetchval, QUESTIONS)
    if abs(ahead - clock.ahead) <= TOLERATED:
        return
    clock.ahead = ahead if abs(ahead) > TOLERATED else timedelta(0)
    ids.shift_time(clock.ahead)
    log.log(
        logging.WARNING if abs(clock.ahead) > SKEWED else logging.INFO,
        "clock.corrected",
        ahead_seconds=round(clock.ahead.total_seconds(), 3),
    )


def skew_of(clock: Clock) -> timedelta:
    """How far the database is ahead of this machine, as measured last."""
    return clock.ahead if isinstance(clock, DatabaseClock) else timedelta(0)


async def measure(clock: Clock, ask: Ask, questions: int = 1) -> timedelta:
    """How far the database is ahead of this machine. Uncertain by half of the time that the
    quickest answer took."""
    corrected, found = skew_of(clock), []
    for _ in range(questions):
        asked = clock.now()
        theirs: datetime = await ask("SELECT clock_timestamp()")
        took = clock.now() - asked
        found.append((took, theirs - asked - took / 2 + corrected))
    return min(found)[1]
