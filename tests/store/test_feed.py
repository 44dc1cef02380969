"""The catch-up feed on a real PostgreSQL: whatever commits when, a reader misses nothing."""

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import pytest

from tests.store.test_publish import account, event
from tests.support.clock import ManualClock
from tests.support.database import Dsn, fresh_database, opened_database
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.webhooks import publish
from tidings.features.webhooks.feed import read as feed
from tidings.features.webhooks.feed import store as feed_store

OURS, THEIRS = UUID(int=1 << 64), UUID(int=2 << 64)


@pytest.fixture
async def db(dsn: Dsn, clock: ManualClock) -> AsyncIterator[Database]:
    async with opened_database(dsn, clock, "jobs", "webhooks", size=12) as db:
        for number, key in enumerate((OURS, THEIRS)):
            await db.rows(
                "WITH o AS (INSERT INTO organisations VALUES ($1, $2, $2, now())"
                " ON CONFLICT DO NOTHING)"
                " INSERT INTO accounts (id, organisation_id, name, environment, created_at)"
                " VALUES ($1, $1, $2, 'sandbox', now()) ON CONFLICT DO NOTHING",
                key,
                f"feed-{number}",
            )
        yield db


async def publish_one(tx: Tx, *, of: UUID = OURS, age: timedelta = timedelta(0)) -> str:
    whose = account(id=of, webhook_url=None)
    sample = event(of=whose, message_id=None)
    [webhook_id] = await publish.publish(
        tx, [publish.Event(whose, sample.kind, sample.at - age, sample.data)]
    )
    await tx.flush()  # written from here on, and not committed
    return webhook_id


async def read(db: Database, after: str | None = None, limit: int = 1000) -> list[str]:
    async def load(tx: Tx) -> list[str]:
        place = await feed_store.find_position(tx, OURS, after) if after else feed.START
        assert place is not None
        return [entry.id for entry in await feed_store.load_after(tx, OURS, place, limit)]

    return await db.transact(load)


async def test_what_commits_late_is_not_skipped(db: Database) -> None:
    async with db.transaction() as slow:
        late = await publish_one(slow)
        await slow.flush()
        early = await db.transact(publish_one)
        assert await read(db) == [], "it stops before a transaction that still runs"
    assert await read(db) == [late, early]


async def test_a_transaction_of_another_database_delays_no_reader(db: Database) -> None:
    other = await Database.open(fresh_database(), ManualClock(), 1)
    async with other.transaction() as slow:
        await publish_one(slow)
        await slow.flush()
        ours = await db.transact(publish_one)
        assert await read(db) == [ours]
    await other.close()


async def test_what_was_rolled_back_delays_no_reader(db: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await publish_one(tx)
            await tx.flush()
            raise ZeroDivisionError
    kept = await db.transact(publish_one)
    assert await read(db) == [kept]


async def test_a_reader_beside_many_writers_sees_each_event_once(db: Database) -> None:
    written: list[str] = []

    async def write(seed: int) -> None:
        pause = random.Random(seed)
        for _ in range(15):
            async with db.transaction() as tx:
                first = await publish_one(tx)
                await asyncio.sleep(pause.random() / 100)
                written.extend([first, await publish_one(tx)])

    async def follow(writers: asyncio.Future[list[None]]) -> list[str]:
        seen: list[str] = []
        while True:
            done = writers.done()
            page = await read(db, seen[-1] if seen else None, limit=3)
            seen += page
            if done and not page:
                return seen

    writers = asyncio.gather(*(write(seed) for seed in range(8)))
    seen = await follow(writers)
    assert len(seen) == len(set(seen)) == 8 * 15 * 2
    assert set(seen) == set(written)


async def test_events_of_another_server_come_first(db: Database) -> None:
    """A dump that is restored brings numbers of transactions that this server has yet to reach."""

    old = [await db.transact(publish_one) for _ in range(3)]
    theirs = await db.transact(lambda tx: publish_one(tx, of=THEIRS))
    await db.rows("UPDATE webhooks SET written_by = '5' WHERE id = $1", old[0])
    await db.rows("UPDATE webhooks SET written_by = '9000000000' WHERE id = $1", old[1])
    await db.rows("UPDATE webhooks SET written_by = '8000000000' WHERE id = $1", old[2])
    new = await db.transact(publish_one)
    assert await read(db, old[0]) == [new]
    await db.transact(feed.adopt)
    assert await read(db) == [*old, new]
    assert await read(db, old[2]) == [new]
    place = await db.transact(lambda tx: feed_store.find_position(tx, THEIRS, theirs))
    assert place is not None and place[0] > 0, "what needs no mending is left alone"
    await db.transact(feed.adopt)
    assert await read(db) == [*old, new]


async def test_events_are_forgotten_after_thirty_days(db: Database) -> None:
    old = timedelta(days=30, seconds=1)
    gone = [await db.transact(lambda tx, key=key: publish_one(tx, of=key, age=old)) for key in
            (OURS, OURS, THEIRS)]  # fmt: skip
    kept = await db.transact(lambda tx: publish_one(tx, age=timedelta(days=29, hours=23)))
    owed = await db.transact(lambda tx: publish_one(tx, age=old))
    await db.rows("UPDATE webhooks SET state = 'pending' WHERE id = $1", owed)
    timestamp = ManualClock().now() + timedelta(hours=1)  # the account's time is an hour ahead
    count = await db.transact(lambda tx: _purge_at(tx, timestamp))
    assert count == len(gone) == 3
    assert set(await read(db)) == {kept, owed}


async def _purge_at(tx: Tx, timestamp) -> int:
    tx.now = timestamp
    return await publish.purge(tx)
