"""A number that the platform has not confirmed yet (contract2.md, section C; 2.12)."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.database import fresh_database
from tests.support.pages import Pages
from tests.support.platform import FakePlatform
from tests.support.service import GUEST, TestAccount, TestService, account_toml
from tests.support.waiting import eventually
from tidings.features.templates.lookup import configure
from tidings.features.templates.model import Template
from tidings.features.templates.sync import sync_account

TOKEN = "EAAG-secret-of-the-number"
_ids = iter(range(700_000, 900_000))


@pytest.fixture(scope="module")
def pages() -> Iterator[Pages]:
    with Pages() as served:
        yield served


@pytest.fixture(scope="module")
def service(pages: Pages, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    settings = {"TIDINGS_GRAPH_URL": pages.url}
    folder = tmp_path_factory.mktemp("data")
    platforms = {"live": FakePlatform()}
    with TestService(fresh_database(), folder, settings=settings, platforms=platforms) as running:
        yield running


class Shop:
    """A live account with one number, before the platform has said anything of it."""

    def __init__(self, service: TestService, pages: Pages) -> None:
        self.service, self.pages = service, pages
        self.id, self.waba = str(next(_ids)), str(next(_ids))
        self.account: TestAccount | None = None

    def apply(self) -> TestAccount:
        toml = account_toml(
            f'''
            [[accounts.numbers]]
            number = "9725550{self.id}"
            phoneNumberId = "{self.id}"
            wabaId = "{self.waba}"
            accessToken = "{TOKEN}"
            ''',
            environment="live",
            defaultTemplate="hello",
        )
        self.account = TestAccount(self.service, self.service.apply(toml)[0])
        return self.account

    def show(self, **number: Any) -> None:
        self.pages.list(f"{self.waba}/phone_numbers", [{"id": self.id, **number}], 2)
        self.pages.list(f"{self.waba}/message_templates", [], 2)

    def sync(self) -> None:
        ctx, account = self.service.ctx, self.account
        assert account is not None
        self.service.call(lambda: sync_account(ctx.db, ctx.graph, ctx.sealer, account.id))

    def number(self) -> dict[str, Any]:
        assert self.account is not None
        health = self.account.get("/sender/health").json()["data"]
        (number,) = health["numbers"]
        assert health["readyForSending"] is number["readyForSending"]
        (other,) = self.account.get("/readiness").json()["data"]["numbers"]
        assert (other["ready"], other["reason"]) == (number["readyForSending"], number["reason"])
        found: dict[str, Any] = number | {"overall": health["overall"]}
        return found


@pytest.fixture
def shop(service: TestService, pages: Pages) -> Shop:
    return Shop(service, pages)


def test_it_is_unknown_and_the_refusal_is_quoted(shop: Shop, pages: Pages) -> None:
    words = f"Malformed access token {TOKEN}"
    pages.refuse(f"{shop.waba}/phone_numbers", 190, message=words)
    shop.apply()
    shop.sync()
    number = shop.number()
    assert (number["status"], number["readyForSending"]) == ("UNKNOWN", False)
    assert (number["qualityRating"], number["overall"]) == ("UNKNOWN", "UNKNOWN")
    assert "Malformed access token …" in number["reason"]
    assert "190" in number["reason"]
    assert TOKEN not in number["reason"], "a token is not shown again"


def test_a_number_the_platform_does_not_know_is_not_confirmed(shop: Shop, pages: Pages) -> None:
    words = f"Unsupported get request. Object with ID '{shop.id}' does not exist"
    pages.list(f"{shop.waba}/phone_numbers", [], 2)
    pages.list(f"{shop.waba}/message_templates", [], 2)
    pages.refuse(shop.id, 100, message=words, error_subcode=33)
    shop.apply()
    shop.sync()
    number = shop.number()
    assert (number["status"], number["readyForSending"]) == ("UNKNOWN", False)
    assert words in number["reason"]


def test_once_the_platform_lists_it_it_is_what_the_platform_says(shop: Shop, pages: Pages) -> None:
    pages.refuse(f"{shop.waba}/phone_numbers", 190, message="Session has expired")
    account = shop.apply()
    shop.sync()
    assert "Session has expired" in shop.number()["reason"]
    shop.show(status="CONNECTED", quality_rating="GREEN")
    shop.sync()
    number = shop.number()
    assert (number["status"], number["readyForSending"], number["reason"]) == (
        "CONNECTED", True, None,
    )  # fmt: skip
    assert account.events("sender.health") == [], "that it is well is no news"
    pages.refuse(f"{shop.waba}/phone_numbers", 190, message="Session has expired")
    shop.sync()
    assert shop.number()["status"] == "CONNECTED", "what was confirmed stays so"


def test_an_answer_without_a_status_confirms_it_too(shop: Shop) -> None:
    shop.show(verified_name="Acme")
    shop.apply()
    shop.sync()
    assert shop.number()["status"] == "CONNECTED"


def test_a_first_word_that_is_bad_is_reported(shop: Shop) -> None:
    shop.show(status="BANNED", quality_rating="RED")
    account = shop.apply()
    shop.sync()
    (event,) = account.events("sender.health")
    assert event["data"]["previous"] == {"status": "UNKNOWN", "qualityRating": "UNKNOWN"}
    assert event["data"]["current"] == {"status": "BANNED", "qualityRating": "RED"}
    assert "BANNED" in shop.number()["reason"]


def test_the_platform_confirms_it_by_taking_a_message(shop: Shop, pages: Pages) -> None:
    """A token may send and not be allowed to list; nothing that could leave is kept back."""
    pages.refuse(f"{shop.waba}/phone_numbers", 200, message="Permissions error")
    account = shop.apply()
    shop.sync()
    assert shop.number()["status"] == "UNKNOWN"
    plain = Template("plain", "en", "UTILITY", "APPROVED", body="Hi")
    account.service.transact(lambda tx: configure(tx, account_id=account.id, templates=[plain]))
    sent = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert (sent.status_code, sent.json()["data"]["status"]) == (200, "sent"), sent.text
    eventually(lambda: shop.number()["status"] == "CONNECTED")
    assert shop.number()["reason"] is None
