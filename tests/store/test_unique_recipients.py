"""Unique recipients in the database: counted once in 24 hours, released with their last message."""

import asyncio
from datetime import timedelta
from uuid import uuid4

from tests.support.clock import NOON
from tests.support.quotas import (
    FRIEND,
    GUEST,
    MINUTE,
    OTHER,
    PEOPLE,
    ask,
    load_one,
)
from tidings.engine.db.pool import Database
from tidings.features.senders import quota_store
from tidings.features.senders.quotas import DAY, UniqueRecipients


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
