"""The phone page in a browser: it changes by itself, and answers like a phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.portal.test_phone import CODE, invite
from tests.support.forms import form_toml, sent
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService
from tidings.platforms.sandbox.phone import DOTS

PHONE = f"/phone?number={GUEST}"
SLOW_MS = 1500  # of what is read again; the form's own answer takes half of that
SLOW_NETWORK = f"""() => {{
    const fetched = window.fetch;
    window.fetch = async (address, options) => {{
        const answer = await fetched(address, options);
        const wait = options?.method === "POST" ? {SLOW_MS // 2} : {SLOW_MS};
        await new Promise((go) => setTimeout(go, wait));
        return answer;
    }};
}}"""


@pytest.fixture(scope="module")
def account(service: TestService) -> TestAccount:
    return service.account(TEMPLATES + CODE + form_toml())


def conversation(page: Page) -> Locator:
    return page.get_by_role("region", name="Conversation")


def events(page: Page) -> Locator:
    return page.get_by_role("region", name="Events")


def test_a_message_arrives_is_read_and_answered_without_reloading(
    open_as: Open, account: TestAccount
) -> None:
    page = open_as(account, "sender", path=PHONE)
    expect(page.locator("html[data-stream=open]")).to_be_attached()
    page.evaluate("window.stayed = true")
    invite(account, "browser-invite-1")
    chat = conversation(page)
    expect(chat.get_by_text("Hi Dana, join us on Sunday")).to_be_visible()
    expect(chat.get_by_role("img", name="Read")).to_be_visible()
    expect(events(page).get_by_text("message.status", exact=True).first).to_be_visible()

    chat.get_by_role("button", name="Yes", exact=True).click()
    expect(chat.locator(".bubble-guest").last).to_contain_text("Yes")
    expect(events(page).get_by_text("guest.confirmed", exact=True)).to_be_visible()
    reply = page.get_by_label("Reply", exact=True)
    reply.fill("we will be 4")
    page.get_by_role("button", name="Send reply").click()
    expect(chat.get_by_text("we will be 4")).to_be_visible()
    expect(reply).to_have_value("")
    expect(events(page).get_by_text("4 guests")).to_be_visible()

    page.get_by_role("button", name="Photo").click()
    expect(chat.locator(".bubble-guest img")).to_be_visible()
    assert page.evaluate("window.stayed"), "the page was loaded again"


def test_a_form_is_a_flow_of_screens(open_as: Open, account: TestAccount) -> None:
    page = open_as(account, "sender", path=PHONE)
    sent(account)
    conversation(page).get_by_role("link", name="Give feedback").last.click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("group", name="How was it?")).to_be_visible()
    expect(sheet.get_by_role("group", name="What did you eat?")).to_be_hidden()
    sheet.get_by_role("radio", name=re.compile("5")).check()
    sheet.get_by_role("button", name="Next").click()
    sheet.get_by_label("Fish").check()
    sheet.get_by_role("button", name="Back").click()
    expect(sheet.get_by_role("radio", name=re.compile("5"))).to_be_checked()
    sheet.get_by_role("button", name="Next").click()
    sheet.get_by_role("button", name="Next").click()
    sheet.get_by_label("Music").check()
    sheet.get_by_role("button", name="Next").click()
    sheet.get_by_role("textbox").fill("Thank you")
    page.evaluate(SLOW_NETWORK)
    sheet.get_by_role("button", name="Send form").click()
    expect(sheet).to_be_hidden()
    page.wait_for_timeout(SLOW_MS)
    expect(sheet).to_be_hidden()  # what was read again before the answer came is older than it
    expect(conversation(page).locator(".bubble-guest").last).to_contain_text("Thank you")
    expect(events(page).get_by_text("feedback.submitted", exact=True)).to_be_visible()


def test_the_clock_moves_stop_is_heard_and_a_passcode_is_dots(
    open_as: Open, account: TestAccount
) -> None:
    guest = "972501237777"
    page = open_as(account, "sender", path=PHONE)
    page.get_by_label("Guest number").fill(guest)
    page.get_by_label("Guest number").press("Enter")
    expect(page.get_by_role("region", name=f"Phone of {guest}")).to_be_visible()
    account.post("/messages/otp", {"clientMessageId": "browser-otp-1", "to": guest, "code": "4821"})
    expect(conversation(page).get_by_text(DOTS)).to_be_visible()
    assert "4821" not in page.content()
    page.get_by_role("button", name="STOP").click()
    expect(events(page).get_by_text("guest.opted_out", exact=True)).to_be_visible()
    page.get_by_label("Advance by").fill("2")
    page.get_by_label("Unit").select_option("days")
    page.get_by_role("button", name="Advance", exact=True).click()
    expect(page.get_by_text("Runs 2 days ahead of real time.")).to_be_visible()
    expect(page.get_by_label("Guest number")).to_have_value(guest)
