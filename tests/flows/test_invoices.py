"""An invoice falls due, pauses, is paid or voided; the file that declares it; its numbers."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.support.billing import LINES, at, invoice_toml, numbers, owing, shown
from tests.support.service import TestAccount, TestService, account_toml, faults
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.billing.invoices import payments
from tidings.features.billing.invoices.issue import issue
from tidings.features.billing.invoices.lookup import load_unpaid, read_overdue
from tidings.features.billing.invoices.model import LineItem, Overdue
from tidings.features.billing.invoices.settle import pay, void
from tidings.money import Rate

NAMES = (f"owing-{n}" for n in range(1000))


def do(account: TestAccount, work: Callable[[Any, Any], Awaitable[Any]]) -> Any:
    """Run a verb on the account in a transaction of the service."""

    async def run(tx: Any) -> Any:
        return await work(tx, (await load_accounts(tx, [account.id]))[account.id])

    return account.service.call(lambda: account.service.ctx.db.transact(run))


def issued(account: TestAccount, *, year: int = 2026, **fields: Any) -> str:
    """The number of an invoice that the service issues itself."""
    start = datetime(year, 1, 31, tzinfo=UTC)
    values = {
        "kind": "USAGE",
        "lines": [LineItem("Messages", 7, Rate(10_000, "ILS"))],
        "currency": "ILS",
        "vat_pct": Decimal("17.5"),
        "issued_at": start,
        "due_at": start + timedelta(days=36500),
    }
    made = do(account, lambda tx, owner: issue(tx, owner, **(values | fields)))
    return made.number


def stored(account: TestAccount, number: str = "2026-0001") -> dict[str, Any]:
    [row] = account.service.sql(
        "SELECT * FROM invoices WHERE account_id = $1 AND number = $2", account.id, number
    )
    return row


def reapply(service: TestService, name: str, *tables: str) -> TestAccount:
    return service.account("".join(tables), name=name)


def sound(service: TestService) -> bool:
    return not [line for line in faults(service) if line.startswith("I15")]


# Time


def test_an_invoice_falls_due_by_the_accounts_own_clock(service: TestService) -> None:
    account = owing(
        service, invoice_toml(dueAt=at(days=2)), invoice_toml("2026-0002", dueAt=at(days=5))
    )
    account.advance(days=1)
    assert numbers(account, status="OPEN") == ["2026-0002", "2026-0001"]
    account.advance(days=2)
    assert numbers(account, status="OVERDUE") == ["2026-0001"]
    assert stored(account)["status"] == "OVERDUE", "the timer has noted it"
    account.advance(days=10)
    assert len(numbers(account, status="OVERDUE")) == 2
    assert sound(service)


def test_the_oldest_overdue_invoice_is_what_holds_an_account_up(service: TestService) -> None:
    account = owing(
        service,
        invoice_toml("later", dueAt=at(days=-1)),
        invoice_toml("first", dueAt=at(days=-2)),
        invoice_toml("never", dueAt=at(days=-3), status="VOID"),
    )
    bystander = owing(service, invoice_toml())
    owners = [account.id, bystander.id]
    found = do(account, lambda tx, _: overdue_of(tx, owners))
    assert found == {account.id: Overdue("first", "10.00", "ILS")}
    do(account, lambda tx, owner: pay(tx, owner, "first", by="manual"))
    found = do(account, lambda tx, _: overdue_of(tx, owners))
    assert found == {account.id: Overdue("later", "10.00", "ILS")}
    do(account, lambda tx, owner: void(tx, owner, "later"))
    assert do(account, lambda tx, _: overdue_of(tx, owners)) == {}
    [unpaid] = do(bystander, lambda tx, owner: load_unpaid(tx, owner.id))
    assert unpaid.number == "2026-0001"


async def overdue_of(tx: Tx, account_ids: list[UUID]) -> dict[UUID, Overdue]:
    accounts = await load_accounts(tx, account_ids)
    return await tx.result(read_overdue(accounts.values(), tx.now))


# What ends it


@pytest.mark.parametrize("due", [{"days": 3}, {"days": -3}])
def test_an_unpaid_invoice_is_paid_once(service: TestService, due: dict[str, int]) -> None:
    account = owing(service, invoice_toml(dueAt=at(**due)))
    assert do(account, lambda tx, owner: pay(tx, owner, "2026-0001", by="manual"))
    assert not do(account, lambda tx, owner: pay(tx, owner, "2026-0001", by="test"))
    row = stored(account)
    assert (row["status"], row["paid_by"]) == ("PAID", "manual")
    with pytest.raises(ApiError, match="is paid and cannot be voided"):
        do(account, lambda tx, owner: void(tx, owner, "2026-0001"))
    account.advance(days=30)
    assert shown(account)["status"] == "PAID"


def test_a_void_invoice_stays_void(service: TestService) -> None:
    account = owing(service)
    assert do(account, lambda tx, owner: void(tx, owner, "2026-0001"))
    assert not do(account, lambda tx, owner: void(tx, owner, "2026-0001"))
    with pytest.raises(ApiError, match="is void and cannot be paid"):
        do(account, lambda tx, owner: pay(tx, owner, "2026-0001", by="manual"))
    account.advance(days=30)
    assert shown(account)["status"] == "VOID"


def test_payment_and_voiding_at_once_leave_one_of_them(service: TestService) -> None:
    account = owing(service, *(invoice_toml(f"race-{n}") for n in range(10)))
    db = account.service.ctx.db

    async def one(verb: Any, number: str, **how: str) -> str:
        async def work(tx: Any) -> str:
            owner = (await load_accounts(tx, [account.id]))[account.id]
            return verb.__name__ if await verb(tx, owner, number, **how) else ""

        try:
            return await db.transact(work)
        except ApiError:
            return ""

    async def race(number: str) -> list[str]:
        both = (one(pay, number, by="manual"), one(void, number))
        return [word for word in await asyncio.gather(*both) if word]

    for n in range(10):
        assert len(account.service.call(lambda n=n: race(f"race-{n}"))) == 1


def test_the_manual_provider_waits_for_an_operator(service: TestService) -> None:
    account = owing(service)
    owner = do(account, lambda tx, owner: _itself(owner))
    invoice = do(account, lambda tx, owner: load_unpaid(tx, owner.id))[0]
    asked = account.service.call(lambda: payments.ManualProvider().collect(owner, invoice))
    assert asked is payments.Payment.AWAITED
    assert payments.provider_of(owner).name == payments.TEST


async def _itself(value: Any) -> Any:
    return value


# Numbers


def test_numbers_run_without_a_gap_in_each_year(service: TestService) -> None:
    account = owing(service, invoice_toml("2026-0002"))
    made = [issued(account) for _ in range(3)]
    assert made == ["2026-0001", "2026-0003", "2026-0004"], "the file had taken the second"
    assert issued(account, year=2027) == "2027-0001"
    assert issued(account, number="special") == "special"
    with pytest.raises(ApiError, match="special already"):
        issued(account, number="special")
    with pytest.raises(ZeroDivisionError):
        do(account, _issue_and_fall)
    assert issued(account) == "2026-0005"
    assert sound(service)


async def _issue_and_fall(tx: Any, owner: Any) -> None:
    timestamp = datetime(2026, 5, 1, tzinfo=UTC)
    lines = [LineItem("x", 1, Rate(1, "ILS"))]
    await issue(
        tx,
        owner,
        kind="X",
        lines=lines,
        currency="ILS",
        vat_pct=0,
        issued_at=timestamp,
        due_at=timestamp,
    )
    raise ZeroDivisionError


def test_many_issued_at_once_have_all_the_numbers(service: TestService) -> None:
    account = service.account()
    db = account.service.ctx.db
    timestamp = datetime(2026, 6, 1, tzinfo=UTC)

    async def one(tx: Any) -> str:
        owner = (await load_accounts(tx, [account.id]))[account.id]
        made = await issue(
            tx, owner, kind="USAGE", lines=[LineItem("x", 1, Rate(1, "ILS"))], currency="ILS",
            vat_pct=18, issued_at=timestamp, due_at=timestamp + timedelta(days=36500),
        )  # fmt: skip
        return made.number

    connected = asyncio.Semaphore(8)  # none waits in vain for one of the ten connections

    async def connect() -> str:
        async with connected:
            return await db.transact(one)

    async def all_at_once() -> list[str]:
        return await asyncio.gather(*(connect() for _ in range(40)))

    made = account.service.call(all_at_once)
    assert sorted(made) == [f"2026-{n:04d}" for n in range(1, 41)]


# The file


def test_applying_the_same_file_again_changes_nothing(service: TestService) -> None:
    name, table = next(NAMES), invoice_toml(dueAt=at(days=-1))
    account = reapply(service, name, table)
    before = stored(account)
    reapply(service, name, table)
    assert stored(account) == before
    do(account, lambda tx, owner: pay(tx, owner, "2026-0001", by="manual"))
    reapply(service, name, table)
    assert shown(account)["status"] == "PAID", "the file does not take a payment back"


def test_the_file_pays_and_voids(service: TestService) -> None:
    name, issued_at = next(NAMES), at(days=-3)
    table = invoice_toml(issuedAt=issued_at, dueAt="2126-01-01T00:00:00Z")
    account = reapply(service, name, table)
    reapply(service, name, table + 'status = "PAID"\n')
    assert (stored(account)["status"], stored(account)["paid_by"]) == ("PAID", "file")
    with pytest.raises(ApiError, match="is paid and cannot be voided"):
        reapply(service, name, table + 'status = "VOID"\n')
    reapply(service, name)
    assert numbers(account) == ["2026-0001"], "what the file no longer names stays"


def test_the_file_amends_what_is_unpaid_and_nothing_else(service: TestService) -> None:
    name = next(NAMES)
    account = reapply(service, name, invoice_toml(dueAt=at(days=-1)))
    assert shown(account)["status"] == "OVERDUE"
    more = LINES.replace("quantity = 10", "quantity = 12")
    longer = invoice_toml(lines=more, dueAt=at(days=9))
    reapply(service, name, longer)
    now = shown(account)
    assert (now["status"], now["total"], now["lines"][0]["quantity"]) == ("OPEN", "12.00", 12)
    account.advance(days=10)
    assert stored(account)["status"] == "OVERDUE", "the new time is watched"
    do(account, lambda tx, owner: pay(tx, owner, "2026-0001", by="manual"))
    with pytest.raises(ApiError, match="is paid and stays as it is"):
        reapply(service, name, invoice_toml(dueAt=at(days=20)))
    assert sound(service)


def test_the_file_does_not_touch_what_the_service_issued(service: TestService) -> None:
    name = next(NAMES)
    account = reapply(service, name)
    assert issued(account) == "2026-0001"
    with pytest.raises(ApiError, match="was issued by the service"):
        reapply(service, name, invoice_toml())


def test_a_file_that_says_overdue_too_early_is_refused(service: TestService) -> None:
    with pytest.raises(ApiError, match="cannot be OVERDUE before its dueAt"):
        service.apply(account_toml(invoice_toml(status="OVERDUE")))


def test_a_new_vat_rate_does_not_reach_what_was_issued(service: TestService) -> None:
    name, table = next(NAMES), invoice_toml()
    terms = '[accounts.subscription]\npackage = "P"\nbillingType = "PACKAGE"\nvatPct = {}\n'
    account = reapply(service, name, terms.format(17), table)
    reapply(service, name, terms.format(18), table)
    assert (shown(account)["vatPct"], shown(account)["total"]) == (17, "11.70")
