"""The guide in a browser: search, tabs, copying, looks; and no request leaves for elsewhere."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.barriers import Look, faults_of, prepare
from tests.browser.conftest import Open
from tests.support.service import TestService

LOOKS = [Look("en", 1280, "light"), Look("en", 390, "dark")]
PAGES = ["", "/quick-start", "/errors/ALREADY_SENT", "/events/guest.confirmed", "/search?q=window"]


def test_a_reader_searches_and_opens_the_page_of_an_error(
    open_as: Open, service: TestService
) -> None:
    page = open_as(path=None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/guide")
    page.keyboard.press("/")
    page.keyboard.type("already_se")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("ALREADY_SENT")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("ALREADY_SENT")
    page.get_by_role("tab", name="TypeScript").click()
    expect(page.get_by_text('from "@tidings/client"')).to_be_visible()
    expect(page.get_by_text("from tidings_client.errors")).to_be_hidden()
    assert not [url for url in asked if not url.startswith(service.url)]


def test_the_search_field_lets_a_keyboard_pass(open_as: Open) -> None:
    page = open_as(path=None)
    page.goto("/guide")
    field, dialog = page.locator(".find input"), page.get_by_role("dialog")
    field.focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Light or dark")).to_be_focused()
    expect(dialog).to_be_hidden()
    field.focus()
    page.keyboard.type("window")
    expect(dialog.get_by_role("combobox")).to_have_value("window")
    expect(page.get_by_role("option").first).to_contain_text("window")


def test_enter_before_the_answer_asks_for_all_that_was_typed(open_as: Open) -> None:
    page = open_as(path=None)
    page.goto("/guide")
    page.route("**/search.json?q=webhooks", lambda _: None)  # never answered
    page.keyboard.press("/")
    page.keyboard.type("webhook")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.type("s")
    page.keyboard.press("Enter")
    page.wait_for_url("**/guide/search?q=webhooks")


def test_what_is_copied_is_what_is_shown(open_as: Open) -> None:
    page = open_as(path=None, permissions=["clipboard-read", "clipboard-write"])
    page.goto("/guide/concepts/idempotency")
    page.get_by_role("button", name="Copy for an assistant").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert clipboard(page).startswith("# Idempotency\n")
    block = page.locator("figure.code").first
    block.hover()
    block.get_by_role("button", name="Copy the code").click()
    expect(block.get_by_role("button", name="Copy the code")).to_have_text("Copied")
    assert clipboard(page) == block.locator("code").inner_text().rstrip("\n")


def clipboard(page: Page) -> str:
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_the_look_that_was_chosen_stays(open_as: Open) -> None:
    page = open_as(path=None, color_scheme="light")
    page.goto("/guide")
    page.get_by_role("button", name="Light or dark").click()
    page.goto("/guide/webhooks")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.scheme}-{look.width}")
def test_nothing_keeps_a_reader_out(open_as: Open, look: Look) -> None:
    page = open_as(path=None, **look.options)
    prepare(page)
    found = {path: faults_of(page, page.goto(f"/guide{path}"), look) for path in PAGES}
    assert found == {path: [] for path in PAGES}


def test_on_a_phone_the_contents_are_a_sheet(open_as: Open) -> None:
    page = open_as(path=None, viewport={"width": 390, "height": 800})
    page.goto("/guide/webhooks")
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents).to_be_hidden()
    page.locator(".find").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Open the contents").click()
    contents.get_by_role("link", name="Quick start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Quick start")
