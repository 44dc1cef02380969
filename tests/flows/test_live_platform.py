"""The whole of a live account against the simulated platform, over real HTTP both ways."""

from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import pytest

from tests.support.plain_http import NO_TLS
from tests.support.service import TestAccount, TestService
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually
from tidings_simulator.control.inbound_samples import NAMES

GUESTS = (f"97250{n:07}" for n in range(1, 1000))


@pytest.fixture(scope="module")
def account(live_service: TestService, live_platform: RunningSimulator) -> TestAccount:
    made = live_service.account(
        live_platform.numbers_toml, environment="live", replies="raw", billingMode="OFF"
    )
    eventually(lambda: made.get("/templates").json()["data"])
    return made


def received(account: TestAccount, platform_id: str) -> dict[str, Any]:
    def find() -> list[dict[str, Any]]:
        events = account.events("message.received")
        return [event["data"] for event in events if event["data"]["messageId"] == platform_id]

    eventually(find)
    return find()[0]


def test_every_template_of_the_platform_can_be_seen(account: TestAccount) -> None:
    found = {one["name"]: one for one in account.get("/templates?limit=200").json()["data"]}
    assert found["invite"]["variables"] == 2
    assert [button["text"] for button in found["invite"]["buttons"]] == ["Yes", "No"]
    assert (found["photo"]["header"], found["menu"]["header"]) == ("IMAGE", "DOCUMENT")
    assert [button["type"] for button in found["code"]["buttons"]] == ["COPY_CODE"]
    assert all(one["usable"] for one in found.values())


def test_the_limits_are_those_of_the_portfolio(account: TestAccount) -> None:
    (number,) = account.get("/limits").json()["data"]["numbers"]
    assert (number["tier"], number["perSecond"]) == ("TIER_100K", 80)


def test_a_message_is_read_and_its_guest_replies(
    account: TestAccount, live_platform: RunningSimulator
) -> None:
    guest = next(GUESTS)
    answer = account.send(
        clientMessageId="order-0001", to=guest, templateName="hello", templateParams=["Dana"]
    )
    assert answer.json()["data"]["status"] == "sent", answer.text
    eventually(lambda: account.status("order-0001")["status"] == "read")
    reply = received(account, live_platform.reply(guest, "Thank you"))
    assert (reply["from"], reply["text"], reply["clientMessageId"]) == (
        guest, "Thank you", "order-0001",
    )  # fmt: skip
    free = account.send(clientMessageId="order-0002", to=guest, message="You are welcome")
    assert free.json()["data"]["status"] == "sent", free.text


def test_a_photo_can_be_looked_at(
    account: TestAccount, live_platform: RunningSimulator, live_service: TestService
) -> None:
    id_ = live_platform.reply(next(GUESTS), media={"type": "image", "caption": "us"})
    parts = urlsplit(received(account, id_)["mediaUrl"])
    here = live_service.url + urlunsplit(("", "", parts.path, parts.query, ""))
    answer = httpx.get(here, timeout=60, verify=NO_TLS)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    assert answer.content[:2] == b"\xff\xd8"


def test_a_number_that_becomes_unhealthy_is_published(
    account: TestAccount, live_platform: RunningSimulator
) -> None:
    number = live_platform.number.number
    live_platform.control("POST", f"/numbers/{number}", {"quality": "RED", "status": "RESTRICTED"})
    eventually(lambda: account.events("sender.health"))
    current = account.events("sender.health")[-1]["data"]["current"]
    assert current == {"status": "RESTRICTED", "qualityRating": "RED"}
    live_platform.control("POST", f"/numbers/{number}", {"quality": "GREEN", "status": "CONNECTED"})
    eventually(lambda: account.get("/sender/health").json()["data"]["overall"] == "GREEN")


def test_a_guest_can_send_every_type_and_without_a_number(
    account: TestAccount, live_platform: RunningSimulator, live_service: TestService
) -> None:
    guest, hidden = next(GUESTS), next(GUESTS)
    live_platform.control("POST", f"/people/{hidden}", {"hidesNumber": True})
    sent = [live_platform.reply(guest, sample=name) for name in NAMES]
    nameless = live_platform.reply(hidden, "hello")
    query = "SELECT platform_id, phone, type FROM inbound WHERE account_id = $1"

    def kept() -> dict[str, str]:
        return {row["platform_id"]: row["phone"] for row in live_service.sql(query, account.id)}

    eventually(lambda: kept().keys() >= {*sent, nameless})
    assert {kept()[id_] for id_ in sent} == {guest}
    assert kept()[nameless] == ""
