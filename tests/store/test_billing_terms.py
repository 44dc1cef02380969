"""The counters of terms: never above the quota or the credit, and each subscription's own."""

from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from itertools import repeat
from typing import Any
from uuid import UUID

import pytest

from tests.rules.test_billing_rules import START
from tests.rules.test_billing_rules import subscription as monthly
from tests.support.clock import ManualClock
from tests.support.database import fresh_database, opened_database
from tidings import ids
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.configure import configure
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import AccountSpec
from tidings.features.billing import rules
from tidings.features.billing.charging.resolve import _credit_current as credit_current
from tidings.features.billing.model import Subscription, Term, TermKey
from tidings.features.billing.subscriptions import store
from tidings.features.billing.subscriptions.store import QuotaDraw
from tidings.secrets import Sealer

OURS, THEIRS = UUID(int=1 << 64), UUID(int=2 << 64)
KEY = (OURS, 1, 0)
OTHERS = [(OURS, 1, 1), (OURS, 2, 0), (THEIRS, 1, 0)]  # another term, subscription, account


def subscription(account_id: UUID, number: int = 1, **fields: Any) -> Subscription:
    return monthly(account_id=account_id, id=number, **fields)


async def furnish(tx: Tx) -> None:
    for owner, name in ((OURS, "ours"), (THEIRS, "theirs")):
        ids.make_by(repeat(owner).__next__)
        await configure(tx, Sealer(bytes(32)), AccountSpec(name=name, environment="sandbox"))
    for account_id, number, term in (KEY, *OTHERS):
        one = subscription(account_id, number)
        await store.put_subscription(tx, one)
        await store.open_term(tx, one, rules.span(one, term))


@pytest.fixture
async def db() -> AsyncIterator[Database]:
    async with opened_database(fresh_database(), ManualClock(START)) as db:
        try:
            await db.transact(furnish)
        finally:
            ids.make_by()
        yield db


def taking(unique: int = 0, followup: int = 0, micro: int = 0, **fields: Any) -> QuotaDraw:
    values = {"bounded": True, "limit_micro": None} | fields
    return QuotaDraw(unique, followup, micro, **values)


async def draw(db: Database, draws: Mapping[TermKey, QuotaDraw]) -> None:
    await db.transact(lambda tx: store.draw(tx, draws))


async def term(db: Database, key: TermKey = KEY) -> Term:
    return (await db.transact(lambda tx: store.load_terms(tx, [key])))[key]


async def require_others_unused(db: Database) -> None:
    found = await db.transact(lambda tx: store.load_terms(tx, OTHERS))
    assert found == dict.fromkeys(OTHERS, Term(10, 5))


# Drawing


async def test_a_draw_is_taken_whole_up_to_the_quota(db: Database) -> None:
    await draw(db, {KEY: taking(7, 4, 900)})
    assert await term(db) == Term(10, 5, 7, 4, 900)
    for beyond in (taking(4), taking(0, 2), taking(3, 2), taking(4, 1)):
        with pytest.raises(Conflict):
            await draw(db, {KEY: beyond})
    assert await term(db) == Term(10, 5, 7, 4, 900)
    await draw(db, {KEY: taking(3, 1)})
    assert await term(db) == Term(10, 5, 10, 5, 900)
    await require_others_unused(db)


async def test_what_is_used_up_of_one_kind_does_not_refuse_the_other(db: Database) -> None:
    await draw(db, {KEY: taking(10)})
    await db.transact(lambda tx: store.change_quota(tx, subscription(OURS, unique_quota=3)))
    await draw(db, {KEY: taking(0, 5)})
    await db.transact(lambda tx: store.change_quota(tx, subscription(OURS, followup_quota=1)))
    await db.transact(lambda tx: store.change_quota(tx, subscription(OURS, unique_quota=11)))
    await db.transact(
        lambda tx: store.change_quota(tx, subscription(OURS, unique_quota=11, followup_quota=1))
    )
    await draw(db, {KEY: taking(1)})
    assert await term(db) == Term(11, 1, 11, 5)


async def test_where_quota_is_only_reported_it_may_be_exceeded(db: Database) -> None:
    await draw(db, {KEY: taking(11, 6, bounded=False)})
    assert await term(db) == Term(10, 5, 11, 6)


async def test_credit_from_before_counts_towards_the_limit(db: Database) -> None:
    one = subscription(OURS)

    async def carry(tx: Tx) -> None:
        await store.open_term(tx, one, rules.span(one, 0), carried_micro=-100)

    await db.transact(carry)
    await db.transact(lambda tx: store.open_term(tx, one, rules.span(one, 0)))
    await draw(db, {KEY: taking(1, 0, 400, limit_micro=500)})
    with pytest.raises(Conflict):
        await draw(db, {KEY: taking(1, 0, 201, limit_micro=500)})
    await draw(db, {KEY: taking(1, 0, 200, limit_micro=500)})
    assert await term(db) == Term(10, 5, 2, 0, 600, -100)


async def test_of_several_terms_all_are_drawn_from_or_none(db: Database) -> None:
    with pytest.raises(Conflict):
        await draw(db, {KEY: taking(1), OTHERS[2]: taking(11)})
    assert await term(db) == Term(10, 5)
    await draw(db, {KEY: taking(1), OTHERS[2]: taking(10)})
    assert (await term(db), await term(db, OTHERS[2])) == (Term(10, 5, 1), Term(10, 5, 10))


