"""Invoices in the portal: the list by status, one with its lines and VAT, its PDF."""

import pytest

from tests.support.billing import at, invoice_toml, owing, subscribed, subscription
from tests.support.portal import signed_in
from tests.support.service import TestAccount, TestService

LINES = (
    '[ { description = "Messages", quantity = 1000, unitPrice = "0.0125" },'
    ' { description = "חבילת זהב", quantity = 1, unitPrice = "100.00" } ]'
)
NUMBER = "2026-0001"


@pytest.fixture(scope="module")
def debtor(service: TestService) -> TestAccount:
    """One invoice of each status."""
    return owing(
        service,
        subscription(vatPct=18),
        invoice_toml(NUMBER, lines=LINES),
        invoice_toml("2026-0002", issuedAt=at(days=-40), dueAt=at(days=-9)),
        invoice_toml("2026-0003", status="PAID"),
        invoice_toml("2026-0004", status="VOID"),
    )


def test_the_list_shows_every_invoice_and_filters_by_status(debtor: TestAccount) -> None:
    visitor = signed_in(debtor, "viewer")
    page = visitor.get("/invoices")
    assert (page.status, page.h1) == (200, "Invoices")
    shown = {row[0]: row[1] for row in page.rows()}
    assert shown == {NUMBER: "open", "2026-0002": "overdue", "2026-0003": "paid",
                     "2026-0004": "void"}  # fmt: skip
    page = visitor.submit(page, "Filter", {"Status": "OVERDUE"})
    assert [row[0] for row in page.rows()] == ["2026-0002"]
    assert page.response.url.query == b"status=OVERDUE"
    assert page.rows()[0][2] == "₪11.80"


def test_a_long_list_has_pages(service: TestService) -> None:
    many = [invoice_toml(f"2026-{n:04}", issuedAt=at(days=-n)) for n in range(1, 53)]
    visitor = signed_in(owing(service, *many))
    first = visitor.get("/invoices")
    assert len(first.rows()) == 50
    second = visitor.get(first.links()["Older"])
    assert [row[0] for row in second.rows()] == ["2026-0051", "2026-0052"]
    assert visitor.get(second.links()["Newer"]).rows() == first.rows()
    assert visitor.get("/invoices?cursor=nonsense").status == 400
    oldest = visitor.get(second.links()["Issued"])
    assert [row[0] for row in oldest.rows()][:2] == ["2026-0052", "2026-0051"]
    assert "Older" not in oldest.links()
    newest = visitor.get(oldest.links()["Newer"])
    assert [row[0] for row in newest.rows()] == ["2026-0002", "2026-0001"]
    assert newest.one("th[aria-sort=ascending]").text == "Issued"
    assert visitor.get(newest.links()["Older"]).rows() == oldest.rows()
    assert visitor.get(newest.links()["Issued"]).rows() == first.rows()


def test_an_invoice_has_its_lines_and_vat(debtor: TestAccount) -> None:
    visitor = signed_in(debtor, "billing")
    page = visitor.get(f"/invoices/{NUMBER}")
    assert (page.status, page.h1) == (200, NUMBER)
    assert page.rows() == [
        ["Messages", "1,000", "₪0.0125", "₪12.50"],
        ["חבילת זהב", "1", "₪100.00", "₪100.00"],
    ]
    sums = [one.get_text(" ", strip=True) for one in page.soup.select("tfoot tr")]
    assert sums == ["Subtotal ₪112.50", "VAT 18% ₪20.25", "Total ₪132.75"]
    assert page.figures()["Due"] and "naming invoice 2026-0001" in page.figures()["To pay"]
    assert "Sending is paused because" not in page.main


def test_the_pdf_is_that_of_the_api(debtor: TestAccount) -> None:
    visitor = signed_in(debtor, "billing")
    link = visitor.get(f"/invoices/{NUMBER}").links()["Download PDF"]
    answer = visitor.raw("GET", link)
    assert answer.headers["content-type"] == "application/pdf"
    assert 'filename="invoice-2026-0001.pdf"' in answer.headers["content-disposition"]
    assert answer.content == debtor.get(f"/invoices/{NUMBER}/pdf").content


def test_an_overdue_invoice_says_that_it_pauses_sending(service: TestService) -> None:
    overdue = invoice_toml("2026/7 א", dueAt=at(days=-1))
    visitor = signed_in(service.account(subscription() + overdue))
    page = visitor.get("/invoices")
    page = visitor.get(page.links()["2026/7 א"])
    assert (page.status, page.h1) == (200, "2026/7 א")
    assert "Sending is paused because this invoice is overdue." in page.main
    assert visitor.raw("GET", page.links()["Download PDF"]).content.startswith(b"%PDF")


def test_an_invoice_of_another_account_is_like_an_unknown_one(
    debtor: TestAccount, service: TestService
) -> None:
    visitor = signed_in(subscribed(service))
    for path in (f"/invoices/{NUMBER}", f"/invoices/{NUMBER}/pdf"):
        foreign, unknown = visitor.get(path), visitor.get(path.replace(NUMBER, "2026-9999"))
        assert (foreign.status, unknown.status) == (404, 404)
        assert foreign.main.split("req_")[0] == unknown.main.split("req_")[0]


def test_without_invoices_the_page_says_when_there_will_be_some(service: TestService) -> None:
    page = signed_in(subscribed(service)).get("/invoices")
    assert "No invoices yet" in page.main


def test_who_has_no_role_here_sees_nothing(debtor: TestAccount) -> None:
    outsider = signed_in(debtor, None)
    assert outsider.get("/invoices").status == 403
