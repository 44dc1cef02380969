"""The sums that deleted charges leave: of these messages, of this month, and nothing else."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest

from tests.store.test_billing_charges import GUEST, PRICE, charge, reserve
from tidings import ids
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.billing.charging import store, sum_store

Sum = tuple[UUID, str, int, int]  # account, kind, charged, refunded


async def sums(db: Database) -> set[Sum]:
    rows = await db.rows("SELECT account_id, kind, charged, refunded FROM charge_sums")
    return {tuple(row) for row in rows}


async def left(db: Database) -> set[tuple[UUID, UUID, str]]:
    return {
        tuple(row) for row in await db.rows("SELECT account_id, message_id, entry FROM charges")
    }


async def furnish(db: Database) -> tuple[UUID, UUID, list[UUID]]:
    """Ours: three messages, the first two refunded. Theirs: the second, which is not resolved."""
    ours, theirs = sorted((uuid4(), uuid4()))
    messages = sorted(ids.new_id() for _ in range(3))
    now = db.clock.now()
    await reserve(
        db,
        charge(ours, messages[0], now), charge(ours, messages[1], now),
        charge(ours, messages[2], now, GUEST), charge(theirs, messages[1], now),
    )  # fmt: skip
    resolved = [(ours, message, now + timedelta(minutes=1)) for message in messages[:2]]
    await db.transact(lambda tx: store.refund(tx, resolved))
    return ours, theirs, messages


async def test_messages_that_are_deleted_leave_their_sums(db: Database) -> None:
    ours, theirs, (first, second, third) = await furnish(db)

    async def delete(messages: Sequence[UUID]) -> None:
        await db.transact(lambda tx: sum_store.delete(tx, ours, messages))

    await delete([first])
    assert await sums(db) == {(ours, "FOLLOWUP", 1, 1)}
    kept = {(ours, third, "RESERVE"), (theirs, second, "RESERVE")}
    assert await left(db) == {*kept, (ours, second, "RESERVE"), (ours, second, "REFUND")}
    await delete([second])
    assert await sums(db) == {(ours, "FOLLOWUP", 2, 2)}
    assert await left(db) == kept


async def test_of_a_batch_only_the_messages_named_are_deleted(db: Database) -> None:
    ours, theirs, (first, second, third) = await furnish(db)
    await db.transact(lambda tx: sum_store.delete(tx, ours, [first, third]))
    assert await left(db) == {
        (ours, second, "RESERVE"), (ours, second, "REFUND"), (theirs, second, "RESERVE"),
    }  # fmt: skip


async def test_charges_are_deleted_in_no_other_way(db: Database) -> None:
    ours, _, (first, *_) = await furnish(db)

    async def work(tx: Tx) -> None:
        await sum_store.delete(tx, ours, [first])
        await tx.run("DELETE FROM charges")

    with pytest.raises(asyncpg.PostgresError):
        await db.transact(work)
    assert len(await left(db)) == 6


async def test_a_month_leaves_its_sums_and_no_others(db: Database) -> None:
    """From its first message, up to the next month's first."""
    ours, theirs, (first, second, third) = await furnish(db)

    async def add_up(tx: Tx) -> None:
        await sum_store.add_up_month(tx.connection, (second, third))

    await db.transact(add_up)
    assert await sums(db) == {(ours, "FOLLOWUP", 1, 1), (theirs, "FOLLOWUP", 1, 0)}
    assert await db.value("SELECT sum(charged * price_micro) FROM charge_sums") == 2 * PRICE

    async def unresolved(begin: UUID, end: UUID) -> list[UUID]:
        async def work(tx: Tx) -> list[UUID]:
            return await sum_store.find_unresolved(tx.connection, (begin, end))

        return sorted(await db.transact(work))

    assert await unresolved(first, second) == []
    assert await unresolved(second, third) == [theirs]
    assert await unresolved(first, third) == [theirs]
    assert await unresolved(third, UUID(int=third.int + 1)) == [ours]
