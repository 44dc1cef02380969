"""Charges, the numbers that had their unique message, and the sums of days: each account's own."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from tidings import ids
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.billing.charging import store
from tidings.features.billing.model import Charge, ChargeKind

GUEST, OTHER, THIRD = "972501111111", "972502222222", "972503333333"
UNIQUE, FOLLOWUP = ChargeKind.UNIQUE, ChargeKind.FOLLOWUP
PRICE = 200_000


def charge(
    account: UUID, message: UUID, at: datetime, phone: str = "", subscription: int = 1
) -> Charge:
    kind = UNIQUE if phone else FOLLOWUP
    return Charge(account, message, kind, at, phone, subscription, 1, None, PRICE)


async def reserve(db: Database, *charges: Charge) -> None:
    await db.transact(lambda tx: store.reserve(tx, charges))


async def charged(db: Database, keys: Sequence[store.NumberKey]) -> dict[UUID, set[str]]:
    async def work(tx: Tx) -> dict[UUID, set[str]]:
        return await tx.result(store.read_charged_numbers(keys))

    return await db.transact(work)


async def test_numbers_are_charged_in_one_account_and_subscription(db: Database) -> None:
    ours, theirs = sorted((uuid4(), uuid4()))
    now = db.clock.now()
    await reserve(
        db,
        charge(ours, ids.new_id(), now, GUEST),
        charge(ours, ids.new_id(), now, OTHER, subscription=2),
        charge(ours, ids.new_id(), now, THIRD),
        charge(theirs, ids.new_id(), now, OTHER),
    )
    assert await charged(db, []) == {}
    assert await charged(db, [(ours, 1, GUEST), (ours, 1, OTHER)]) == {ours: {GUEST}}
    assert await charged(db, [(ours, 2, GUEST), (ours, 2, OTHER)]) == {ours: {OTHER}}
    several = [(ours, 1, GUEST), (ours, 1, OTHER), (theirs, 1, GUEST), (theirs, 1, OTHER)]
    assert await charged(db, several) == {ours: {GUEST}, theirs: {OTHER}}
    assert await charged(db, [(ours, 1, OTHER), (ours, 2, OTHER)]) == {ours: {OTHER}}


async def test_a_number_has_one_unique_message(db: Database) -> None:
    account, now = uuid4(), db.clock.now()
    await reserve(db, charge(account, ids.new_id(), now, GUEST))
    with pytest.raises(Conflict):
        await reserve(db, charge(account, ids.new_id(), now, GUEST))


async def test_a_charge_is_resolved_once_and_in_one_account(db: Database) -> None:
    """Two accounts have a message of the same id here, which no two have in life."""
    ours, theirs = sorted((uuid4(), uuid4()))
    first, second = ids.new_id(), ids.new_id()
    now = db.clock.now()
    await reserve(
        db,
        charge(ours, first, now, GUEST), charge(ours, second, now),
        charge(theirs, first, now, GUEST),
    )  # fmt: skip
    later = now + timedelta(minutes=1)
    refunded = await db.transact(lambda tx: store.refund(tx, [(ours, first, later)]))
    assert [(one.account_id, one.message_id, one.kind, one.at) for one in refunded] == [
        (ours, first, UNIQUE, later)
    ]
    assert await db.transact(lambda tx: store.refund(tx, [(ours, first, later)])) == []
    await db.transact(lambda tx: store.settle(tx, [(ours, first, later), (ours, second, later)]))
    entries = "SELECT account_id, message_id, entry FROM charges WHERE resolves"
    assert {tuple(row) for row in await db.rows(entries)} == {
        (ours, first, "REFUND"), (ours, second, "SETTLE"),
    }  # fmt: skip
    assert await db.transact(lambda tx: store.refund(tx, [(ours, second, later)])) == []


async def test_of_a_batch_only_the_messages_named_are_resolved(db: Database) -> None:
    ours, now = uuid4(), db.clock.now()
    first, second, third = sorted(ids.new_id() for _ in range(3))
    await reserve(db, *(charge(ours, message, now) for message in (first, second, third)))
    named = [(ours, first, now), (ours, third, now)]
    refunded = await db.transact(lambda tx: store.refund(tx, named))
    assert {one.message_id for one in refunded} == {first, third}


async def test_the_number_of_a_refunded_message_is_free_again_and_no_other(db: Database) -> None:
    ours, theirs = sorted((uuid4(), uuid4()))
    message, now = ids.new_id(), db.clock.now()
    kept = [
        (ours, 1, OTHER, message), (ours, 2, GUEST, message), (theirs, 1, GUEST, message),
        (ours, 1, THIRD, ids.new_id()),
    ]  # fmt: skip
    rows = [(ours, 1, GUEST, message), *kept]

    async def insert(tx: Tx) -> None:
        await tx.run(
            """
            INSERT INTO charged_numbers (account_id, subscription_id, phone, message_id)
            SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[])
            """,
            *([row[column] for row in rows] for column in range(4)),
        )

    await db.transact(insert)
    of_another_message = (ours, 1, THIRD, message)
    await db.transact(
        lambda tx: store.release_numbers(tx, [(ours, 1, GUEST, message), of_another_message])
    )
    found = await db.rows(
        "SELECT account_id, subscription_id, phone, message_id FROM charged_numbers"
    )
    assert {tuple(row) for row in found} == set(kept)
    assert await charged(db, [(ours, 1, GUEST)]) == {}
    await reserve(db, charge(ours, ids.new_id(), now, GUEST))


async def test_the_sums_of_days_terms_and_accounts_are_apart(db: Database) -> None:
    ours, theirs = sorted((uuid4(), uuid4()))
    now = db.clock.now()
    today = now.date()
    await reserve(
        db,
        charge(ours, ids.new_id(), now, GUEST), charge(ours, ids.new_id(), now),
        charge(ours, ids.new_id(), now), charge(ours, ids.new_id(), now, subscription=2),
        charge(theirs, ids.new_id(), now),
    )  # fmt: skip

    async def refund(tx: Tx) -> None:
        days = [(ours, today, 1, 1, FOLLOWUP, PRICE)]
        await store.count_refunds(tx, days)

    await db.transact(refund)

    async def sums(tx: Tx) -> tuple[object, ...]:
        return (
            [tuple(getattr(one, name) for name in one.__struct_fields__)
             for one in await store.load_counts(tx, ours, 1, 1)],
            await store.load_sums(tx, [ours], today, today),
            await store.load_sums(tx, [ours, theirs], today, today),
            await store.load_sums(tx, [ours], today - timedelta(1), today - timedelta(1)),
            await store.load_counts(tx, ours, 1, 2),
        )  # fmt: skip

    counts, own, both, before, other_term = await db.transact(sums)

    async def days(first: date, last: date) -> set[tuple[object, ...]]:
        found = await db.transact(lambda tx: store.load_days(tx, [ours], first, last))
        return {(one.day, one.kind, one.charged, one.refunded) for one in found}

    day = timedelta(1)
    assert await days(today, today) == {(today, UNIQUE, 1, 0), (today, FOLLOWUP, 3, 1)}
    assert await days(today - day, today - day) == set()
    assert await days(today + day, today + day) == set()
    assert counts == [(UNIQUE, PRICE, 1, 0), (FOLLOWUP, PRICE, 2, 1)]
    assert own == {ours: (4, 1)}
    assert both == {ours: (4, 1), theirs: (1, 0)}
    assert (before, other_term) == ({}, [])


async def test_charges_are_listed_by_message_and_by_time(db: Database) -> None:
    ours, theirs = sorted((uuid4(), uuid4()))
    now, minute = db.clock.now(), timedelta(minutes=1)
    one, two, three = sorted(ids.new_id() for _ in range(3))
    await reserve(
        db,
        charge(ours, one, now), charge(ours, two, now + minute),
        charge(ours, three, now + 2 * minute), charge(theirs, two, now + minute),
    )  # fmt: skip
    await db.transact(lambda tx: store.refund(tx, [(theirs, two, now + 9 * minute)]))
    await db.transact(lambda tx: store.settle(tx, [(ours, three, now + 9 * minute)]))

    async def listed(
        since: datetime | None = None,
        until: datetime | None = None,
        within: tuple[UUID | None, UUID | None] = (None, None),
        size: int = 10,
    ) -> list[tuple[UUID, str]]:
        rows = await db.transact(
            lambda tx: store.load_charges(
                tx, ours, since=since, until=until, within=within, size=size
            )
        )
        return [(row.message_id, row.entry) for row in rows]

    first, second, third = (one, "RESERVE"), (two, "RESERVE"), (three, "SETTLE")
    assert await listed() == [third, second, first]
    assert await listed(size=2) == [third, second]
    assert await listed(since=now + minute) == [third, second]
    assert await listed(until=now + minute) == [first]
    assert await listed(within=(two, None)) == [third, second]
    assert await listed(within=(None, two)) == [first]
    assert await listed(within=(two, three)) == [second]
