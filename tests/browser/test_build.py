"""A developer's first hour in a browser: a receiver, its secret, and keys."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support.receiver import Receiver
from tests.support.service import TestAccount
from tests.support.waiting import eventually


def press(page: Page, name: str, *, confirm: bool = False) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    if confirm:
        page.get_by_role("button", name="Confirm", exact=True).click()


def test_a_receiver_is_set_tried_and_its_signature_checked(
    open_as: Open, account: TestAccount, receiver: Receiver
) -> None:
    page = open_as(account, "developer", path="/webhooks")
    page.get_by_label("Webhook URL").fill(receiver.url)
    press(page, "Save")
    expect(page.get_by_label("Webhook URL")).to_have_value(receiver.url)
    press(page, "Rotate secret", confirm=True)
    secret = page.locator(".hook-secret pre").inner_text()
    page.goto("/portal/webhooks")
    assert secret not in page.content()

    page.evaluate("window.stayed = true")
    press(page, "Send test event")
    row = page.get_by_role("region", name="Recent attempts").get_by_role("row").nth(1)
    expect(row).to_contain_text("delivered", timeout=15_000)
    expect(row).to_contain_text("200")
    assert page.evaluate("window.stayed"), "the page was loaded again"

    [request] = receiver.wait_for(1)
    headers = "\n".join(f"{name}: {value}" for name, value in request.headers.items())
    for given, verdict in (
        (secret, "The signature is valid."),
        (f"{secret}x", "The signature is not valid."),
    ):
        page.get_by_label("Headers").fill(headers)
        page.get_by_label("Body").fill(request.body.decode())
        page.get_by_label("Secret", exact=True).fill(given)
        press(page, "Check")
        expect(page.get_by_text(verdict)).to_be_visible()


def test_a_key_is_made_copied_rotated_and_revoked(open_as: Open, account: TestAccount) -> None:
    page = open_as(account, "developer", path="/keys", permissions=["clipboard-read"])
    page.get_by_label("Name").fill("Web shop")
    press(page, "Create key")
    made = page.get_by_role("region", name="Your new key")
    key = made.locator("pre").inner_text()
    made.get_by_role("button", name="Copy").click()
    expect(made.locator(".copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == key
    eventually(lambda: works(account, key))
    page.goto("/portal/keys")
    assert key not in page.content()

    row = page.get_by_role("row", name="Web shop")
    row.get_by_label("Overlap").fill("2")
    row.get_by_role("button", name="Rotate").click()
    new = made.locator("pre").inner_text()
    expect(row.filter(has_text="ends")).to_be_visible()
    eventually(lambda: works(account, new) and works(account, key))
    row.filter(has_not_text="ends").get_by_role("button", name="Revoke").click()
    press(page, "Confirm")
    expect(row).to_have_count(1)
    eventually(lambda: not works(account, new))


def works(account: TestAccount, key: str) -> bool:
    answer = account.service.http.get("/api/v1/limits", headers={"x-api-key": key})
    return answer.status_code == 200
