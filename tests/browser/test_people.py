"""From signing up to a second factor, and an invited colleague who joins, by what the pages say."""

import pyotp
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support import people
from tests.support.people import PASSWORD


def sign_in(page: Page, email: str) -> None:
    page.goto("/portal/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_a_newcomer_signs_up_protects_the_sign_in_and_invites_a_colleague(open_as: Open) -> None:
    email, colleague = f"new-{people.new_email()}", f"colleague-{people.new_email()}"
    page = open_as(None, path="/sign-in")
    page.get_by_role("link", name="Create your account").click()
    page.get_by_label("Organisation").fill("Café Noa")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", level=1, name="Getting started")).to_be_visible()

    page.get_by_role("link", name="People").click()
    page.get_by_role("button", name="Set up second factor").click()
    secret = page.locator("#secret").inner_text().replace(" ", "")
    page.get_by_label("Code").fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("heading", level=1, name="Recovery codes")).to_be_visible()
    recovery = page.locator("pre").inner_text().split()[0]
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, email)
    page.get_by_label("Code").fill(recovery)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1, name="Getting started")).to_be_visible()

    page.get_by_role("link", name="People").click()
    page.get_by_label("Email").fill(colleague)
    page.get_by_label("Role").select_option("sender")
    page.get_by_role("button", name="Invite").click()
    shown = page.get_by_text("/portal/welcome?token=").inner_text()
    link = shown[shown.index("/portal/welcome") :].strip()  # the public address is not this one

    other = open_as(None, path=link.removeprefix("/portal"))
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Join").click()
    expect(other.get_by_role("heading", level=1, name="Getting started")).to_be_visible()
    expect(other.get_by_role("link", name="API keys")).to_have_count(0)

    page.get_by_role("link", name="People").click()
    page.get_by_role("row", name=colleague).get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text(f"{colleague} was removed.")).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", level=1, name="Sign in")).to_be_visible()
