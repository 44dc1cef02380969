"""`tidings invoices` and `tidings partners`, as an operator runs them beside a running service."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.database import url_of
from tests.support.invoices import at, invoice_toml, owing, shown, subscription_toml
from tests.support.service import GUEST, TestAccount, TestService

TERMS = {"ratePerMessage": "0.05", "creditLimit": "1000.00", "currency": "ILS"}

Tidings = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def tidings(service: TestService, tmp_path: Path) -> Tidings:
    """The command on the database of the running service."""
    url = url_of(service._dsn)
    env = {"PATH": os.defpath, "TIDINGS_DATA": str(tmp_path), "TIDINGS_DATABASE_URL": url}

    def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tidings.cli.main", *arguments]
        return subprocess.run(
            command, env={**env, "COLUMNS": "160", **more}, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip

    return run


def good(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


def said(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(good(done))


def refused(done: subprocess.CompletedProcess[str], words: str) -> None:
    assert done.returncode == 1, done.stdout
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def partner(service: TestService, name: str) -> TestAccount:
    account = service.account(name=name, partner=TERMS)
    assert account.post("/partner/topups", {"messages": 2000}).status_code == 200
    body = {"amount": 100, "reference": "bank-1"}
    assert account.post("/partner/transfers", body).status_code == 200
    return account


def test_an_overdue_account_sends_again_once_its_invoice_is_paid(
    service: TestService, tidings: Tidings
) -> None:
    tables = subscription_toml() + invoice_toml(dueAt=at(days=-1))
    account = service.account(tables, name="late-payer")
    message = {"to": GUEST, "templateName": "plain"}
    answer = account.send(clientMessageId="order-0001", **message)
    assert answer.status_code == 402, answer.text
    error = answer.json()["error"]
    facts = (error["code"], error["invoiceNumber"], error["amount"], error["currency"])
    assert facts == ("INVOICE_OVERDUE", "2026-0001", "10.00", "ILS")
    paid = said(tidings("invoices", "pay", "2026-0001", "--account", "late-payer", "--json"))
    assert (paid["status"], paid["changed"]) == ("PAID", True)
    assert account.send(clientMessageId="order-0001", **message).status_code == 200


def test_invoices_are_listed_shown_paid_and_voided(service: TestService, tidings: Tidings) -> None:
    two = invoice_toml() + invoice_toml("2026-0002", kind="MONTHLY")
    account = owing(service, two, name="orderly")
    who = ("--account", "orderly")
    listed = said(tidings("invoices", "list", *who, "--json"))["invoices"]
    assert [one["number"] for one in listed] == ["2026-0002", "2026-0001"]
    assert listed[1] == {key: value for key, value in shown(account).items() if key != "lines"}
    assert "2026-0002" in good(tidings("invoices", "list", *who))
    assert "10.00 ILS" in good(tidings("invoices", "show", "2026-0001", *who))
    assert "is now paid" in good(tidings("invoices", "pay", "2026-0001", *who))
    assert "was already paid" in good(tidings("invoices", "pay", "2026-0001", *who))
    refused(tidings("invoices", "void", "2026-0001", *who), "is paid and cannot be voided")
    assert "is now void" in good(tidings("invoices", "void", "2026-0002", *who))
    voided = said(tidings("invoices", "list", *who, "--status", "VOID", "--json"))["invoices"]
    assert [one["number"] for one in voided] == ["2026-0002"]


def test_what_cannot_be_done_to_an_invoice_is_said(service: TestService, tidings: Tidings) -> None:
    owing(service, name="plain-spoken")
    who = ("--account", "plain-spoken")
    refused(tidings("invoices", "pay", "2026-0001", "--account", "nobody"), "no account")
    refused(tidings("invoices", "pay", "2026-9999", *who), "no invoice of this number")
    refused(tidings("invoices", "list", *who, "--status", "open"), "OVERDUE")
    assert tidings("invoices", "pay", "2026-0001").returncode == 2, "--account is required"


def test_an_invoice_is_written_as_a_pdf(
    service: TestService, tidings: Tidings, tmp_path: Path
) -> None:
    owing(service, name="אולמי הגן")
    file = tmp_path / "invoice.pdf"
    who = ("--account", "אולמי הגן")
    good(tidings("invoices", "pdf", "2026-0001", *who, "-o", str(file), TIDINGS_ISSUER="A | B"))
    assert file.read_bytes().startswith(b"%PDF-")
    nowhere = str(tmp_path / "no" / "x.pdf")
    refused(tidings("invoices", "pdf", "2026-0001", *who, "-o", nowhere), "Cannot write")


def test_a_transfer_is_confirmed_with_what_was_received_and_once(
    service: TestService, tidings: Tidings
) -> None:
    account = partner(service, "prompt")
    confirm = ("partners", "confirm", "bank-1", "--account", "prompt")
    pending = said(tidings("partners", "transfers", "--account", "prompt", "--json"))
    assert pending["pendingTransfers"][0]["reference"] == "bank-1"
    booked = said(tidings(*confirm, "--amount", "95.00", "--json"))
    assert (booked["changed"], booked["entry"]["balanceAfter"]) == (True, "5.00")
    again = said(tidings(*confirm, "--amount", "95.00", "--json"))
    assert again == {"account": "prompt", "changed": False, "entry": None}
    refused(tidings(*confirm), "was confirmed with 95.00 and stays so")
    refused(tidings("partners", "reject", "bank-1", "--account", "prompt"), "stays so")
    assert account.get("/partner/account").json()["data"]["debt"] == "5.00"


def test_a_transfer_is_rejected_and_then_cannot_be_confirmed(
    service: TestService, tidings: Tidings
) -> None:
    account = partner(service, "forgetful")
    who = ("--account", "forgetful")
    assert "TRANSFER_REJECTED" in good(tidings("partners", "reject", "bank-1", *who))
    assert "Nothing was changed" in good(tidings("partners", "reject", "bank-1", *who))
    refused(tidings("partners", "confirm", "bank-1", *who), "was rejected and stays so")
    assert account.get("/partner/account").json()["data"]["debt"] == "100.00"


def test_a_partner_is_adjusted_listed_and_its_ledger_shown(
    service: TestService, tidings: Tidings
) -> None:
    partner(service, "corrected")
    who = ("--account", "corrected")
    adjust = ("partners", "adjust", *who, "--note", "goodwill")
    booked = said(
        tidings(*adjust, "--amount", "-2.50", "--messages", "50", "--reference", "g1", "--json")
    )
    assert (booked["entry"]["amount"], booked["entry"]["messages"]) == ("-2.50", 50)
    refused(tidings(*adjust, "--amount", "-2.50", "--reference", "g1"), "booked already")
    refused(tidings(*adjust, "--messages", "-99999"), "more than the 2050 that are left")
    refused(tidings(*adjust, "--amount", "1.005"), "more than 2 decimal places")
    refused(tidings(*adjust), "an adjustment of nothing is none")
    [listed] = [
        one
        for one in said(tidings("partners", "list", "--json"))["partners"]
        if one["name"] == "corrected"
    ]
    assert (listed["debt"], listed["capacity"]["total"]) == ("97.50", 2050)
    assert "corrected" in good(tidings("partners", "list"))
    entries = said(tidings("partners", "ledger", *who, "--json"))["entries"]
    assert [one["kind"] for one in entries] == ["ADJUSTMENT", "TRANSFER_REPORTED", "TOPUP"]
    assert "goodwill" in good(tidings("partners", "ledger", *who))


def test_what_cannot_be_done_to_a_partner_is_said(service: TestService, tidings: Tidings) -> None:
    service.account(name="no-partner")
    partner(service, "strict")
    refused(tidings("partners", "confirm", "bank-1", "--account", "no-partner"), "is not a partner")
    refused(tidings("partners", "confirm", "none", "--account", "strict"), "no transfer")
    confirm = ("partners", "confirm", "bank-1", "--account", "strict", "--amount")
    refused(tidings(*confirm, "-5.00"), "must be above zero")
    refused(tidings(*confirm, "0"), "must be above zero")
    refused(tidings(*confirm, "x"), "is not a decimal amount")
