"""Billing: subscriptions, charges and invoices, and the books behind them."""

from datetime import timedelta
from typing import Any

import httpx

from tests.support.clock import STANDING
from tests.support.service import TestAccount, TestService, account_toml

REFUSED = "972500009013"  # the sandbox refuses what goes there
FAILS = "972500009010"  # and this one fails in a callback
SENT_ONLY = "972500009001"
TERMS = {"ratePerMessage": "0.05", "creditLimit": "1000.00", "currency": "ILS"}


NO_SUBSCRIPTION = "[accounts.subscription]\n"  # an empty section ends it


def subscription(**fields: Any) -> str:
    """The section of the file; a package of 10 and 5 unless the fields differ."""
    values = {"package": "Gold", "billingType": "PACKAGE", "unique": 10, "followup": 5} | fields
    lines = [f"{name} = {_toml(value)}" for name, value in values.items() if value is not None]
    return "[accounts.subscription]\n" + "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def subscribed(service: TestService, more: str = "", /, **fields: Any) -> TestAccount:
    return service.account(subscription(**fields) + more)


def metered(service: TestService, **fields: Any) -> TestAccount:
    prices = {"pricePerUnique": "0.20", "pricePerFollowup": "0.10", "creditLimit": "1.00"}
    return subscribed(service, **{"billingType": "USAGE", "unique": None, "followup": None}
                      | prices | fields)  # fmt: skip


def reapply(account: TestAccount, more: str = "", **fields: Any) -> None:
    """Apply another file to the same account."""
    [row] = account.service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    account.service.apply(account_toml(more, name=row["name"], **fields))


def partner_with_member(
    service: TestService, name: str, messages: int = 0, **terms: Any
) -> tuple[TestAccount, TestAccount]:
    partner = service.account(name=name, billingMode="ENFORCED", partner=TERMS | terms)
    member = service.account(name=f"{name}-member", billingMode="ENFORCED", belongsTo=name)
    if messages:
        answer = partner.post("/partner/topups", {"messages": messages})
        assert answer.status_code == 200, answer.text
    return partner, member


def send(account: TestAccount, n: int, to: str | None = None, **fields: Any) -> httpx.Response:
    body = {"clientMessageId": f"order-{n:05}", "to": to or phone(n), "templateName": "plain"}
    return account.send(**body | fields)


def phone(n: int) -> str:
    return f"97250{n:05}00"


def sent(account: TestAccount, n: int, to: str | None = None, **fields: Any) -> dict[str, Any]:
    answer = send(account, n, to, **fields)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def refusal(answer: httpx.Response) -> str:
    assert answer.status_code == 402, answer.text
    code: str = answer.json()["error"]["code"]
    return code


def balance(account: TestAccount) -> dict[str, Any]:
    answer = account.get("/balance")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def used(account: TestAccount) -> tuple[int, int]:
    """Unique and follow-up messages."""
    found = balance(account)["subscription"]
    for kind in ("unique", "followup"):
        one = found[kind]
        assert one["remaining"] == max(one["quota"] - one["used"], 0)
    return found["unique"]["used"], found["followup"]["used"]


def charges(account: TestAccount) -> dict[str, tuple[str, str]]:
    """Kind and state of each charge, by clientMessageId."""
    answer = account.get("/charges?limit=200")
    assert answer.status_code == 200, answer.text
    rows = answer.json()["data"]
    return {row["clientMessageId"]: (row["kind"], row["state"]) for row in rows}


def invoices(account: TestAccount) -> list[dict[str, Any]]:
    """With their lines, the oldest first."""
    listed = account.get("/invoices").json()["data"]
    numbers = [one["number"] for one in reversed(listed)]
    return [account.get(f"/invoices/{number}").json()["data"] for number in numbers]


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
