"""Invoices of every account: issued, marked paid, voided, each as the command would."""

import pytest

from tests.support.billing import at, invoice_toml, subscription
from tests.support.commands import commands
from tests.support.operators import actors, audited, operator_of
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService

NUMBER = "2026-0001"


def name_of(account: TestAccount) -> str:
    [row] = account.service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    return str(row["name"])


def row_of(page: Seen, name: str, number: str = NUMBER) -> list[str]:
    [row] = [row for row in page.rows() if row[:2] == [number, name]]
    return row


def press(visitor: Visitor, account: TestAccount, act: str, **more: str) -> int:
    fields = {"account": str(account.id), "number": NUMBER, "act": act}
    return visitor.post("/operator/invoices", fields | more).status_code


@pytest.fixture
def invoiced(service: TestService) -> TestAccount:
    return service.account(subscription() + invoice_toml(dueAt=at(days=-1)))


def test_an_overdue_invoice_is_marked_paid(invoiced: TestAccount) -> None:
    operator, name = operator_of(invoiced.service), name_of(invoiced)
    page = operator.get("/operator/invoices?status=OVERDUE")
    assert page.h1 == "Invoices"
    row = row_of(page, name)
    assert row[2] == "overdue" and "Mark paid" in row[6] and "Void" in row[6]
    assert press(operator, invoiced, "pay") == 303
    row = row_of(operator.get("/operator/invoices?status=PAID"), name)
    assert (row[2], row[6]) == ("paid", "")
    assert press(operator, invoiced, "void", confirmed="yes") in (400, 422)
    assert ("person", True) in actors(invoiced.service, "invoice.paid", NUMBER)


def test_an_invoice_is_void_after_confirmation(invoiced: TestAccount) -> None:
    operator, name = operator_of(invoiced.service), name_of(invoiced)
    assert press(operator, invoiced, "void") == 200
    assert row_of(operator.get("/operator/invoices"), name)[2] == "overdue"
    assert press(operator, invoiced, "void", confirmed="yes") == 303
    assert row_of(operator.get("/operator/invoices"), name)[2] == "void"


def test_page_and_command_write_the_same_entry(service: TestService) -> None:
    toml = subscription() + invoice_toml(dueAt=at(days=9))
    by_page, by_command = service.account(toml), service.account(toml)
    assert press(operator_of(service), by_page, "pay") == 303
    commands(service)("invoices", "pay", NUMBER, "--account", name_of(by_command)).good()
    entries = {
        entry["account_id"]: entry["details"] for entry in audited(service, "invoice.paid", NUMBER)
    }
    assert entries[by_page.id] == entries[by_command.id]


def test_an_invoice_is_issued_with_the_next_number(account: TestAccount) -> None:
    operator, name = operator_of(account.service), name_of(account)
    page = operator.get("/operator/invoices")
    fields = {"Account": name, "VAT, percent": "17.5", "Due in days": "14"}
    lines = {"description-1": "Gold", "quantity-1": "2", "price-1": "50",
             "description-2": "הדרכה", "price-2": "0.505"}  # fmt: skip
    page = operator.submit(page, "Issue invoice", fields, raw=lines)
    assert "is issued" in text_of(page.soup.select_one(".banner.done"))
    [issued] = account.get("/invoices").json()["data"]
    assert (issued["total"], issued["status"]) == ("118.10", "OPEN")
    assert ("person", True) in actors(account.service, "invoice.issued", issued["number"])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"account": "nobody"}, "No account has this name."),
        ({"description-1": ""}, "Say what was sold."),
        ({"price-1": "much"}, '"much" is not a decimal rate'),
        ({"quantity-1": "0"}, "1 or more"),
        ({"vat": "200"}, '"200"'),
        ({"currency": "shekel"}, "currency code"),
        ({"days": "soon"}, "whole number of days"),
    ],
)
def test_a_refused_invoice_keeps_its_fields(
    account: TestAccount, fields: dict[str, str], words: str
) -> None:
    operator = operator_of(account.service)
    good = {"account": name_of(account), "description-1": "Gold", "price-1": "5"}
    page = operator.submit(operator.get("/operator/invoices"), "Issue invoice", raw=good | fields)
    assert page.status == 422
    assert any(words in error for error in page.errors), page.errors
    for name, value in (good | fields).items():
        assert page.soup.select_one(f'[name="{name}"][value="{value}"]') is not None
    assert account.get("/invoices").json()["data"] == []


def test_a_number_is_issued_once_and_others_issue_none(invoiced: TestAccount) -> None:
    operator = operator_of(invoiced.service)
    fields = {"account": name_of(invoiced), "description-1": "Gold", "price-1": "5",
              "number": NUMBER}  # fmt: skip
    page = operator.submit(operator.get("/operator/invoices"), "Issue invoice", raw=fields)
    assert (page.status, "already" in page.errors[0]) == (422, True)
    assert signed_in(invoiced).post("/operator/invoices", fields).status_code == 403
    assert press(operator, invoiced, "pay", number="none") == 404
