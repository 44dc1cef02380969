"""An event in a browser: registered, answers that come in, an unclear one settled."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support.service import GUEST, TestAccount

OTHER = "972501234568"


def invite(account: TestAccount, cid: str, to: str) -> None:
    answer = account.send(
        clientMessageId=cid, to=to, templateName="invite", templateParams=["Dana", "Sunday"],
        kind="invitation", eventId="garden-party",
    )  # fmt: skip
    assert answer.status_code == 200, answer.text


def figure(page: Page, name: str, value: int) -> None:
    found = page.locator("dl .figure", has=page.locator("dt", has_text=name)).locator("dd")
    expect(found).to_have_text(str(value))


def test_answers_come_in_by_themselves_and_an_unclear_one_is_settled(
    open_as: Open, account: TestAccount
) -> None:
    page = open_as(account, "sender", path="/events")
    page.get_by_role("link", name="New event").click()
    page.get_by_label("Event id").fill("garden-party")
    page.get_by_label("Date").fill("2036-06-01T18:00")
    page.get_by_label("Callback URL").fill("https://example.com/hook")
    page.get_by_label("Text for unclear replies").fill("Yes or no?")
    page.get_by_label("Nudge").fill("Are you coming?")
    page.get_by_label("Text after expiry").fill("It is over.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("garden-party")

    invite(account, "garden-0001", GUEST)
    invite(account, "garden-0002", OTHER)
    account.reply(GUEST, "yes, 3 of us")
    figure(page, "Headcount", 3)
    account.reply(OTHER, "is there parking?")
    queue = page.get_by_role("region", name="Unclear replies")
    expect(queue.get_by_text("is there parking?")).to_be_visible()
    account.reply(OTHER, "hmm, can't <make it maybe")
    expect(queue).to_contain_text("hmm, can't <make it maybe")
    expect(queue).to_contain_text("sure, because of “")
    account.reply(OTHER, "is there parking?")
    expect(queue.get_by_text("Neither a yes nor a no")).to_be_visible()
    page.evaluate("window.stayed = true")
    queue.get_by_role("button", name="Guests").click()
    expect(page.get_by_role("alert")).to_contain_text("Give a number from 1 to 999.")
    page.evaluate("page.refresh()")  # what comes in meanwhile does not take the error away
    expect(queue.get_by_text("Give a number from 1 to 999.")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_visible()
    queue.get_by_label("Number of guests").fill("2")
    queue.get_by_role("button", name="Guests").click()
    figure(page, "Headcount", 5)
    expect(queue.get_by_text("No reply waits for you.")).to_be_visible()
    assert page.evaluate("window.stayed"), "the page was loaded again"
    page.get_by_label("State").select_option("confirmed")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("table").last.get_by_role("row")).to_have_count(3)
