"""Slots and quota reservations in the database: taken once, released, shared by processes."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from tests.support.clock import NOON
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import AccountSpec
from tidings.features.senders import capacity_reads, quota_store, store
from tidings.features.senders.capacity import HeldQuota
from tidings.features.senders.configure import configure
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import NumberSpec
from tidings.features.senders.quota_store import CounterQuery
from tidings.features.senders.quotas import ACCOUNT, DAY, RollingCounter, UniqueRecipients
from tidings.features.senders.rate_limiter import plan_slot, take_slot
from tidings.secrets import Sealer

SEALER = Sealer(bytes(32))
MINUTE = timedelta(minutes=1)
FIRST, SECOND = "972555000001", "972555000002"
GUEST, OTHER, FRIEND = "972501111111", "972502222222", "972503333333"
PEOPLE = "number:972555000001"


async def account_with_numbers(db, name="acme", **limits) -> UUID:
    async def make(tx):
        spec = AccountSpec(name=name, environment="sandbox", **limits)
        made = await configure_account(tx, SEALER, spec)
        specs = [NumberSpec(number=FIRST, per_second=10), NumberSpec(number=SECOND)]
        await configure(tx, SEALER, made.id, specs)
        return made.id

    return await db.transact(make)


def ask(account, counter=ACCOUNT, limit=10, now=NOON, room_for=None):
    return CounterQuery(account, counter, limit, now, room_for)


async def take_places(db, account, timestamps, counter=ACCOUNT):
    async def work(tx):
        one = RollingCounter(None)
        for at in timestamps:
            one.reserve(at)
        await quota_store.save_counters(tx, {(account, counter): one})

    await db.transact(work)


async def load_one(db, *args, **kwargs):
    wanted = ask(*args, **kwargs)
    counters = await db.transact(lambda tx: quota_store.load_counters(tx, [wanted]))
    return counters[wanted.account_id, wanted.counter]


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


# People


async def write_to(db, account, *people, limit=5, at=NOON):
    """Messages to these people outside a conversation; when each may go."""

    async def work(tx):
        key = (account, PEOPLE)
        wanted = ask(account, PEOPLE, limit, at, room_for=len(people))
        counters = await quota_store.load_counters(tx, [wanted])
        found = await tx.result(quota_store.read_recipients((*key, phone) for phone in people))
        counted = {phone: at for (*_, phone), (at, _) in found.items()}
        recipients = UniqueRecipients(counters[key], counted)
        timestamps = []
        for phone in people:
            timestamps.append(recipients.free_at(phone, at))
            recipients.reserve(phone, timestamps[-1])
        await quota_store.save_counters(tx, counters)
        await quota_store.save_recipients(tx, {key: recipients})
        return timestamps

    return await db.transact(work)


async def used(db, account, now=NOON):
    return (await load_one(db, account, PEOPLE, 5, now)).used_at(now)


async def test_a_recipient_needs_one_reservation_in_24_hours(db: Database):
    account = uuid4()
    await write_to(db, account, GUEST, GUEST, OTHER)
    await write_to(db, account, GUEST, at=NOON + timedelta(hours=20))
    assert await used(db, account, NOON + timedelta(hours=20)) == 2
    await write_to(db, account, GUEST, at=NOON + DAY)
    assert await used(db, account, NOON + DAY) == 1
    rows = await db.rows("SELECT phone, counted_at, holders FROM unique_recipients ORDER BY phone")
    assert [tuple(row) for row in rows] == [(GUEST, NOON + DAY, 1), (OTHER, NOON, 1)]


async def test_the_person_beyond_the_limit_waits_for_the_first_to_leave(db: Database):
    account = uuid4()
    assert await write_to(db, account, GUEST, OTHER, limit=1) == [NOON, NOON + DAY]
    later = NOON + timedelta(hours=1)
    assert await write_to(db, account, OTHER, limit=1, at=later) == [NOON + DAY]


async def test_a_recipients_reservation_is_released_with_its_last_message(db: Database):
    account = uuid4()
    await write_to(db, account, GUEST, GUEST, OTHER)
    guest, other = (account, PEOPLE, GUEST), (account, PEOPLE, OTHER)
    await db.transact(lambda tx: quota_store.release_recipients(tx, [guest]))
    assert await used(db, account) == 2
    await db.transact(lambda tx: quota_store.release_recipients(tx, [guest, other]))
    assert await used(db, account) == 0
    assert await db.value("SELECT count(*) FROM unique_recipients") == 0
    await db.transact(lambda tx: quota_store.release_recipients(tx, [guest]))
    assert await used(db, account) == 0


async def test_what_one_account_releases_another_keeps(db: Database):
    """Sandbox accounts have the same numbers, and may write to the same guests."""
    ours, theirs = uuid4(), uuid4()
    third = uuid4()
    for account in (ours, theirs):
        await write_to(db, account, GUEST, GUEST)
    await write_to(db, third, GUEST)
    guest = (ours, PEOPLE, GUEST)
    held = "SELECT holders FROM unique_recipients WHERE account_id = $1"
    for left in (1, None):
        await db.transact(lambda tx: quota_store.release_recipients(tx, [guest]))
        assert await db.value(held, ours) == left
        assert await db.value(held, theirs) == 2
        assert await db.value(held, third) == 1
    assert (await used(db, ours), await used(db, theirs)) == (0, 1)


ALL_RECIPIENTS = "SELECT counter, phone, counted_at, holders FROM unique_recipients"


async def test_only_one_recipient_of_one_number_is_released_or_counted_earlier(db: Database):
    account, minute = uuid4(), NOON + MINUTE
    second, third = "number:972555000002", "number:972555000003"
    others = [
        (PEOPLE, OTHER, minute, 1), (PEOPLE, FRIEND, minute, 2),
        (second, GUEST, minute, 1), (third, GUEST, minute, 2),
    ]  # fmt: skip
    await write_to(db, account, GUEST, GUEST, at=minute)

    async def insert(tx):
        await tx.run(
            """
            INSERT INTO unique_recipients (account_id, counter, phone, counted_at, holders)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::int[])
            """,
            account, *([one[column] for one in others] for column in range(4)),
        )  # fmt: skip

    async def move(tx):
        counters = await quota_store.load_counters(tx, [ask(account, PEOPLE, 5)])
        recipients = UniqueRecipients(counters[account, PEOPLE], {GUEST: minute})
        assert recipients.move_earlier(GUEST, NOON - MINUTE)
        await quota_store.move_earlier(tx, {(account, PEOPLE): recipients})

    async def found():
        return {tuple(row) for row in await db.rows(ALL_RECIPIENTS)}

    await db.transact(insert)
    await db.transact(move)
    assert await found() == {*others, (PEOPLE, GUEST, NOON - MINUTE, 2)}
    guest = (account, PEOPLE, GUEST)
    await db.transact(lambda tx: quota_store.release_recipients(tx, [guest]))
    assert await found() == {*others, (PEOPLE, GUEST, NOON - MINUTE, 1)}
    await db.transact(lambda tx: quota_store.release_recipients(tx, [guest]))
    assert await found() == {*others}


async def test_who_is_counted_earlier_is_so_in_one_account(db: Database):
    ours, theirs = uuid4(), uuid4()
    for account in (ours, theirs):
        await write_to(db, account, GUEST, at=NOON + MINUTE)

    async def move(tx):
        counters = await quota_store.load_counters(tx, [ask(ours, PEOPLE, 5)])
        recipients = UniqueRecipients(counters[ours, PEOPLE], {GUEST: NOON + MINUTE})
        assert recipients.move_earlier(GUEST, NOON - MINUTE)
        await quota_store.move_earlier(tx, {(ours, PEOPLE): recipients})
        await quota_store.save_counters(tx, counters)

    await db.transact(move)
    counted = "SELECT counted_at FROM unique_recipients WHERE account_id = $1"
    assert await db.value(counted, ours) == NOON - MINUTE
    assert await db.value(counted, theirs) == NOON + MINUTE


async def test_what_no_longer_counts_is_purged_by_each_accounts_own_time(db: Database):
    old, new = uuid4(), uuid4()
    for account in (old, new):
        await write_to(db, account, GUEST, OTHER)
    before = {old: NOON + MINUTE, new: NOON - MINUTE}
    assert await db.transact(lambda tx: quota_store.purge(tx, before, 1)) == 2
    assert await db.transact(lambda tx: quota_store.purge(tx, before, 100)) == 1
    assert await db.transact(lambda tx: quota_store.purge(tx, before, 100)) == 0
    assert await used(db, old) == 0
    assert await used(db, new) == 2
    assert await db.value("SELECT count(*) FROM unique_recipients WHERE account_id = $1", new) == 2


async def test_a_purge_leaves_what_another_transaction_holds_to_the_next(db: Database) -> None:
    account, before = uuid4(), NOON + MINUTE
    await write_to(db, account, GUEST)
    locked, purged = asyncio.Event(), asyncio.Event()

    async def hold(tx):
        await tx.run("SELECT FROM unique_recipients FOR UPDATE")
        locked.set()
        await purged.wait()

    async def purge():
        return await db.transact(lambda tx: quota_store.purge(tx, {account: before}, 100))

    holding = asyncio.create_task(db.transact(hold))
    await locked.wait()
    assert await purge() == 1, "the minute; the recipient is held"
    purged.set()
    await holding
    assert await purge() == 1


async def test_a_number_that_was_removed_meanwhile_makes_everything_begin_anew(
    db: Database,
) -> None:
    """Read before `tidings apply` removed it, locked after: what is decided must not rest on it."""

    account_id = await account_with_numbers(db)
    looked = 0

    async def accept(tx):
        nonlocal looked
        looked += 1
        accounts = await load_accounts(tx, [account_id])
        numbers = await load_numbers(tx, [account_id])
        if looked == 1:
            await db.transact(remove)  # while the other transaction is under way
        people = [(account_id, GUEST)]
        held = await capacity_reads.load(tx, accounts, numbers, people, with_passcodes=())
        return {number for _, number in held.limiters}

    async def remove(tx):
        await configure(tx, SEALER, account_id, [NumberSpec(number=SECOND)])

    assert await db.transact(accept) == {SECOND}
    assert looked == 2


# All of a transaction's limits


async def load_capacity(tx, account_id, phones):
    return await capacity_reads.load(
        tx, await load_accounts(tx, [account_id]), await load_numbers(tx, [account_id]),
        [(account_id, phone) for phone in phones], with_passcodes=(),
    )  # fmt: skip


async def test_near_the_limit_every_message_of_a_transaction_counts(db: Database) -> None:
    """Two are reserved, two more come: the second of them waits for the first to leave."""
    account_id = await account_with_numbers(db, daily_limit=3)
    hours = timedelta(hours=1)
    await take_places(db, account_id, [db.clock.now() - 20 * hours, db.clock.now() - hours])

    async def work(tx):
        held = await load_capacity(tx, account_id, [GUEST, OTHER])
        account = (await load_accounts(tx, [account_id]))[account_id]
        number = (await load_numbers(tx, [account_id]))[account_id][0]
        return [
            held.reserve_quota(account, number, phone, tx.now, counted=True).at - tx.now
            for phone in (GUEST, OTHER)
        ]

    first, second = await db.transact(work)
    assert first == timedelta(0)
    assert timedelta(0) <= second - 4 * hours <= MINUTE


async def test_an_account_without_limits_counts_nothing(db: Database) -> None:
    account_id = await account_with_numbers(db)
    held = await db.transact(lambda tx: load_capacity(tx, account_id, [GUEST]))
    assert (held.counters, held.unique_recipients) == ({}, {})


async def test_who_is_counted_earlier_is_saved_so(db: Database) -> None:
    account_id = await account_with_numbers(db)
    now = db.clock.now()

    async def count(tx, at, *, earlier):
        account = (await load_accounts(tx, [account_id]))[account_id]
        number = (await load_numbers(tx, [account_id]))[account_id][0]
        number = replace(number, daily_limit=1)
        held = await capacity_reads.load(
            tx, {account_id: account}, {account_id: [number]}, [(account_id, GUEST)],
            with_passcodes=(),
        )  # fmt: skip
        if earlier:
            quota = HeldQuota(account_id, GUEST, now + MINUTE, PEOPLE)
            held.move_earlier(quota, account, number, at, counted=True)
        else:
            held.reserve_quota(account, number, GUEST, at, counted=True)
        await held.save(tx)

    await db.transact(lambda tx: count(tx, now + MINUTE, earlier=False))
    await db.transact(lambda tx: count(tx, now, earlier=True))
    assert await db.value("SELECT counted_at FROM unique_recipients") == now
    counts = "SELECT sum(used) FROM rolling_counters WHERE minute > $1"
    assert await db.value("SELECT sum(used) FROM rolling_counters") == 1
    assert await db.value(counts, now) == 0
