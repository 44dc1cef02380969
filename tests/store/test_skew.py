"""Machines whose clocks are minutes apart share one time: the database's."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from tests.support.clock import ManualClock
from tests.support.database import Dsn, opened_database
from tests.support.queue import House
from tidings import ids
from tidings.clock import DatabaseClock, SystemClock
from tidings.engine.db.skew import SKEWED, TOLERATED, skew_of

WRONG = [timedelta(minutes=5), timedelta(minutes=-5)]
CLOSE = timedelta(seconds=20)  # however slow the machine that runs this is


@pytest.fixture(autouse=True)
def _ids_of_this_machine() -> object:
    yield
    ids.shift_time(timedelta(0))


class WrongClock(SystemClock):
    def __init__(self, wrong: timedelta) -> None:
        self.wrong = wrong

    def now(self) -> datetime:
        return super().now() + self.wrong


def is_right(time: datetime) -> bool:
    return abs(time - datetime.now(UTC)) < CLOSE


@pytest.mark.parametrize("wrong", WRONG)
async def test_times_and_ids_are_those_of_the_database(dsn: Dsn, wrong: timedelta) -> None:
    clock = DatabaseClock(WrongClock(wrong))
    async with opened_database(dsn, clock) as db:
        assert is_right(clock.now())
        # This machine's clock, which is in an id, is right: only the correction is to be seen.
        assert is_right(ids.time_of(ids.new_id()) - skew_of(clock))
        assert is_right(await db.transact(lambda tx: _now(tx)))
    assert abs(skew_of(clock)) > SKEWED


async def _now(tx) -> datetime:
    return tx.now


async def test_a_machine_that_is_right_is_left_alone(dsn: Dsn) -> None:
    clock = DatabaseClock(WrongClock(TOLERATED / 100))
    async with opened_database(dsn, clock):
        pass
    assert skew_of(clock) == timedelta(0)


async def test_a_clock_that_is_set_while_we_run_is_noticed(dsn: Dsn) -> None:
    machine = WrongClock(timedelta(0))
    clock = DatabaseClock(machine)
    async with opened_database(dsn, clock) as db:
        machine.wrong = timedelta(hours=-1)
        await db.follow_clock()
        assert is_right(clock.now())
        machine.wrong = timedelta(0)
        await db.follow_clock()
        assert is_right(clock.now())
    assert skew_of(clock) == timedelta(0)


@pytest.mark.parametrize("wrong", WRONG)
async def test_a_lease_taken_here_is_held_there(dsn: Dsn, wrong: timedelta) -> None:
    """Without one time, five minutes would outlast a lease of one."""
    opened = partial(opened_database, dsn)
    async with (
        opened(DatabaseClock(), "jobs") as db,
        opened(DatabaseClock(WrongClock(wrong))) as far,
    ):
        here, there = (
            House(db, ManualClock(db.clock.now())),
            House(far, ManualClock(far.clock.now())),
        )
        await here.enqueue(here.job("1"))
        assert len(await there.claim()) == 1
        assert await here.claim() == []
        assert await there.claim() == []
