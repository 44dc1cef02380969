"""`tidings invoices`, as an operator runs it beside a running service."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.billing import at, invoice_toml, owing, shown, subscription_toml
from tests.support.commands import Done, commands
from tests.support.service import GUEST, TestService

Invoices = Callable[..., Done]


@pytest.fixture
def invoices(service: TestService) -> Invoices:
    tidings = commands(service)
    return lambda *words, **env: tidings("invoices", *words, **env)


def test_an_overdue_account_sends_again_once_its_invoice_is_paid(
    service: TestService, invoices: Invoices
) -> None:
    tables = subscription_toml() + invoice_toml(dueAt=at(days=-1))
    account = service.account(tables, name="late-payer")
    message = {"to": GUEST, "templateName": "plain"}
    answer = account.send(clientMessageId="order-0001", **message)
    assert answer.status_code == 402, answer.text
    error = answer.json()["error"]
    found = (error["code"], error["invoiceNumber"], error["amount"], error["currency"])
    assert found == ("INVOICE_OVERDUE", "2026-0001", "10.00", "ILS")
    paid = invoices("pay", "2026-0001", "--account", "late-payer", "--json").json()
    assert (paid["status"], paid["changed"]) == ("PAID", True)
    assert account.send(clientMessageId="order-0001", **message).status_code == 200


def test_invoices_are_listed_shown_paid_and_voided(
    service: TestService, invoices: Invoices
) -> None:
    two = invoice_toml() + invoice_toml("2026-0002", kind="MONTHLY")
    account = owing(service, two, name="orderly")
    who = ("--account", "orderly")
    listed = invoices("list", *who, "--json").json()["invoices"]
    assert [one["number"] for one in listed] == ["2026-0002", "2026-0001"]
    assert listed[1] == {key: value for key, value in shown(account).items() if key != "lines"}
    assert "2026-0002" in invoices("list", *who).good()
    assert "10.00 ILS" in invoices("show", "2026-0001", *who).good()
    assert "is now paid" in invoices("pay", "2026-0001", *who).good()
    assert "was already paid" in invoices("pay", "2026-0001", *who).good()
    invoices("void", "2026-0001", *who).refused("is paid and cannot be voided")
    assert "is now void" in invoices("void", "2026-0002", *who).good()
    voided = invoices("list", *who, "--status", "VOID", "--json").json()["invoices"]
    assert [one["number"] for one in voided] == ["2026-0002"]


def test_what_cannot_be_done_to_an_invoice_is_refused(
    service: TestService, invoices: Invoices
) -> None:
    owing(service, name="plain-spoken")
    who = ("--account", "plain-spoken")
    invoices("pay", "2026-0001", "--account", "nobody").refused("no account")
    invoices("pay", "2026-9999", *who).refused("no invoice of this number")
    invoices("list", *who, "--status", "open").refused("OVERDUE")
    assert invoices("pay", "2026-0001").code == 2, "--account is required"


def test_an_invoice_is_written_as_a_pdf(
    service: TestService, invoices: Invoices, tmp_path: Path
) -> None:
    owing(service, name="אולמי הגן")
    file = tmp_path / "invoice.pdf"
    who = ("--account", "אולמי הגן")
    invoices("pdf", "2026-0001", *who, "-o", str(file), TIDINGS_ISSUER="A | B").good()
    assert file.read_bytes().startswith(b"%PDF-")
    nowhere = str(tmp_path / "no" / "x.pdf")
    invoices("pdf", "2026-0001", *who, "-o", nowhere).refused("Cannot write")
