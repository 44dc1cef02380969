"""The partner endpoints (4.15, 2.10, 2.11; contract.md, "Billing")."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import asyncpg
import httpx
import pytest

from tests.support.names import named
from tests.support.service import TestAccount, TestService
from tidings.features.partner import capacity
from tidings.features.partner.adjust import adjust
from tidings.features.partner.transfers import confirm, reject
from tidings.money import Money

TERMS = {"ratePerMessage": "0.05", "creditLimit": "1000.00", "currency": "ILS"}
ENDPOINTS = [
    ("GET", "/partner/account"), ("POST", "/partner/topups"),
    ("POST", "/partner/transfers"), ("GET", "/partner/ledger"),
]  # fmt: skip
LEDGER_FIELDS = {"id", "kind", "at", "messages", "amount", "balanceAfter", "reference", "note"}


@pytest.fixture
def partner(service: TestService) -> TestAccount:
    return partner_of(service)


def partner_of(service: TestService, **terms: Any) -> TestAccount:
    return service.account(partner=TERMS | terms)


def state(partner: TestAccount) -> dict[str, Any]:
    answer = partner.get("/partner/account")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def topup(partner: TestAccount, messages: Any) -> httpx.Response:
    return partner.post("/partner/topups", {"messages": messages})


def bought(partner: TestAccount, messages: int) -> dict[str, Any]:
    answer = topup(partner, messages)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def raw_post(partner: TestAccount, path: str, body: str) -> httpx.Response:
    return partner.post(path, content=body, headers={"content-type": "application/json"})


def transfer(partner: TestAccount, reference: str = "bank-1", amount: Any = 100, **more: Any):
    return partner.post("/partner/transfers", {"amount": amount, "reference": reference} | more)


def ledger(partner: TestAccount, **query: Any) -> list[dict[str, Any]]:
    answer = partner.get("/partner/ledger", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == code, error
    return error


def do(partner: TestAccount, verb, *args: Any, **kwargs: Any) -> Any:
    """Run a verb of an operator on this partner."""
    from tidings.features.accounts.lookup import load_accounts

    async def work(tx):
        account = (await load_accounts(tx, [partner.id]))[partner.id]
        return await verb(tx, account, *args, **kwargs)

    return partner.service.call(lambda: partner.service.ctx.db.transact(work))


# Who may ask


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"nonsense": 1}'])
def test_other_accounts_are_told_so_before_anything_about_the_body(
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


def use(partner: TestAccount, count: int) -> None:
    work = partner.service.ctx.db.transact
    partner.service.call(lambda: work(lambda tx: capacity.use(tx, {partner.id: count})))


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


def test_beyond_the_limit_all_numbers_are_told_and_nothing_changes(partner: TestAccount) -> None:
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
        answers = list(pool.map(lambda _: topup(partner, 1), range(64)))
    counts = Counter(answer.status_code for answer in answers)
    assert counts == {200: 20, 402: 44}
    after = state(partner)
    assert (after["debt"], after["capacity"]["total"]) == ("1.00", 20)
    balances = [Decimal(entry["balanceAfter"]) for entry in ledger(partner)]
    assert balances == [Decimal(n) / 20 for n in range(20, 0, -1)]


# Transfers


def test_a_reported_transfer_changes_nothing_that_is_owed(partner: TestAccount) -> None:
    bought(partner, 2000)
    before, balance = state(partner), partner.get("/balance").json().get("data")
    answer = transfer(partner, "bank-77", 100.5, transferDate="2026-01-31", note="January")
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    reported_at = data.pop("reportedAt")
    assert data == {"reference": "bank-77", "amount": "100.50", "status": "REPORTED"}
    after = state(partner)
    [pending] = after.pop("pendingTransfers")
    assert pending == {
        "reference": "bank-77", "amount": "100.50", "transferDate": "2026-01-31",
        "reportedAt": reported_at,
    }  # fmt: skip
    del before["pendingTransfers"]
    assert before == after
    assert partner.get("/balance").json().get("data") == balance
    entry = ledger(partner)[0]
    assert (entry["kind"], entry["amount"]) == ("TRANSFER_REPORTED", "100.50")
    assert (entry["balanceAfter"], entry["messages"]) == ("100.00", None)
    assert (entry["reference"], entry["note"]) == ("bank-77", "January")


@pytest.mark.parametrize("raw", ["null", "0", "-5", '"5"', "NaN", "0.001", "1e15", "1e400", "true"])
def test_whatever_is_wrong_with_the_amount_has_its_own_code(partner: TestAccount, raw: str) -> None:
    body = f'{{"reference": "r-1", "amount": {raw}}}'
    answer = raw_post(partner, "/partner/transfers", body)
    assert refused(answer, 400, "INVALID_AMOUNT")["field"] == "amount"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [("0.1", "0.10"), ("95.000", "95.00"), ("1e2", "100.00"), ("0.29", "0.29"),
     ("999999999999.99", "999999999999.99"), ("4.35", "4.35"), ("1.10", "1.10")],
)  # fmt: skip
def test_an_amount_is_taken_to_the_cent(partner: TestAccount, raw: str, shown: str) -> None:
    body = f'{{"reference": "r-1", "amount":  {raw} }}'
    answer = raw_post(partner, "/partner/transfers", body)
    assert answer.json()["data"]["amount"] == shown


def test_fields_of_a_transfer_that_are_missing_have_their_codes(partner: TestAccount) -> None:
    refused(partner.post("/partner/transfers", {"reference": "r"}), 400, "INVALID_AMOUNT")
    refused(partner.post("/partner/transfers", {"amount": 5}), 400, "REFERENCE_REQUIRED")


@pytest.mark.parametrize("reference", ["", " ", "\t\n", None, 5, ["x"]], ids=named)
def test_a_transfer_needs_a_reference(partner: TestAccount, reference: Any) -> None:
    error = refused(transfer(partner, reference), 400, "REFERENCE_REQUIRED")
    assert error["field"] == "reference"


@pytest.mark.parametrize(
    "fields",
    [
        {"transferDate": "2026-13-01"}, {"transferDate": "2026-02-30"}, {"transferDate": ""},
        {"transferDate": "31.1.2026"}, {"transferDate": 20260131}, {"transferDate": None},
        {"transferDate": "2026-01-31T00:00:00Z"}, {"note": "x" * 1001}, {"note": 5},
        {"note": None}, {"reference": "x" * 129}, {"reference": "a\u0007b"}, {"amout": 5},
    ],
    ids=named,
)  # fmt: skip
def test_other_faults_of_a_transfer_name_the_field(
    partner: TestAccount, fields: dict[str, Any]
) -> None:
    answer = partner.post("/partner/transfers", {"amount": 5, "reference": "r-1"} | fields)
    assert refused(answer, 400, "VALIDATION_ERROR")["field"] == next(iter(fields))


def test_a_reference_is_reported_once_whatever_the_spaces(partner: TestAccount) -> None:
    assert transfer(partner, " Bank-1 ").json()["data"]["reference"] == "Bank-1"
    refused(transfer(partner, "Bank-1"), 409, "DUPLICATE_REFERENCE")
    refused(transfer(partner, "Bank-1\t"), 409, "DUPLICATE_REFERENCE")
    assert transfer(partner, "bank-1").status_code == 200
    assert len(ledger(partner)) == 2


def test_one_of_sixty_four_equal_reports_is_taken(partner: TestAccount) -> None:
    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda _: transfer(partner), range(64)))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 63}
    assert len(ledger(partner)) == 1


def test_references_of_other_partners_are_their_own(service: TestService) -> None:
    one, other = partner_of(service), partner_of(service)
    assert transfer(one).status_code == transfer(other).status_code == 200


# What becomes of a transfer


def test_a_confirmation_takes_off_what_was_received(partner: TestAccount) -> None:
    bought(partner, 2000)
    transfer(partner)
    do(partner, confirm, "bank-1", Money(9500, "ILS"))
    after = state(partner)
    assert (after["debt"], after["creditAvailable"]) == ("5.00", "995.00")
    assert after["pendingTransfers"] == []
    entry = ledger(partner)[0]
    assert (entry["kind"], entry["amount"]) == ("TRANSFER_CONFIRMED", "95.00")
    assert (entry["balanceAfter"], entry["reference"]) == ("5.00", "bank-1")


def test_more_than_was_owed_is_credit(partner: TestAccount) -> None:
    transfer(partner)
    do(partner, confirm, "bank-1")
    after = state(partner)
    assert (after["debt"], after["creditAvailable"]) == ("-100.00", "1100.00")
    assert after["maxTopupMessages"] == 22_000
    assert bought(partner, 22_000)["debt"] == "1000.00"


def test_a_rejection_changes_nothing_that_is_owed(partner: TestAccount) -> None:
    transfer(partner)
    do(partner, reject, "bank-1")
    after = state(partner)
    assert (after["debt"], after["pendingTransfers"]) == ("0.00", [])
    assert [entry["kind"] for entry in ledger(partner)] == [
        "TRANSFER_REJECTED", "TRANSFER_REPORTED",
    ]  # fmt: skip
    refused(transfer(partner), 409, "DUPLICATE_REFERENCE")


# The ledger


def test_the_ledger_is_listed_in_pages_the_newest_first(partner: TestAccount) -> None:
    for _ in range(5):
        bought(partner, 100)
    do(partner, adjust, amount=Money(-250, "ILS"), messages=50, note="goodwill")
    seen, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        query = {"limit": 4} | ({"cursor": cursor} if cursor else {})
        answer = partner.get("/partner/ledger", params=query).json()
        seen += answer["data"]
        cursor = answer["nextCursor"]
        pages += 1
    assert pages == 2
    balances = ["22.50", "25.00", "20.00", "15.00", "10.00", "5.00"]
    assert [entry["balanceAfter"] for entry in seen] == balances
    assert (seen[0]["kind"], seen[0]["amount"]) == ("ADJUSTMENT", "-2.50")
    assert (seen[0]["messages"], seen[0]["note"]) == (50, "goodwill")
    assert state(partner)["capacity"]["total"] == 550
    assert len({entry["id"] for entry in seen}) == 6
    assert sorted((entry["at"] for entry in seen), reverse=True) == [e["at"] for e in seen]


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "cursor=!", "cursor=e30"])
def test_a_page_that_cannot_be_is_refused(partner: TestAccount, query: str) -> None:
    answer = partner.get(f"/partner/ledger?{query}")
    assert refused(answer, 400, "VALIDATION_ERROR")["field"] == query.partition("=")[0]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE partner_ledger SET note = 'x'",
        "DELETE FROM partner_ledger",
        "TRUNCATE partner_ledger",
    ],
)
def test_the_database_itself_refuses_to_change_the_ledger(
    partner: TestAccount, change: str
) -> None:
    bought(partner, 1)

    async def tamper(tx):
        await tx.run(change)

    with pytest.raises(asyncpg.CheckViolationError, match="only ever added to"):
        partner.service.call(lambda: partner.service.ctx.db.transact(tamper))


def test_the_currency_of_a_ledger_stays(service: TestService) -> None:
    partner = service.account(name="steady", partner=TERMS)
    service.account(name="steady", partner=TERMS | {"currency": "USD"})
    bought(partner, 1)
    with pytest.raises(Exception, match="kept in USD"):
        service.account(name="steady", partner=TERMS)
