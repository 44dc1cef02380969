"""The frame in a browser: the menu of a phone, languages, keyboard."""

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.service import TestAccount


def test_on_a_phone_the_menu_is_a_sheet(open_as: Open, account: TestAccount) -> None:
    page = open_as(account, path="/nothing-here", viewport={"width": 390, "height": 800})
    expect(page.get_by_role("navigation", name="Pages", exact=True)).to_be_hidden()
    page.get_by_role("link", name="Menu", exact=True).click()
    menu = page.get_by_role("navigation", name="Pages", exact=True)
    expect(menu).to_be_visible()
    menu.get_by_role("link", name="Close menu").click()
    expect(menu).to_be_hidden()


def test_hebrew_is_right_to_left_and_english_comes_back(
    open_as: Open, account: TestAccount
) -> None:
    page = open_as(account, path="/nothing-here")
    page.get_by_role("link", name="עברית").click()
    assert page.evaluate("document.dir") == "rtl"
    page.get_by_role("link", name="English").click()
    assert page.evaluate("document.dir") == "ltr"


def test_the_keyboard_reaches_the_content_first(open_as: Open, account: TestAccount) -> None:
    page = open_as(account, path="/nothing-here")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
