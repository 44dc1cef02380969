"""GET /invoices, GET /invoices/{number} (4.14, 2.9), and the sandbox's way to pay one."""

import pytest

from tests.support.answers import refused
from tests.support.billing import at, invoice_toml, numbers, owing, shown, subscription_toml
from tests.support.service import TestAccount, TestService
from tidings.engine.http import pagination

FIELDS = {
    "number", "kind", "status", "subtotal", "vatPct", "vatAmount", "total", "currency", "issuedAt",
    "dueAt",
}  # fmt: skip
TWO_LINES = """[
    { description = "Unique messages", quantity = 333, unitPrice = "0.015" },
    { description = "הודעות המשך", quantity = 1, unitPrice = "0.105" } ]"""


# The list


def test_an_account_without_invoices_has_an_empty_list(account: TestAccount) -> None:
    answer = account.get("/invoices").json()
    assert (answer["data"], answer["nextCursor"]) == ([], None)


def test_an_invoice_has_the_fields_of_the_specification(service: TestService) -> None:
    issued, due = "2026-02-01T00:00:00+02:00", "2126-03-01T00:00:00Z"
    account = owing(service, invoice_toml(issuedAt=issued, dueAt=due))
    [invoice] = account.get("/invoices").json()["data"]
    assert invoice == {
        "number": "2026-0001", "kind": "USAGE", "status": "OPEN", "subtotal": "10.00", "vatPct": 0,
        "vatAmount": "0.00", "total": "10.00", "currency": "ILS",
        "issuedAt": "2026-01-31T22:00:00.000Z", "dueAt": "2126-03-01T00:00:00.000Z",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pct", "shown_pct", "vat", "total"),
    [("18", 18, "0.92", "6.03"), ("17.5", 17.5, "0.89", "6.00"), ("0", 0, "0.00", "5.11"),
     ("100", 100, "5.11", "10.22"), ("0.98", 0.98, "0.05", "5.16")],
)  # fmt: skip
def test_lines_are_rounded_one_by_one_and_vat_once(
    service: TestService, pct: str, shown_pct: float, vat: str, total: str
) -> None:
    terms = subscription_toml(vatPct=pct, currency='"EUR"')
    account = owing(service, terms, invoice_toml(lines=TWO_LINES))
    invoice = shown(account)
    assert set(invoice) == FIELDS | {"lines"}
    assert invoice["lines"] == [
        {"description": "Unique messages", "quantity": 333, "unitPrice": "0.015", "amount": "5.00"},
        {"description": "הודעות המשך", "quantity": 1, "unitPrice": "0.105", "amount": "0.11"},
    ]
    assert (invoice["subtotal"], invoice["currency"]) == ("5.11", "EUR")
    sums = (invoice["vatPct"], invoice["vatAmount"], invoice["total"])
    assert sums == (shown_pct, vat, total)


def test_the_newest_come_first_and_in_pages(service: TestService) -> None:
    made = [
        invoice_toml(f"2026-{n:04d}", issuedAt=at(days=-30 + n // 2), dueAt=at(days=9))
        for n in range(7)
    ]
    account = owing(service, *made)
    everything = numbers(account)
    assert everything == [f"2026-{n:04d}" for n in reversed(range(7))]
    seen, cursor = [], None
    for _ in range(4):
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        answer = account.get("/invoices", params=query).json()
        seen += [one["number"] for one in answer["data"]]
        cursor = answer["nextCursor"]
    assert (seen, cursor) == (everything, None)


def test_a_status_picks_its_invoices_and_no_others(service: TestService) -> None:
    account = owing(
        service,
        invoice_toml("open"),
        invoice_toml("late", dueAt=at(days=-1)),
        invoice_toml("said-late", dueAt=at(days=-1), status="OVERDUE"),
        invoice_toml("paid", status="PAID"),
        invoice_toml("void", status="VOID"),
    )
    assert numbers(account, status="OPEN") == ["open"]
    assert sorted(numbers(account, status="OVERDUE")) == ["late", "said-late"]
    assert numbers(account, status="PAID") == ["paid"]
    assert numbers(account, status="VOID") == ["void"]
    assert shown(account, "late")["status"] == "OVERDUE"


@pytest.mark.parametrize(
    "query",
    [
        "status=open", "status=Open", "status=DUE", "status=", "status=OPEN&status=PAID", "limit=0",
        "limit=201", "limit=1.5", "cursor=x", "cursor=e30", "state=OPEN", "status=OPEN%20",
    ],
)  # fmt: skip
def test_a_query_that_cannot_be_is_refused(account: TestAccount, query: str) -> None:
    error = refused(account.get(f"/invoices?{query}"), 400, "VALIDATION_ERROR")
    assert error["field"] == query.partition("=")[0]


@pytest.mark.parametrize(
    "key", [("2026-01-01T00:00:00Z", "a\0b"), ("2026-01-01T00:00:00", "2026-0001")]
)
def test_a_cursor_that_no_page_gave_is_refused(service: TestService, key: tuple[str, str]) -> None:
    page = owing(service).get("/invoices", params={"cursor": pagination.encode_cursor(key)})
    assert refused(page, 400, "VALIDATION_ERROR")["field"] == "cursor"


# One invoice


@pytest.mark.parametrize(
    "number", ["2026-9999", "2026-0001%20", "%2F", "..%2F2026-0001", "%00", "x" * 2000, "%F0%9F"]
)
def test_a_number_the_account_does_not_have_is_not_found(service: TestService, number: str) -> None:
    account = owing(service)
    refused(account.get(f"/invoices/{number}"), 404, "NOT_FOUND")


def test_invoices_of_others_do_not_exist(service: TestService) -> None:
    owing(service, invoice_toml("theirs-1"))
    stranger = service.account()
    theirs = refused(stranger.get("/invoices/theirs-1"), 404, "NOT_FOUND")
    nobodys = refused(stranger.get("/invoices/nobodys-1"), 404, "NOT_FOUND")
    assert theirs["message"] == nobodys["message"]
    assert numbers(stranger) == []


def test_a_number_is_unique_within_its_account_alone(service: TestService) -> None:
    one, other = owing(service), owing(service, invoice_toml(kind="MONTHLY"))
    assert (shown(one)["kind"], shown(other)["kind"]) == ("USAGE", "MONTHLY")


# The sandbox pays


def test_the_sandbox_pays_at_once_and_only_once(service: TestService) -> None:
    account = owing(service, invoice_toml(dueAt=at(days=-1)))
    answer = account.post("/sandbox/v1/invoices/2026-0001/pay")
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["status"] == "PAID"
    assert set(answer.json()["data"]) == FIELDS | {"lines"}
    again = account.post("/sandbox/v1/invoices/2026-0001/pay")
    assert again.json()["data"] == answer.json()["data"]
    refused(account.post("/sandbox/v1/invoices/none/pay"), 404, "NOT_FOUND")


def test_what_is_void_cannot_be_paid(service: TestService) -> None:
    account = owing(service, invoice_toml(status="VOID"))
    refused(account.post("/sandbox/v1/invoices/2026-0001/pay"), 400, "VALIDATION_ERROR")


def test_a_live_account_cannot_pay_like_that(service: TestService) -> None:
    tokens = 'phoneNumberId = "1"\nwabaId = "2"\naccessToken = "t"\n'
    number = f'[[accounts.numbers]]\nnumber = "972555000009"\n{tokens}'
    account = service.account(invoice_toml() + number, environment="live")
    refused(account.post("/sandbox/v1/invoices/2026-0001/pay"), 404, "NOT_FOUND")
