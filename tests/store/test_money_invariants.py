"""`tidings doctor` notices money that does not add up: each rule, broken on purpose."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database, opened_database
from tidings.doctor import check
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.configure import configure
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import AccountSpec, PartnerTerms
from tidings.features.billing.invoices.issue import issue
from tidings.features.billing.invoices.model import LineItem
from tidings.features.partner.topup import top_up
from tidings.features.partner.transfers import confirm, report
from tidings.money import Money, Rate
from tidings.secrets import Sealer

NOW = datetime.now(UTC)
FREELY = """
    ALTER TABLE partner_ledger DISABLE TRIGGER USER;
    ALTER TABLE partner_ledger DROP CONSTRAINT partner_ledger_effect;
    ALTER TABLE partner_ledger DROP CONSTRAINT partner_ledger_topup;
    ALTER TABLE partners DROP CONSTRAINT partners_capacity;
    ALTER TABLE invoices DROP CONSTRAINT invoices_total;
    DROP INDEX partner_ledger_once;
"""
AGAIN = """
    INSERT INTO partner_ledger SELECT account_id, 5, gen_random_uuid(), kind, at, messages,
           amount_minor, effect_minor, balance_after_minor, limit_minor, reference, note
      FROM partner_ledger WHERE kind = 'TRANSFER_REPORTED'
"""


async def furnish(tx: Tx) -> None:
    """A partner with four entries and an account with two invoices."""
    terms = PartnerTerms("0.05", "1000.00", "ILS", None)
    spec = AccountSpec(name="partner", environment="sandbox", partner=terms)
    made = await configure(tx, Sealer(b"k" * 32), spec)
    account = (await load_accounts(tx, [made.id]))[made.id]
    for _ in range(2):
        await top_up(tx, account, 100)
        lines = [
            LineItem("Messages", 3, Rate(333_333, "ILS")),
            LineItem("More", 1, Rate(5_000, "ILS")),
        ]
        await issue(
            tx, account, kind="USAGE", lines=lines, currency="ILS", vat_pct=18,
            issued_at=NOW, due_at=NOW + timedelta(days=30),
        )  # fmt: skip
    await report(tx, account, amount=Money(300, "ILS"), reference="bank-1")
    await confirm(tx, account, "bank-1")


@pytest.fixture
async def db() -> AsyncIterator[Database]:
    async with opened_database(fresh_database(), ManualClock(NOW), size=2) as db:
        await db.transact(furnish)
        yield db


@pytest.mark.parametrize(
    ("rule", "tampering"),
    [
        ("I15", "UPDATE invoices SET vat_minor = vat_minor + 1, total_minor = total_minor + 1"),
        ("I15", "UPDATE invoices SET total_minor = total_minor + 1"),
        ("I15", "UPDATE invoice_lines SET amount_minor = amount_minor + 1 WHERE position = 1"),
        ("I15", "DELETE FROM invoice_lines WHERE position = 2"),
        ("I15", "UPDATE invoices SET status = 'OVERDUE'"),
        ("I15", "DELETE FROM jobs WHERE kind = 'invoices.due'"),
        ("I15", "UPDATE invoice_numbers SET last = 3"),
        ("I16", "UPDATE partner_ledger SET balance_after_minor = 7 WHERE seq = 2"),
        ("I16", "UPDATE partner_ledger SET at = at - interval '1 day' WHERE seq = 2"),
        ("I16", "DELETE FROM partner_ledger WHERE seq = 2"),
        ("I16", "UPDATE partner_ledger SET limit_minor = 1 WHERE kind = 'TOPUP'"),
        ("I16", "UPDATE partners SET debt_minor = debt_minor - 1"),
        ("I16", "UPDATE partners SET capacity_total = capacity_total + 1"),
        ("I16", "UPDATE partners SET capacity_used = 201"),
        ("I16", "UPDATE partner_transfers SET received_minor = 299"),
        ("I16", "DELETE FROM partner_transfers"),
        ("I16", AGAIN),
        ("I17", "UPDATE partners SET debt_minor = debt_minor - 1"),
    ],
)
async def test_what_does_not_add_up_is_noticed(db: Database, rule: str, tampering: str) -> None:
    assert await check(db) == []
    await db.transact(lambda tx: tx.connection.execute(FREELY + tampering))
    found = await check(db)
    assert any(line.startswith(f"{rule} broken") for line in found), found
