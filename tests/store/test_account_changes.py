"""Changes wait for changes of the same account, and a lost notification is made up for."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest

from tests.support.accounts import ACME, make
from tests.support.waiting import until
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

OTHER = replace(ACME, name="other")


async def waits(db: Database) -> bool:
    query = """
        SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'
    """
    return bool(await db.value(query))


async def announced(tx: Tx, account_id) -> None:
    await changes.begin(tx, [account_id])
    await changes.announce(tx, account_id)


async def test_a_change_waits_for_one_of_the_same_account_and_for_no_other(db: Database) -> None:
    ours, others = (await make(db)).id, (await make(db, OTHER)).id
    async with db.transaction() as tx:
        await announced(tx, ours)
        second = asyncio.create_task(db.transact(lambda tx: announced(tx, ours)))
        await until(lambda: waits(db))
        await db.transact(lambda tx: announced(tx, others))
        assert not second.done()
    await second


@pytest.mark.parametrize("first", [True, False])
async def test_a_change_of_all_accounts_waits_for_each_and_each_for_it(
    db: Database, first: bool
) -> None:
    ours = (await make(db)).id

    async def begin_ours(tx: Tx) -> None:
        await changes.begin(tx, [ours])

    one, other = (changes.begin_all, begin_ours) if first else (begin_ours, changes.begin_all)
    async with db.transaction() as tx:
        await one(tx)
        second = asyncio.create_task(db.transact(other))
        await until(lambda: waits(db))
        assert not second.done()
    await second


async def test_a_change_has_to_begin_before_it_is_announced(db: Database) -> None:
    ours = (await make(db)).id
    with pytest.raises(AssertionError, match="begin"):
        await db.transact(lambda tx: changes.announce(tx, ours))


async def test_an_account_that_changes_twice_in_a_transaction_is_announced_at_its_commit(
    db: Database,
) -> None:
    ours, others = (await make(db)).id, (await make(db, OTHER)).id
    watch = changes.Watch()
    await poll(db, watch)
    async with db.transaction() as tx:
        for one in (ours, others, ours):
            await announced(tx, one)
        assert not await poll(db, watch)
    assert (await poll(db, watch)).account_ids == {ours, others}


async def test_a_watch_finds_what_was_committed_late_by_a_transaction_that_began_early(
    db: Database,
) -> None:
    ours, others = (await make(db)).id, (await make(db, OTHER)).id
    watch = changes.Watch()
    assert (await poll(db, watch)).account_ids is None
    async with db.transaction() as early:
        await announced(early, ours)
        await db.transact(lambda tx: announced(tx, others))
        assert await poll(db, watch) == changes.Changed(frozenset({others}))
        assert not await poll(db, watch)
    assert await poll(db, watch) == changes.Changed(frozenset({ours}))
    assert not await poll(db, watch)


async def poll(db: Database, watch: changes.Watch) -> changes.Changed:
    return watch.compare(await db.transact(watch.read))


async def test_an_account_is_read_once_in_a_transaction(db: Database) -> None:
    ours = (await make(db)).id

    async def load(tx: Tx) -> Account | None:
        return (await load_accounts(tx, [ours, uuid4()])).get(ours)

    async with db.transaction() as tx:
        first = await load(tx)
        await make(db, replace(ACME, daily_limit=5))
        assert await load(tx) == first
        assert (await db.transact(load)).daily_limit == 5
        await changes.begin(tx, [ours])
        assert (await load(tx)).daily_limit == 5
