"""A form from the builder to its results, by the names that the page has."""

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.forms import fill, sent
from tests.support.service import TestAccount
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.audit.record import Actor
from tidings.features.feedback.forms import edit


def test_a_form_is_built_submitted_and_answered(open_as: Open, account: TestAccount) -> None:
    page = open_as(account, "developer", path="/forms")
    page.get_by_role("link", name="New form", exact=True).click()
    page.get_by_label("Title", exact=True).fill("Your evening")
    page.get_by_role("button", name="Add comment").click()
    page.get_by_role("button", name="Add single").click()
    first = page.get_by_role("group", name="Question 1")
    second = page.get_by_role("group", name="Question 2")
    first.get_by_label("Question text").fill("Anything else?")
    second.get_by_label("Question text").fill("What did you eat?")
    second.get_by_label("Options").fill("Fish\nMeat")
    second.get_by_role("button", name="Move up").click()
    expect(first.get_by_label("Question text")).to_have_value("What did you eat?")
    expect(page.get_by_label("Title", exact=True)).to_have_value("Your evening")
    page.get_by_label("Title", exact=True).press("Enter")  # saves, and removes nothing
    expect(page.get_by_role("heading", level=1)).to_have_text("Your evening")
    page.get_by_role("button", name="Submit for approval").click()
    expect(page.get_by_text("waits for the operator's approval")).to_be_visible()

    account.service.transact(lambda tx: approve(tx, account))
    sent(account, form="your-evening")
    fill(account, {"q2": "Fish", "q1": "Lovely"})
    page.reload()
    results = page.get_by_role("region", name="Results")
    expect(results.get_by_text("Lovely")).to_be_visible()
    expect(results.get_by_role("row", name="Fish")).to_contain_text("100%")


async def approve(tx: Tx, account: TestAccount) -> None:
    owner = (await load_accounts(tx, [account.id]))[account.id]
    await edit.approve(tx, owner, Actor("person", "operator@example.com"), "your-evening", 1)
