"""The newcomer of `serve --demo`: from the link to a signed answer in five clicks at most."""

from pathlib import Path
from uuid import UUID

import msgspec
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Open
from tests.support.own_code import running_receiver
from tests.support.service import TestAccount, TestService
from tidings.cli.running import demo
from tidings.features.people.demo import offer_demo

CLICKS_MAX = 5


class Finger:
    """Clicks, and counts them."""

    def __init__(self) -> None:
        self.clicks = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1


def test_from_the_link_to_a_signed_answer_in_five_clicks(
    open_as: Open, service: TestService, tmp_path: Path
) -> None:
    made = service.apply(demo.read_or_make(tmp_path))
    ids = [UUID(str(one["id"])) for one in made]
    token = service.transact(lambda tx: offer_demo(tx, ids))
    finger = Finger()

    page = open_as(None, path=f"/welcome?token={token}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Getting started")
    finger.click(page.get_by_role("button", name="Send test message"))
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()
    expect(page.get_by_text('"status": "sent"').first).to_be_visible()
    expect(page.get_by_text("message.status", exact=True).first).to_be_visible()

    finger.click(page.get_by_role("link", name="Open the phone"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Phone")
    chat = page.get_by_role("region", name="Conversation")
    finger.click(chat.get_by_role("button", name="Yes", exact=True).last)
    happened = page.get_by_role("region", name="Events").locator("details")
    confirmed = happened.filter(has_text="guest.confirmed")  # "read" may come before or after it
    expect(confirmed).to_have_count(1)
    finger.click(confirmed.locator("summary"))
    expect(confirmed.get_by_text("Headers", exact=True)).to_be_visible()
    assert finger.clicks <= CLICKS_MAX

    headers, body = (
        str(one.get_attribute("data-copy")) for one in confirmed.locator("[data-copy]").all()
    )
    account = next(
        TestAccount(service, one) for one in made if is_signed_by(service, one, headers, body)
    )
    assert account.events("guest.confirmed")


def test_who_reads_the_portal_alone_sees_the_answer_verified_in_their_own_code(
    open_as: Open, service: TestService, tmp_path: Path
) -> None:
    made = service.apply(demo.read_or_make(tmp_path))
    token = service.transact(lambda tx: offer_demo(tx, [UUID(str(one["id"])) for one in made]))
    page = open_as(None, path=f"/welcome?token={token}")
    receiver = page.get_by_role("region", name="Receive the answers in your code")
    program, command = (
        str(one.get_attribute("data-copy")) for one in receiver.locator("[data-copy]").all()
    )
    with running_receiver(tmp_path, program, command, service.url) as own_code:
        page.get_by_role("button", name="Send test message").click()
        assert own_code.line() == "verified message.status"
        page.get_by_role("link", name="Open the phone").click()
        chat = page.get_by_role("region", name="Conversation")
        chat.get_by_role("button", name="Yes", exact=True).last.click()
        while (line := own_code.line()) == "verified message.status":
            pass  # delivered and read, before the answer
        assert line == "verified guest.confirmed"


def is_signed_by(service: TestService, made: dict[str, str], headers: str, body: str) -> bool:
    """Whether the request that the page shows is what this account's webhook would accept."""
    account = TestAccount(service, made)
    given = dict(line.split(": ", 1) for line in headers.splitlines())
    answer = account.post(
        "/webhooks/verify", {"headers": given, "body": body, "secret": account.secret}
    )
    valid: bool = msgspec.json.decode(answer.content)["data"]["valid"]
    return valid
