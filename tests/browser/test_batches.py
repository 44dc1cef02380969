"""A batch from a CSV file in a browser: the steps, and progress that moves by itself."""

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.batches import SLOW
from tests.support.service import TestService


def test_a_batch_from_a_file_moves_by_itself_and_can_be_cancelled(
    open_as: Open, service: TestService
) -> None:
    account = service.account(SLOW)
    rows = "".join(f"guest-{n:04},97250{n:05}00,Dana\n" for n in range(1, 41))
    page = open_as(account, "sender", path="/batches/new")
    content = f"id,phone,name\n{rows}wrong-01,050,Noam\n".encode()
    page.get_by_label("CSV file").set_input_files(
        {"name": "June.csv", "mimeType": "text/csv", "buffer": content}
    )
    page.get_by_label("Template").select_option(label="hello (en)")
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Number").select_option(label="phone")
    page.get_by_label("Id", exact=True).select_option(label="id")
    page.get_by_label("Variable 1").select_option(label="name")
    expect(page.locator(".bubble-body")).to_have_text("Hello Dana")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("40 messages will be sent.")).to_be_visible()
    expect(page.get_by_role("row", name="42 phone 050")).to_be_visible()
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Batch")
    page.evaluate("window.unchanged = true")
    bar = page.get_by_role("progressbar")
    expect(bar).not_to_have_attribute("value", "0", timeout=10_000)
    assert page.evaluate("window.unchanged") is True, "the page was not loaded again"
    page.get_by_role("button", name="Cancel batch").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("cancelled and refunded.")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel batch")).to_have_count(0)
    page.get_by_role("link", name="Its messages").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Messages")


def test_a_message_changes_on_its_page_by_itself(open_as: Open, service: TestService) -> None:
    account = service.account()
    body = {"clientMessageId": "order-0001", "to": "972501234567", "templateName": "plain"}
    assert account.send(**body).status_code == 200
    page = open_as(account, "viewer", path="/messages/order-0001")
    expect(page.locator(".message-head .chip")).to_have_text("read", timeout=10_000)
