"""A partner's transfers and ledger (4.15, 2.11; contract.md, "Billing")."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import asyncpg
import pytest

from tests.support.answers import refused
from tests.support.names import named
from tests.support.partners import (
    TERMS,
    bought,
    do,
    ledger,
    partner_of,
    raw_post,
    state,
    transfer,
)  # fmt: skip
from tests.support.service import TestAccount, TestService
from tests.support.waiting import patiently
from tidings.features.partner.adjust import adjust
from tidings.features.partner.transfers import confirm, reject
from tidings.money import Money


@pytest.fixture
def partner(service: TestService) -> TestAccount:
    return partner_of(service)


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
        answers = list(pool.map(lambda _: patiently(lambda: transfer(partner)), range(64)))
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
