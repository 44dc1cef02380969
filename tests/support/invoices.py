"""Invoices for tests: tables of the file, and accounts that have some."""

from datetime import timedelta
from typing import Any

from tests.support.clock import STANDING
from tests.support.service import TestAccount, TestService

LINES = '[ { description = "Messages", quantity = 10, unitPrice = "1.00" } ]'


def at(**offset: float) -> str:
    """A time so far from now, as the file writes it."""
    return (STANDING.now() + timedelta(**offset)).isoformat(timespec="seconds")


def invoice_toml(number: str = "2026-0001", *, lines: str = LINES, **fields: str) -> str:
    values = {"kind": "USAGE", "issuedAt": at(days=-10), "dueAt": at(days=20)} | fields
    plain = "".join(f'{name} = "{value}"\n' for name, value in values.items())
    return f'[[accounts.invoices]]\nnumber = "{number}"\nlines = {lines}\n{plain}'


def subscription_toml(**fields: str) -> str:
    values = {"package": '"Gold"', "billingType": '"PACKAGE"', "unique": "1000"} | fields
    return "[accounts.subscription]\n" + "".join(f"{k} = {v}\n" for k, v in values.items())


def owing(service: TestService, *invoices: str, **fields: Any) -> TestAccount:
    """An account with these invoices."""
    return service.account("".join(invoices) or invoice_toml(), **fields)


def shown(account: TestAccount, number: str = "2026-0001") -> dict[str, Any]:
    answer = account.get(f"/invoices/{number}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def numbers(account: TestAccount, **query: Any) -> list[str]:
    answer = account.get("/invoices", params=query)
    assert answer.status_code == 200, answer.text
    return [one["number"] for one in answer.json()["data"]]
