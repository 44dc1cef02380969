"""The pictures of the portal in docs/images. Makes them anew:

.venv/bin/python -m pytest tests/browser/pictures.py
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support.demo_world import DemoWorld
from tests.support.receiver import Receiver
from tests.support.service import GUEST, TestAccount, TestService

IMAGES = Path(__file__).parents[2] / "docs" / "images"
DESKTOP = {"width": 1280, "height": 760}
PHONE = {"width": 390, "height": 800}
EVENT = {
    "eventId": "garden-party", "eventDate": "2036-06-01T18:00:00Z",
    "texts": {"invalidReply": "Please answer yes or no.", "nudge": "Are you coming?",
              "expired": "Thank you, the list is closed."},
}  # fmt: skip
REPLIES = [
    "Yes, 2 of us", "Of course!", "Sorry, we cannot come", "yes", "We will be 4", "No, thank you",
    "Is there parking?", "Yes, with the kids, 5", "yes!", "כן, נגיע שלושה", "No",
]  # fmt: skip


@pytest.fixture(scope="module")
def party(service: TestService) -> Iterator[TestAccount]:
    """Two days of answers to an invitation, and a server that takes the events."""
    with Receiver() as receiver:
        account = service.account(name="garden-hotel", webhookUrl=receiver.url)
        assert account.post("/events", EVENT | {"callbackUrl": receiver.url}).status_code == 201
        guests = [str(int(GUEST) + index) for index in range(len(REPLIES) + 3)]
        for guest in guests:
            account.send(
                clientMessageId=f"invite-{guest}", to=guest, templateName="invite",
                templateParams=["Dana", "1 June"], kind="invitation", eventId="garden-party",
            )  # fmt: skip
        for hours, (guest, text) in enumerate(zip(guests, REPLIES, strict=False)):
            account.advance(hours=1 + hours % 4)
            account.reply(guest, text)
        receiver.wait_for(len(REPLIES))
        yield account


def take(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"portal-{name}.png")


def test_pictures_of_a_party(open_as: Open, party: TestAccount) -> None:
    light = open_as(party, path=f"/phone?number={GUEST}", viewport=DESKTOP)
    expect(light.locator("html[data-stream=open]")).to_be_attached()
    take(light, "phone")
    dark = open_as(party, path="/events/garden-party", viewport=DESKTOP, color_scheme="dark")
    take(dark, "event")
    light.goto("/portal/webhooks")
    light.locator("#charts").evaluate("e => e.scrollIntoView()")
    take(light, "webhooks")
    hebrew = open_as(party, path="/messages", viewport=PHONE, locale="he")
    take(hebrew, "hebrew")


def test_pictures_of_the_demo(open_as: Open, demo_world: DemoWorld) -> None:
    page = open_as(demo_world.demo, path="/", viewport=DESKTOP)
    take(page, "start")
    page.goto(f"/portal/batches/new/{demo_world.params['draft']}/check")
    take(page, "batch")
