"""An operator's morning: an account, parked work, and a pause of everything."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.portal.test_operator_parked import park_job
from tests.support.service import TestService


def press(page: Page, name: str, *, confirm: bool = False) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    if confirm:
        page.get_by_role("button", name="Confirm", exact=True).click()


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_an_operator_runs_the_installation(service: TestService, open_as: Open) -> None:
    account = service.account()
    page = open_as(account, None, operator=True, path="/operator/accounts")

    page.get_by_label("Name", exact=True).fill("Hotel Dan")
    press(page, "Create account")
    heading(page, "Hotel Dan")
    press(page, "Disable", confirm=True)
    heading(page, "Hotel Dan")
    press(page, "Enable")
    expect(page.get_by_role("button", name="Disable")).to_be_visible()

    park_job(account, "m-again")
    park_job(account, "m-never")
    page.goto("/portal/operator/parked")
    page.get_by_role("row", name="m-again").get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status")).to_have_text("It is tried again.")
    page.get_by_role("row", name="m-never").get_by_role("button", name="Discard").click()
    press(page, "Confirm")
    expect(page.get_by_role("status")).to_have_text("It is discarded.")
    expect(page.get_by_role("heading", name="Nothing is parked")).to_be_visible()

    page.goto("/portal/operator")
    page.get_by_label("Reason").fill("Drill")
    press(page, "Pause all sending", confirm=True)
    expect(page.get_by_role("main")).to_contain_text("Drill")
    press(page, "Resume sending", confirm=True)
    expect(page.get_by_role("button", name="Pause all sending")).to_be_visible()
