"""Capacity under concurrent reservations: never more than there is, and no deadlock."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database, opened_database
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.configure import configure
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import AccountSpec, PartnerTerms
from tidings.features.partner import capacity
from tidings.features.partner.lookup import find_partnership
from tidings.features.partner.topup import top_up
from tidings.secrets import Sealer

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ENDS = NOW + timedelta(days=1)
SEALER = Sealer(b"k" * 32)


@pytest.fixture
async def db() -> AsyncIterator[Database]:
    async with opened_database(fresh_database(), ManualClock(NOW)) as db:
        yield db


async def make(db: Database, name: str, **fields: Any) -> UUID:
    spec = AccountSpec(name=name, environment="sandbox", **fields)
    return (await db.transact(lambda tx: configure(tx, SEALER, spec))).id


async def make_partner(db: Database, name: str, messages: int = 0) -> UUID:
    made = await make(db, name, partner=PartnerTerms("0.01", "1000.00", "ILS", ENDS))

    async def buy(tx: Tx) -> None:
        account = (await load_accounts(tx, [made]))[made]
        await top_up(tx, account, messages)

    if messages:
        await db.transact(buy)
    return made


async def test_a_partner_that_bought_nothing_has_nothing(db: Database) -> None:
    partner = await make_partner(db, "new")
    held = await db.transact(lambda tx: capacity.lock(tx, [partner]))
    assert held == {partner: capacity.Capacity(0, 0, ENDS)}
    assert (held[partner].remaining, held[partner].pct) == (0, 0)
    assert not held[partner].is_expired(NOW)
    assert held[partner].is_expired(ENDS)
    assert await db.transact(lambda tx: capacity.lock(tx, [])) == {}
    with pytest.raises(Conflict):
        await db.transact(lambda tx: capacity.use(tx, {partner: 1}))


async def test_sixty_four_that_race_for_forty_get_forty(db: Database) -> None:
    partner = await make_partner(db, "racing", 40)

    async def charge(tx: Tx) -> int:
        held = (await capacity.lock(tx, [partner]))[partner]
        taken = min(held.remaining, 1)
        await capacity.use(tx, {partner: taken})
        return taken

    taken = await asyncio.gather(*(db.transact(charge) for _ in range(64)))
    assert sum(taken) == 40
    held = (await db.transact(lambda tx: capacity.find(tx, [partner])))[partner]
    assert (held.total, held.used, held.pct) == (40, 40, 100)
    await db.transact(lambda tx: capacity.release(tx, {partner: 40}))
    with pytest.raises(AssertionError, match="more is released"):
        await db.transact(lambda tx: capacity.release(tx, {partner: 1}))


async def test_partners_named_in_any_order_do_not_wait_for_each_other(db: Database) -> None:
    some = [await make_partner(db, f"p{n}", 1000) for n in range(4)]

    async def once(attempt: int) -> None:
        order = some if attempt % 2 else some[::-1]
        await db.transact(lambda tx: capacity.use(tx, dict.fromkeys(order, 2)))
        await db.transact(lambda tx: capacity.release(tx, dict.fromkeys(order, 1)))

    before = await db.value(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    )
    await asyncio.gather(*(once(attempt) for attempt in range(40)))
    held = await db.transact(lambda tx: capacity.find(tx, some))
    assert {one.used for one in held.values()} == {40}
    after = await db.value(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    )
    assert after == before


async def test_an_account_draws_on_its_own_capacity_or_on_its_partners(db: Database) -> None:
    partner = await make_partner(db, "mother", 10)
    child = await make(db, "child", belongs_to="mother")
    other = await make(db, "other")

    async def look(tx: Tx) -> list[Any]:
        accounts = await load_accounts(tx, [partner, child, other])
        return [await find_partnership(tx, accounts[key]) for key in (partner, child, other)]

    own, belonging, none = await db.transact(look)
    assert (own.partner.name, own.is_own, own.shape().total) == ("mother", True, 10)
    assert (belonging.partner.name, belonging.is_own) == ("mother", False)
    assert belonging.capacity == own.capacity
    assert none is None
