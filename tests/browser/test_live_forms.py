"""A form of a live account: published by its owner, approved by the operator, looked at by the
platform, and sent."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.answers import refused
from tests.support.forms import ask
from tests.support.service import GUEST, TestService
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def service(live_service: TestService) -> TestService:
    return live_service


def test_a_live_form_is_approved_published_and_sent(
    service: TestService, live_platform: RunningSimulator, open_as: Open
) -> None:
    toml = f"{live_platform.numbers_toml}# accounts.templates"
    account = service.account(toml, environment="live")
    page = open_as(account, "developer", path="/forms/new")
    page.get_by_label("Title", exact=True).fill("Your stay")
    page.get_by_role("button", name="Add rating").click()
    page.get_by_role("group", name="Question 1").get_by_label("Question text").fill("How was it?")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("waits for the operator's approval")).to_be_visible()
    refused(ask(account, form="your-stay"), 409, "FORM_NOT_SENDABLE")

    operator = open_as(account, None, operator=True, path="/operator/forms")
    operator.get_by_role("form", name="Your stay").get_by_role("button", name="Approve").click()
    expect(operator.get_by_role("heading", name="No form waits")).to_be_visible()
    eventually(lambda: "is PENDING" in ask(account, form="your-stay").text)
    page.reload()
    expect(page.get_by_role("region", name="Versions")).to_contain_text("published")
    expect(page.get_by_role("note")).to_contain_text("is PENDING")

    live_platform.advance(6)  # the platform's review
    eventually(lambda: ask(account, form="your-stay").status_code == 200)
    eventually(lambda: live_platform.sends(to=GUEST))
    page.reload()
    expect(page.get_by_role("note")).to_have_count(0)
