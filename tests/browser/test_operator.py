"""An operator's morning: an account, a transfer, and a pause of everything."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support.service import TestService

PARTNER = '[accounts.partner]\nratePerMessage = "0.10"\ncreditLimit = "1000.00"\n'


def press(page: Page, name: str, *, confirm: bool = False) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    if confirm:
        page.get_by_role("button", name="Confirm", exact=True).click()


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_an_operator_runs_the_installation(service: TestService, open_as: Open) -> None:
    partner = service.account(PARTNER)
    partner.post("/partner/topups", {"messages": 1000})
    partner.post("/partner/transfers", {"amount": 95.0, "reference": "bank-story"})
    page = open_as(partner, None, operator=True, path="/operator/accounts")

    page.get_by_label("Name", exact=True).fill("Hotel Dan")
    press(page, "Create account")
    heading(page, "Hotel Dan")
    press(page, "Disable", confirm=True)
    heading(page, "Hotel Dan")
    press(page, "Enable")
    expect(page.get_by_role("button", name="Disable")).to_be_visible()

    page.goto("/portal/operator/transfers")
    form = page.get_by_role("form", name="bank-story")
    form.get_by_label("Amount received").fill("90")
    form.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("row", name="bank-story")).to_contain_text("confirmed")
    assert partner.get("/partner/account").json()["data"]["debt"] == "10.00"

    page.goto("/portal/operator")
    page.get_by_label("Reason").fill("Drill")
    press(page, "Pause all sending", confirm=True)
    expect(page.get_by_role("main")).to_contain_text("Drill")
    press(page, "Resume sending", confirm=True)
    expect(page.get_by_role("button", name="Pause all sending")).to_be_visible()
