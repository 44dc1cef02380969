"""A partner buys capacity and pays for it: reported, confirmed or rejected by the operator, and in
the statement."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support.partners import partner_of, state
from tests.support.service import TestService


def report(page: Page, amount: str, reference: str) -> None:
    page.get_by_label("Amount", exact=True).fill(amount)
    page.get_by_label("Reference", exact=True).fill(reference)
    page.get_by_role("button", name="Report transfer").click()
    waiting = page.get_by_role("region", name="Transfers that wait to be confirmed")
    expect(waiting.get_by_role("row", name=reference)).to_be_visible()


def saved(page: Page, link: str) -> bytes:
    with page.expect_download() as started:
        page.get_by_role("link", name=link).click()
    return Path(started.value.path()).read_bytes()


def test_a_partner_tops_up_pays_and_sees_the_statement(service: TestService, open_as: Open) -> None:
    partner = partner_of(service)
    page = open_as(partner, "billing", path="/partner")
    page.get_by_label("Messages", exact=True).fill("2000")
    page.get_by_role("button", name="Top up").click()
    expect(page.get_by_role("main")).to_contain_text("2,000 messages left")
    report(page, "95.00", "bank-came")
    report(page, "50.00", "bank-lost")

    operator = open_as(partner, None, operator=True, path="/operator/transfers")
    form = operator.get_by_role("form", name="bank-came")
    form.get_by_label("Amount received").fill("90")
    form.get_by_role("button", name="Confirm").click()
    expect(operator.get_by_role("row", name="bank-came")).to_contain_text("confirmed")
    form = operator.get_by_role("form", name="bank-lost")
    form.get_by_label("Note").fill("Nothing came")
    form.get_by_role("button", name="Reject").click()
    expect(operator.get_by_role("row", name="bank-lost")).to_contain_text("rejected")
    assert state(partner)["debt"] == "10.00"

    page.reload()
    ledger = page.get_by_role("group", name="Ledger")
    expect(ledger.get_by_role("row", name="Transfer received")).to_contain_text("bank-came")
    expect(ledger.get_by_role("row", name="Transfer rejected")).to_contain_text("Nothing came")
    assert b"bank-came" in saved(page, "Statement CSV")
    assert saved(page, "Statement PDF").startswith(b"%PDF")