async def test_nothing_is_drawn_from_a_closed_term(db: Database) -> None:
    at = START + timedelta(days=31)
    await db.transact(lambda tx: store.close_term(tx, KEY, at))
    with pytest.raises(Conflict):
        await draw(db, {KEY: taking(1)})
    assert await term(db) == Term(10, 5, closed_at=at)
    await require_others_unused(db)


# Returning


async def test_what_is_returned_may_be_drawn_again(db: Database) -> None:
    await draw(db, {key: taking(5, 3, 700) for key in (KEY, *OTHERS)})
    closed = await db.transact(lambda tx: store.release(tx, {KEY: (2, 1, 300)}))
    assert closed == {KEY: None}
    assert await term(db) == Term(10, 5, 3, 2, 400)
    found = await db.transact(lambda tx: store.load_terms(tx, OTHERS))
    assert found == dict.fromkeys(OTHERS, Term(10, 5, 5, 3, 700))


async def test_the_money_of_a_closed_term_is_credited_to_an_open_one(db: Database) -> None:
    at = START + timedelta(days=31)
    await draw(db, {KEY: taking(5, 3, 700)})
    await db.transact(lambda tx: store.close_term(tx, KEY, at))
    closed = await db.transact(lambda tx: store.release(tx, {KEY: (2, 1, 300)}))
    assert closed == {KEY: at}
    assert await term(db) == Term(10, 5, 3, 2, 700, closed_at=at)
    assert await db.transact(lambda tx: store.credit(tx, {KEY: 300})) == 0
    assert await db.transact(lambda tx: store.credit(tx, {OTHERS[0]: 300})) == 1
    assert await term(db, OTHERS[0]) == Term(10, 5, accrued_micro=-300)
    assert [await term(db, key) for key in OTHERS[1:]] == [Term(10, 5)] * 2


async def test_a_refund_meets_a_term_that_was_closed_meanwhile_and_begins_anew(
    db: Database,
) -> None:
    """Else the money would be lost: a closed term is not invoiced again."""
    await db.transact(lambda tx: store.close_term(tx, KEY, START))
    looked = 0

    async def refund(tx: Tx) -> None:
        nonlocal looked
        looked += 1
        await credit_current(tx, await load_accounts(tx, [OURS]), {KEY: 300})

    with pytest.raises(Conflict):
        await db.transact(refund)
    assert looked > 1
    assert await term(db) == Term(10, 5, closed_at=START)


# The quota, and the end


async def test_a_new_quota_is_that_of_the_open_terms_of_one_subscription(db: Database) -> None:
    at = START + timedelta(days=31)
    await db.transact(lambda tx: store.close_term(tx, KEY, at))
    wanted = subscription(OURS, unique_quota=20, followup_quota=15)
    await db.transact(lambda tx: store.change_quota(tx, wanted))
    assert await term(db) == Term(10, 5, closed_at=at)
    assert await term(db, OTHERS[0]) == Term(20, 15)
    assert [await term(db, key) for key in OTHERS[1:]] == [Term(10, 5)] * 2


@pytest.mark.parametrize(
    ("unique", "followup", "may_exceed"), [(5, 3, False), (4, 3, True), (5, 2, True), (6, 4, False)]
)
async def test_only_usage_above_a_lowered_quota_lifts_the_bound(
    db: Database, unique: int, followup: int, may_exceed: bool
) -> None:
    await draw(db, {KEY: taking(5, 3)})
    lowered = subscription(OURS, unique_quota=unique, followup_quota=followup)
    await db.transact(lambda tx: store.change_quota(tx, lowered))
    query = """
        SELECT may_exceed FROM subscription_terms
         WHERE account_id = $1 AND subscription_id = $2 AND term = $3
    """
    assert await db.value(query, *KEY) == may_exceed


async def test_terms_are_closed_and_invoiced_one_by_one(db: Database) -> None:
    at = START + timedelta(days=31)
    closed = await db.transact(lambda tx: store.close_term(tx, KEY, at))
    assert closed == Term(10, 5, closed_at=at)
    await db.transact(lambda tx: store.note_invoice(tx, KEY, "2026-0001"))
    rows = await db.rows(
        "SELECT account_id, subscription_id, term FROM subscription_terms"
        " WHERE invoice_number = '2026-0001'"
    )
    assert [tuple(row) for row in rows] == [KEY]
    rows = await db.rows(
        "SELECT account_id, subscription_id, term FROM subscription_terms"
        " WHERE closed_at IS NOT NULL"
    )
    assert [tuple(row) for row in rows] == [KEY]
    assert await db.transact(lambda tx: store.find_last_closed(tx, OURS)) == {1: 0}
    assert await db.transact(lambda tx: store.find_last_closed(tx, THEIRS)) == {}
    await db.transact(lambda tx: store.close_term(tx, OTHERS[0], at))
    assert await db.transact(lambda tx: store.find_last_closed(tx, OURS)) == {1: 1}


async def test_a_subscription_that_has_not_begun_is_deleted_alone(db: Database) -> None:
    pending = [subscription(owner, 3) for owner in (OURS, THEIRS)]

    async def put(tx: Tx) -> None:
        for one in pending:
            await store.put_subscription(tx, one)

    await db.transact(put)
    await db.transact(lambda tx: store.delete_subscription(tx, OURS, 3))
    found = await db.transact(lambda tx: store.load_subscriptions(tx, [OURS, THEIRS]))
    assert {owner: [one.id for one in own] for owner, own in found.items()} == {
        OURS: [1, 2], THEIRS: [1, 3],
    }  # fmt: skip
