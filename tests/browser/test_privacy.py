"""The story of a person who asks what is known of them, and to be forgotten."""

import json

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.persons import NAME, PERSON
from tests.support.service import TestAccount


def test_a_person_is_found_exported_and_erased(open_as: Open, account: TestAccount) -> None:
    account.send(clientMessageId="hello-0001", to=PERSON, templateName="hello",
                 templateParams=[NAME])  # fmt: skip
    page = open_as(account, path="/privacy")
    page.get_by_label("Find a person").fill(PERSON)
    page.get_by_role("button", name="Find a person").click()
    expect(page.get_by_role("row", name="Messages")).to_contain_text("1")
    with page.expect_download() as started:
        page.get_by_role("button", name="Export").click()
    whole = json.loads(started.value.path().read_text())
    assert NAME in str(whole["messages"])
    page.get_by_role("button", name="Erase").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("status")).to_have_text("The person is erased.")
    page.get_by_label("Find a person").fill(PERSON)
    page.get_by_role("button", name="Find a person").click()
    expect(page.get_by_role("heading", name="Nothing is kept of this person")).to_be_visible()
