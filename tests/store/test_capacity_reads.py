"""All limits of a transaction's messages, as it reads and writes them."""

from dataclasses import replace
from datetime import timedelta

from tests.support.quotas import (
    GUEST,
    MINUTE,
    OTHER,
    PEOPLE,
    SEALER,
    SECOND,
    account_with_numbers,
    take_places,
)
from tidings.engine.db.pool import Database
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders import capacity_reads
from tidings.features.senders.capacity import HeldQuota
from tidings.features.senders.configure import configure
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import NumberSpec


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
