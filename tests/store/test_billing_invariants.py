"""Charges that do not add up are noticed, each rule broken on purpose; and they cannot be changed.

Also: subscriptions that files declared before there was billing are taken over.
"""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.support.billing import (
    FAILS,
    REFUSED,
    metered,
    partner_with_member,
    phone,
    sent,
    subscribed,
)
from tests.support.database import Dsn, fresh_database
from tests.support.service import TestService
from tidings.doctor.charging import CHECKS
from tidings.doctor.examine import ask

FREELY = "ALTER TABLE charges DISABLE TRIGGER USER;"
ONE = "(SELECT message_id FROM charges WHERE entry = {} ORDER BY message_id LIMIT 1)"
SUM = """
    INSERT INTO charge_sums
    SELECT account_id, subscription_id, term, NULL, '{}', 0, {}, 0 FROM subscription_terms"""


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dsn]:
    """A database with charges of every kind and state."""
    dsn = fresh_database()
    with TestService(dsn, Path(tmp_path_factory.mktemp("data"))) as service:
        for account in (subscribed(service), metered(service, creditLimit="9.00")):
            for n in range(3):
                sent(account, n, phone(n % 2))
            sent(account, 4, REFUSED)
            sent(account, 5, FAILS)
            account.advance(seconds=5)
            sent(account, 6, phone(6))
        _, member = partner_with_member(service, "booked", messages=9)
        sent(member, 1)
        sent(member, 2, REFUSED)
    yield dsn


@pytest.fixture
async def connection(books: Dsn) -> AsyncIterator[Any]:
    """Whatever a test changes is rolled back."""
    connection = await asyncpg.connect(**books)
    transaction = connection.transaction()
    await transaction.start()
    yield connection
    await transaction.rollback()
    await connection.close()


async def broken(connection: Any) -> set[str]:
    found = [one for check in CHECKS for one in await ask(connection, check, datetime.now(UTC))]
    return {one.invariant.id for one in found}


async def test_nothing_is_found_where_nothing_is_wrong(connection: Any) -> None:
    assert await broken(connection) == set()


@pytest.mark.parametrize(
    ("rule", "tampering"),
    [
        ("I10", "UPDATE subscription_terms SET unique_used = unique_used + 1"),
        ("I10", "UPDATE subscription_terms SET followup_used = followup_used - 1"),
        ("I10", "DELETE FROM subscription_terms"),
        (
            "I10",
            "ALTER TABLE subscription_terms DROP CONSTRAINT subscription_terms_quota;"
            "UPDATE subscription_terms SET unique_quota = 0",
        ),
        ("I11", f"DELETE FROM charges WHERE message_id = {ONE.format(repr('SETTLE'))}"),
        ("I11", "UPDATE messages SET charge = NULL WHERE charge IS NOT NULL"),
        ("I11", "DELETE FROM charges WHERE entry = 'REFUND'"),
        ("I11", "UPDATE messages SET refunded_at = NULL"),
        ("I12", "DELETE FROM charges WHERE entry = 'SETTLE'"),
        ("I12", "UPDATE charges SET entry = 'REFUND' WHERE entry = 'SETTLE'"),
        ("I12", "UPDATE charges SET price_micro = 7 WHERE entry = 'REFUND'"),
        ("I13", "DELETE FROM charged_numbers"),
        ("I13", "UPDATE charged_numbers SET message_id = account_id"),
        ("I13", SUM.format("UNIQUE", 1)),
        ("I14", SUM.format("FOLLOWUP", 1)),
        ("I14", "UPDATE subscription_terms SET accrued_micro = accrued_micro + 1"),
        ("I14", "UPDATE usage_days SET charged = charged + 1"),
        ("I14", "UPDATE usage_days SET refunded = 0"),
        ("I15", "DELETE FROM jobs"),
        ("I16", "UPDATE partners SET capacity_used = 5"),
    ],
)
async def test_what_does_not_add_up_is_noticed(connection: Any, rule: str, tampering: str) -> None:
    await connection.execute(FREELY + tampering)
    assert rule in await broken(connection)


@pytest.mark.parametrize(
    "change",
    ["UPDATE charges SET price_micro = 0", "DELETE FROM charges", "TRUNCATE charges"],
)
async def test_charges_are_only_ever_added_to(connection: Any, change: str) -> None:
    with pytest.raises(asyncpg.CheckViolationError, match="only ever added to"):
        await connection.execute(change)


async def test_a_charge_is_resolved_once(connection: Any) -> None:
    with pytest.raises(asyncpg.UniqueViolationError):
        await connection.execute(
            """
            INSERT INTO charges (account_id, message_id, entry, kind, subscription_id, term, at)
            SELECT account_id, message_id, 'REFUND', kind, subscription_id, term, at
              FROM charges WHERE entry = 'SETTLE'
            """
        )
