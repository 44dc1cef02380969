"""GET /invoices/{number}/pdf (contract2.md, section D)."""

from concurrent.futures import ThreadPoolExecutor

from tests.support.answers import refused
from tests.support.billing import invoice_toml, owing
from tests.support.service import TestAccount, TestService


def test_an_invoice_comes_as_a_pdf_with_a_name_to_keep_it_under(service: TestService) -> None:
    answer = owing(service).get("/invoices/2026-0001/pdf")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    assert 'filename="invoice-2026-0001.pdf"' in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.content.startswith(b"%PDF-")
    assert answer.content.rstrip().endswith(b"%%EOF")


def test_the_pdf_shows_what_became_of_the_invoice(service: TestService) -> None:
    account = owing(service)
    before = account.get("/invoices/2026-0001/pdf").content
    paid = account.post("/sandbox/v1/invoices/2026-0001/pay", {})
    assert paid.status_code == 200, paid.text
    assert account.get("/invoices/2026-0001/pdf").content != before


def test_another_accounts_invoice_is_one_that_does_not_exist(
    service: TestService, account: TestAccount
) -> None:
    owing(service, invoice_toml("2026-0044"))
    foreign = refused(account.get("/invoices/2026-0044/pdf"), 404, "NOT_FOUND")
    unknown = refused(account.get("/invoices/2026-9999/pdf"), 404, "NOT_FOUND")
    assert foreign["message"] == unknown["message"]


def test_an_unusual_number_stays_one_header(service: TestService) -> None:
    account = owing(service, invoice_toml("חשבונית 7; filename=x"))
    answer = account.get(
        "/invoices/%D7%97%D7%A9%D7%91%D7%95%D7%A0%D7%99%D7%AA%207%3B%20filename%3Dx/pdf"
    )
    assert answer.status_code == 200, answer.text
    named = answer.headers["content-disposition"]
    assert named.startswith('attachment; filename="invoice-') and named.count(";") == 2
    assert named.isascii()


def test_many_at_once_are_all_served(service: TestService) -> None:
    account = owing(service)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: account.get("/invoices/2026-0001/pdf"), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


def test_the_description_says_that_it_is_a_pdf(service: TestService) -> None:
    document = service.http.get("/api/v1/openapi.json").json()
    answers = document["paths"]["/api/v1/invoices/{number}/pdf"]["get"]["responses"]
    assert list(answers["200"]["content"]) == ["application/pdf"]
