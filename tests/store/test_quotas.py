"""Slots and quota reservations in the database: taken once, released, shared by processes."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from tests.support.clock import NOON
from tests.support.quotas import (
    FIRST,
    MINUTE,
    PEOPLE,
    SEALER,
    SECOND,
    account_with_numbers,
    ask,
    load_one,
    take_places,
)
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.features.senders import capacity_reads, quota_store, store
from tidings.features.senders.configure import configure
from tidings.features.senders.model import NumberSpec
from tidings.features.senders.quotas import ACCOUNT, DAY
from tidings.features.senders.rate_limiter import plan_slot, take_slot

# Slots


async def test_a_number_continues_where_its_last_slot_was(db: Database):
    account = await account_with_numbers(db)
    keys = [(account, FIRST), (account, SECOND), (account, "972555999999")]

    async def three(tx):
        limiters = await store.lock_limiters(tx, keys)
        slots = [take_slot(limiters[account, FIRST], NOON) for _ in range(3)]
        planned = plan_slot(limiters[account, FIRST], NOON)
        await store.save_limiters(tx, limiters)
        return slots, planned, set(limiters)

    slots, planned, found = await db.transact(three)
    assert found == set(keys[:2])
    assert slots[-1] == NOON + timedelta(seconds=0.2)
    assert planned == NOON + timedelta(seconds=0.3)
    slots, planned, _ = await db.transact(three)
    assert slots[0] == NOON + timedelta(seconds=0.3)
    assert planned == NOON + timedelta(seconds=0.6)
    rows = await db.rows("SELECT next_free_at FROM numbers ORDER BY number")
    assert [row[0] for row in rows] == [NOON + timedelta(seconds=0.6), None]


async def test_two_processes_never_give_one_slot_twice(db: Database):
    account = await account_with_numbers(db)

    async def one(tx):
        limiters = await store.lock_limiters(tx, [(account, SECOND), (account, FIRST)])
        await asyncio.sleep(0.001)
        slot = take_slot(limiters[account, FIRST], NOON)
        await store.save_limiters(tx, limiters)
        return slot

    slots = await asyncio.gather(*(db.transact(one) for _ in range(20)))
    assert sorted(slots) == [NOON + n * timedelta(seconds=0.1) for n in range(20)]


async def test_accounts_with_passcodes_keep_a_share_for_them(db: Database):
    mine, other = await account_with_numbers(db), await account_with_numbers(db, "other")

    async def work(tx):
        keys = [(mine, FIRST), (other, FIRST)]
        limiters = await store.lock_limiters(tx, keys, with_passcodes={mine})
        take_slot(limiters[mine, FIRST], NOON, passcode=True)
        await store.save_limiters(tx, limiters)
        return {key[0]: limiter.has_passcodes for key, limiter in limiters.items()}

    assert await db.transact(work) == {mine: True, other: False}
    again = await db.transact(lambda tx: store.lock_limiters(tx, [(mine, FIRST)]))
    assert again[mine, FIRST].otp_next_free_at == NOON + timedelta(seconds=0.4)


async def test_who_locks_numbers_waits_for_whoever_has_them(db: Database) -> None:
    account = await account_with_numbers(db)
    locked, order = asyncio.Event(), list[str]()

    async def first(tx):
        await capacity_reads.lock_numbers(tx, [(account, FIRST)])
        locked.set()
        await asyncio.sleep(0.05)
        order.append("first")

    async def second(tx):
        await capacity_reads.lock_numbers(tx, [(account, FIRST)])
        order.append("second")

    holding = asyncio.create_task(db.transact(first))
    await locked.wait()
    await db.transact(second)
    await holding
    assert order == ["first", "second"]


async def test_configuring_numbers_leaves_their_slots_alone(db: Database):
    account = await account_with_numbers(db)

    async def move(tx):
        limiters = await store.lock_limiters(tx, [(account, FIRST)])
        take_slot(limiters[account, FIRST], NOON)
        await store.save_limiters(tx, limiters)

    await db.transact(move)
    specs = [NumberSpec(number=FIRST, per_second=20)]
    assert await db.transact(lambda tx: configure(tx, SEALER, account, specs))
    limiters = await db.transact(lambda tx: store.lock_limiters(tx, [(account, FIRST)]))
    assert limiters[account, FIRST].per_second == 20
    assert limiters[account, FIRST].next_free_at == NOON + timedelta(seconds=0.1)


async def test_slots_read_before_numbers_were_configured_are_not_written(db: Database):
    """Which number guards a counter depends on all numbers: who read fewer must read again."""
    account = await account_with_numbers(db)
    stale = await db.transact(lambda tx: store.lock_limiters(tx, [(account, FIRST)]))
    take_slot(stale[account, FIRST], NOON)
    added = NumberSpec(number="972555000000")
    specs = [NumberSpec(number=FIRST, per_second=10), NumberSpec(number=SECOND), added]
    assert await db.transact(lambda tx: configure(tx, SEALER, account, specs))

    async def save(tx):
        await store.save_limiters(tx, stale)

    with pytest.raises(Conflict):
        await db.transact(save)


# Places


async def test_reservations_add_up_over_transactions_and_expire_after_24_hours(db: Database):
    account = uuid4()
    await take_places(db, account, [NOON, NOON + timedelta(seconds=9)])
    await take_places(db, account, [NOON + timedelta(seconds=5), NOON + 3 * MINUTE])
    counter = await load_one(db, account, limit=4, now=NOON + 5 * MINUTE)
    assert counter.used_at(NOON + 5 * MINUTE) == 4
    assert counter.free_at(NOON + 5 * MINUTE) == NOON + timedelta(seconds=9) + DAY
    later = NOON + timedelta(seconds=9) + DAY
    counter = await load_one(db, account, limit=4, now=later)
    assert counter.used_at(later) == 1
    assert counter.resets_at(later) == NOON + 3 * MINUTE + DAY


async def test_meters_and_accounts_do_not_mix(db: Database):
    mine, other = uuid4(), uuid4()
    await take_places(db, mine, [NOON] * 3)
    await take_places(db, mine, [NOON] * 2, counter=PEOPLE)
    asks = [ask(mine), ask(mine, PEOPLE), ask(other)]
    counters = await db.transact(lambda tx: quota_store.load_counters(tx, asks))
    used = {key: counter.used_at(NOON) for key, counter in counters.items()}
    assert used == {(mine, ACCOUNT): 3, (mine, PEOPLE): 2, (other, ACCOUNT): 0}
    assert await db.transact(lambda tx: quota_store.load_counters(tx, [])) == {}


@pytest.mark.parametrize(
    ("limit", "room_for", "minutes"),
    [(100, 40, 1), (100, 41, 60), (100, None, 60), (None, 5, 0), (None, None, 60)],
)
async def test_minutes_are_read_only_where_they_decide_something(
    db: Database, limit, room_for, minutes
):
    account = uuid4()
    await take_places(db, account, [NOON + n * MINUTE for n in range(60)])
    now = NOON + 61 * MINUTE
    counter = await load_one(db, account, limit=limit, now=now, room_for=room_for)
    assert len(counter._begins) == minutes
    for _ in range(room_for or 0):
        if room_for == 40:
            assert counter.free_at(now) == now
        counter.reserve(now)


async def test_a_released_reservation_is_free_again(db: Database):
    account = uuid4()
    await take_places(db, account, [NOON, NOON, NOON + DAY])
    places = [(account, ACCOUNT, NOON + timedelta(seconds=40)), (account, ACCOUNT, NOON)]
    places += [(account, ACCOUNT, NOON + 9 * MINUTE)]  # never taken: nothing to free
    await db.transact(lambda tx: quota_store.release(tx, places))
    counter = await load_one(db, account, limit=2)
    assert counter.used_at(NOON) == 0
    assert counter.used_at(NOON + DAY) == 1
    await db.transact(lambda tx: quota_store.release(tx, places))
    await db.transact(lambda tx: quota_store.release(tx, []))
    assert (await load_one(db, account, limit=2)).used_at(NOON + DAY) == 1


async def test_a_minute_that_was_released_resets_nothing(db: Database):
    account = await account_with_numbers(db)
    await take_places(db, account, [NOON, NOON + 5 * MINUTE])
    await db.transact(lambda tx: quota_store.release(tx, [(account, ACCOUNT, NOON)]))
    counter = await load_one(db, account, limit=2)
    assert counter.resets_at(NOON + 6 * MINUTE) == NOON + 5 * MINUTE + DAY


async def test_processes_that_lock_the_numbers_first_never_exceed_the_limit(db: Database):
    account = await account_with_numbers(db)

    async def one(tx):
        await store.lock_limiters(tx, [(account, FIRST), (account, SECOND)])
        counters = await quota_store.load_counters(tx, [ask(account, limit=7, room_for=1)])
        counter = counters[account, ACCOUNT]
        at = counter.free_at(NOON)
        counter.reserve(at)
        await quota_store.save_counters(tx, counters)
        return at

    timestamps = await asyncio.gather(*(db.transact(one) for _ in range(20)))
    assert sorted(timestamps) == [NOON] * 7 + [NOON + DAY] * 7 + [NOON + 2 * DAY] * 6
