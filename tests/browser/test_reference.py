"""The API reference at /docs: the reader's own key in every sample, three languages, "Try it"."""

from datetime import timedelta

from playwright.sync_api import Page, expect

from tests.browser.barriers import LOOKS, Look, faults_of, prepare
from tests.browser.conftest import Open
from tests.support.service import TestAccount
from tidings.features.accounts.keys import rotate_keys

SEND = "#postMessagesText"
WIDTH = "document.documentElement.scrollWidth"
# Endpoints are alike, and axe takes minutes for all of them.
SHORTEN = """() => {
  const kept = { ".operation": 4, ".error": 4, "#nav > *": 20, ".fields li": 40 };
  for (const [kind, count] of Object.entries(kept))
    [...document.querySelectorAll(kind)].slice(count).forEach((node) => node.remove());
}"""
LOADED = 60_000  # milliseconds: the first reader waits until the description is made


def opened(open_as: Open, account: TestAccount | None = None, place: str = "") -> Page:
    page = open_as(account, path=None)
    page.goto(f"/docs{place}")
    expect(page.locator(SEND)).to_be_attached(timeout=LOADED)
    return page


def test_the_key_of_the_portals_session_is_in_the_samples(
    open_as: Open, account: TestAccount
) -> None:
    page = opened(open_as, account)
    key = account.headers["x-api-key"]
    expect(page.locator(f"{SEND} pre").first).to_contain_text(key)
    page.locator(f"{SEND} [role=tab]", has_text="Python").click()
    expect(page.locator(f"{SEND} pre").first).to_contain_text(f'api_key="{key}"')
    expect(page.locator("#getBalance pre").first).to_contain_text("client.balance()")
    page.reload()
    expect(page.locator("#getBalance pre").first).to_contain_text("client.balance()")


def test_a_rotated_key_is_replaced_by_the_new_one(open_as: Open, account: TestAccount) -> None:
    page = opened(open_as, account)
    sample = page.locator(f"{SEND} pre").first
    expect(sample).to_contain_text(account.headers["x-api-key"])
    service = account.service
    rotated = service.transact(
        lambda tx: rotate_keys(tx, service.ctx.sealer, account.id, timedelta(0))
    )
    page.reload()
    expect(sample).to_contain_text(rotated, timeout=LOADED)


def test_a_pasted_key_stays_in_the_tab_and_a_live_one_is_refused(
    open_as: Open, account: TestAccount
) -> None:
    page = opened(open_as)
    sample = page.locator(f"{SEND} pre").first
    field = page.get_by_label("Your sandbox key").first
    field.fill("td_live_" + "x" * 43)
    expect(page.get_by_text("This is a live key")).to_be_visible()
    expect(sample).to_contain_text("<API_KEY>")
    field.fill(account.headers["x-api-key"])
    expect(sample).to_contain_text(account.headers["x-api-key"])
    page.reload()
    expect(sample).to_contain_text(account.headers["x-api-key"])
    page.get_by_text("Forget it").first.click()
    expect(sample).to_contain_text("<API_KEY>")


def test_the_key_of_a_session_goes_with_the_session(open_as: Open, account: TestAccount) -> None:
    page = opened(open_as, account)
    sample = page.locator(f"{SEND} pre").first
    expect(sample).to_contain_text(account.headers["x-api-key"])
    page.context.clear_cookies()
    page.reload()
    expect(sample).to_contain_text("<API_KEY>")


def test_a_sample_is_copied_without_https(open_as: Open, account: TestAccount) -> None:
    page = open_as(account, path=None)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto("/docs")
    expect(page.locator(SEND)).to_be_attached(timeout=LOADED)
    button = page.locator(f"{SEND} .copy").first
    button.click()
    expect(button).to_have_text("Copied")


def test_try_it_sends_and_shows_what_came_back(open_as: Open, account: TestAccount) -> None:
    page = opened(open_as, account, place=SEND)
    expect(page.locator(f"{SEND} pre").first).not_to_contain_text("<API_KEY>")
    form = page.locator(f"{SEND} .try")
    form.locator("summary").first.click()
    body = form.get_by_label("Body")
    body.fill('{"clientMessageId": "tried-0001", "to": "972501234567", "templateName": "plain"}')
    form.get_by_role("button", name="Send").click()
    expect(form.locator(".status-line")).to_contain_text("200", timeout=LOADED)
    expect(form.locator(".result .code pre")).to_contain_text('"clientMessageId": "tried-0001"')
    form.get_by_text("Headers").click()
    expect(form.locator("pre.headers")).to_contain_text("x-request-id")
    body.fill('{"clientMessageId": "tried-0002", "to": "12", "templateName": "plain"}')
    form.get_by_role("button", name="Send").click()
    expect(form.locator(".status-line")).to_contain_text("400", timeout=LOADED)
    expect(form.locator(".result .code pre")).to_contain_text("INVALID_PHONE")


def test_try_it_without_a_key_says_where_to_get_one(open_as: Open) -> None:
    page = opened(open_as)
    form = page.locator("#getMessagesCid .try")
    form.locator("summary").first.click()
    form.get_by_role("button", name="Send").click()
    expect(form.locator(".fault")).to_contain_text("Paste your sandbox key")


def test_finding_leaves_what_fits(open_as: Open) -> None:
    page = opened(open_as)
    page.keyboard.press("/")
    page.keyboard.type("opt-out")
    expect(page.locator("#nav a", has_text="Remove an opt-out")).to_be_visible()
    expect(page.locator("#nav a", has_text="Send a passcode")).to_be_hidden()


def test_the_reference_can_be_read_by_everyone(open_as: Open) -> None:
    narrow_and_dark = Look("en", LOOKS["hebrew"].width, LOOKS["hebrew"].scheme)
    for look in (LOOKS["english"], narrow_and_dark):
        page = open_as(path=None, **look.options)
        prepare(page)
        answer = page.goto("/docs")
        expect(page.locator(SEND)).to_be_attached(timeout=LOADED)
        assert page.evaluate(WIDTH) <= look.width + 1
        page.evaluate(SHORTEN)
        page.locator(f"{SEND} .try summary").first.click()
        assert faults_of(page, answer, look) == []
