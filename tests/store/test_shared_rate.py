"""One request rate for many processes, over one table."""

import asyncio
from datetime import timedelta
from uuid import uuid4

from tests.support.database import fresh_database
from tidings.clock import SystemClock
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database
from tidings.engine.rate import SharedRate, Verdict


async def test_many_processes_share_one_limit_exactly():
    dsn = fresh_database()
    databases = [await Database.open(dsn, SystemClock(), size=2) for _ in range(3)]
    rates = [
        SharedRate(db, unavailable=UNAVAILABLE_ERRORS, patience=timedelta(seconds=30))
        for db in databases
    ]
    key, other = uuid4(), uuid4()
    limit = 4  # a minute: the next place is free in fifteen seconds, when all have asked
    asked = [rate.take(key, limit) for rate in rates for _ in range(30)]
    asked += [rate.take(other, 6000) for rate in rates for _ in range(5)]
    verdicts = await asyncio.gather(*asked)
    mine = verdicts[:90]
    assert sum(verdict.allowed for verdict in mine) == limit
    assert {verdict.remaining for verdict in mine if verdict.allowed} == set(range(limit))
    assert all(1 <= verdict.retry_after <= 15 for verdict in mine if not verdict.allowed)
    assert all(verdict.allowed for verdict in verdicts[90:])
    for db in databases:
        await db.close()


async def test_a_check_that_waited_for_another_never_counts_by_an_earlier_time():
    """A statement takes its time before it waits for the row; the one it waits for, after."""
    db = await Database.open(fresh_database(), SystemClock(), size=2)
    rate = SharedRate(db, unavailable=UNAVAILABLE_ERRORS, patience=timedelta(seconds=30))
    key = uuid4()
    for _ in range(4):
        assert (await rate.take(key, 4)).allowed

    async def written_later(tx):
        await tx.run("UPDATE request_rate SET at = at + $1, free_at = free_at + $1", 5 * 10**9)

    await db.transact(written_later)
    assert (await rate.take(key, 4)).retry_after == 15
    await db.close()


async def test_a_limiter_that_cannot_answer_admits_and_says_so():
    class Away:
        async def rows(self, sql, *arguments):
            raise ConnectionError

    class Hangs:
        async def rows(self, sql, *arguments):
            await asyncio.sleep(60)

    blind = []
    for db in (Away(), Hangs()):
        rate = SharedRate(db, unavailable=(OSError,), on_blind=lambda: blind.append(1))
        assert (await rate.take(uuid4(), 7)) == Verdict(True, 7, 7, 0, 0)
    assert blind == [1, 1]
