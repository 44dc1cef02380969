"""The partner's account and its top-ups (4.15, 2.10; contract.md, "Billing")."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from tests.support.answers import refused
from tests.support.partners import (
    TERMS,
    bought,
    ledger,
    partner_of,
    raw_post,
    state,
    topup,
)
from tests.support.service import TestAccount, TestService
from tests.support.waiting import patiently
from tidings.features.partner import capacity

ENDPOINTS = [
    ("GET", "/partner/account"), ("POST", "/partner/topups"),
    ("POST", "/partner/transfers"), ("GET", "/partner/ledger"),
]  # fmt: skip
LEDGER_FIELDS = {"id", "kind", "at", "messages", "amount", "balanceAfter", "reference", "note"}


@pytest.fixture
def partner(service: TestService) -> TestAccount:
    return partner_of(service)


# Who may ask


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"nonsense": 1}'])
def test_other_accounts_are_refused_before_the_body_is_checked(
    account: TestAccount, method: str, path: str, body: bytes
) -> None:
    answer = account.service.http.request(
        method, f"/api/v1{path}?limit=zero", headers=account.headers, content=body
    )
    refused(answer, 403, "NOT_A_PARTNER")
    assert answer.json()["environment"] == "sandbox"


def test_an_account_that_belongs_to_a_partner_is_none_itself(service: TestService) -> None:
    parent = service.account(name="parent-of-none", partner=TERMS)
    child = service.account(belongsTo="parent-of-none")
    refused(child.get("/partner/account"), 403, "NOT_A_PARTNER")
    assert state(parent)["capacity"]["total"] == 0


# The account


@pytest.mark.quick
def test_a_new_partner_has_everything_before_it(partner: TestAccount) -> None:
    assert state(partner) == {
        "currency": "ILS",
        "ratePerMessage": "0.05",
        "capacity": {"total": 0, "used": 0, "remaining": 0, "pct": 0},
        "debt": "0.00",
        "creditLimit": "1000.00",
        "creditAvailable": "1000.00",
        "maxTopupMessages": 20_000,
        "expiresAt": None,
        "expired": False,
        "pendingTransfers": [],
    }


def test_the_agreement_ends_in_the_accounts_own_time(service: TestService) -> None:
    partner = partner_of(service, expiresAt="2032-01-01T00:00:00+02:00")
    before = state(partner)
    assert (before["expiresAt"], before["expired"]) == ("2031-12-31T22:00:00.000Z", False)
    partner.advance(days=9 * 365)
    after = state(partner)
    assert (after["expired"], after["maxTopupMessages"]) == (True, 0)
    refused(topup(partner, 1), 402, "PARTNER_CAPACITY_EXPIRED")
    assert ledger(partner) == []


def test_percent_used_is_never_rounded_up(partner: TestAccount) -> None:
    bought(partner, 1000)
    use(partner, 999)
    assert state(partner)["capacity"] == {"total": 1000, "used": 999, "remaining": 1, "pct": 99}
    use(partner, 1)
    assert state(partner)["capacity"]["pct"] == 100
    use(partner, -1000)


def use(partner: TestAccount, count: int) -> None:
    """As charging does, or refunding where `count` is below zero."""
    verb = capacity.use if count > 0 else capacity.release
    work = partner.service.ctx.db.transact
    partner.service.call(lambda: work(lambda tx: verb(tx, {partner.id: abs(count)})))


# Top-ups


def test_a_topup_is_active_at_once_and_owed(partner: TestAccount) -> None:
    assert bought(partner, 1000) == {
        "messages": 1000,
        "amount": "50.00",
        "currency": "ILS",
        "capacity": {"total": 1000, "used": 0, "remaining": 1000, "pct": 0},
        "debt": "50.00",
        "creditAvailable": "950.00",
    }
    after = state(partner)
    assert (after["debt"], after["creditAvailable"]) == ("50.00", "950.00")
    assert after["maxTopupMessages"] == 19_000
    [entry] = ledger(partner)
    assert set(entry) == LEDGER_FIELDS
    assert (entry["kind"], entry["messages"], entry["amount"]) == ("TOPUP", 1000, "50.00")
    assert (entry["balanceAfter"], entry["reference"], entry["note"]) == ("50.00", None, None)


@pytest.mark.parametrize(
    "raw",
    [
        "null", "0", "-1", "10000001", "1.5", "1.0", '"100"', "1e3", "true", "1e400", "-1e400",
        "NaN", "[1]", "{}", "9" * 50, "9" * 5000,
    ],
)  # fmt: skip
def test_whatever_is_wrong_with_messages_has_its_own_code(partner: TestAccount, raw: str) -> None:
    answer = raw_post(partner, "/partner/topups", f'{{"messages": {raw}}}')
    error = refused(answer, 400, "INVALID_QUANTITY")
    assert error["field"] == "messages"
    assert "10,000,000" in error["message"]


def test_missing_messages_have_their_own_code_too(partner: TestAccount) -> None:
    refused(partner.post("/partner/topups", {}), 400, "INVALID_QUANTITY")
    refused(partner.post("/partner/topups", {"mesages": 1}), 400, "VALIDATION_ERROR")


def test_the_borders_of_a_topup_are_taken(service: TestService) -> None:
    rich = partner_of(service, creditLimit="500000.00")
    assert bought(rich, 1)["amount"] == "0.05"
    assert bought(rich, 9_999_999)["debt"] == "500000.00"
    free = partner_of(service, ratePerMessage="0", creditLimit="0")
    assert state(free)["maxTopupMessages"] == 10_000_000
    assert bought(free, 10_000_000)["amount"] == "0.00"


def test_beyond_the_limit_all_numbers_are_reported_and_nothing_changes(
    partner: TestAccount,
) -> None:
    bought(partner, 19_990)
    error = refused(topup(partner, 11), 402, "CREDIT_LIMIT_EXCEEDED")
    numbers = ("debt", "creditLimit", "creditAvailable", "requestedAmount", "maxTopupMessages")
    assert [error[name] for name in numbers] == ["999.50", "1000.00", "0.50", "0.55", 10]
    assert state(partner)["maxTopupMessages"] == 10
    assert bought(partner, 10)["creditAvailable"] == "0.00"
    error = refused(topup(partner, 1), 402, "CREDIT_LIMIT_EXCEEDED")
    assert error["maxTopupMessages"] == 0
    assert len(ledger(partner)) == 2


@pytest.mark.parametrize("rate", ["0.004", "0.005", "0.0149", "0.333333", "0.000001", "3.7"])
def test_the_most_that_may_be_had_is_what_may_be_had(service: TestService, rate: str) -> None:
    partner = partner_of(service, ratePerMessage=rate, creditLimit="1.00")
    most = state(partner)["maxTopupMessages"]
    assert most == min(int(Decimal(1) // Decimal(rate)), 10_000_000)
    refused(topup(partner, most + 1), 402, "CREDIT_LIMIT_EXCEEDED")
    if most:
        assert Decimal(bought(partner, most)["debt"]) <= 1


@pytest.mark.parametrize("rate", ["0.004", "0.005", "0.0149"])
def test_one_by_one_costs_what_all_at_once_does(service: TestService, rate: str) -> None:
    partner = partner_of(service, ratePerMessage=rate, creditLimit="0.30")
    while topup(partner, 1).status_code == 200:
        pass
    after = state(partner)
    assert after["capacity"]["total"] == int(Decimal("0.30") // Decimal(rate))
    entries = ledger(partner, limit=200)
    assert sum(Decimal(entry["amount"]) for entry in entries) == Decimal(after["debt"])


def test_sixty_four_at_once_get_exactly_what_the_limit_allows(service: TestService) -> None:
    partner = partner_of(service, creditLimit="1.00")
    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda _: patiently(lambda: topup(partner, 1)), range(64)))
    counts = Counter(answer.status_code for answer in answers)
    assert counts == {200: 20, 402: 44}
    after = state(partner)
    assert (after["debt"], after["capacity"]["total"]) == ("1.00", 20)
    balances = [Decimal(entry["balanceAfter"]) for entry in ledger(partner)]
    assert balances == [Decimal(n) / 20 for n in range(20, 0, -1)]
