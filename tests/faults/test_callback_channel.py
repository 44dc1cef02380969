"""A live platform that does not answer: silence means something only while callbacks reach us."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import callbacks as payload
from tests.support.callbacks import APP_SECRET
from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.platform import FakePlatform, say_nothing
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.waiting import settle

_ids = iter(range(400_000, 900_000))
_cids = (f"order-{n:06}" for n in range(1, 1000))


@pytest.fixture(scope="module")
def platform() -> FakePlatform:
    made = FakePlatform()
    made.behave["972509999999"] = say_nothing
    return made


@pytest.fixture(scope="module")
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="module")
def service(
    platform: FakePlatform, clock: ManualClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    settings = {"TIDINGS_APP_SECRET": APP_SECRET, "TIDINGS_GRAPH_URL": "http://127.0.0.1:9"}
    folder = tmp_path_factory.mktemp("data")
    with TestService(
        fresh_database(), folder, clock=clock, settings=settings, platforms={"live": platform}
    ) as running:
        yield running


class Shop:
    def __init__(self, service: TestService, clock: ManualClock) -> None:
        self.service, self.clock = service, clock
        self.phone_number_id = str(next(_ids))
        self.account: TestAccount = service.account(
            f"""
            [[accounts.numbers]]
            number = "{NUMBER}"
            phoneNumberId = "{self.phone_number_id}"
            wabaId = "{next(_ids)}"
            accessToken = "token"
            """,
            environment="live",
            billingMode="OFF",
        )
        service.sql(
            """
            INSERT INTO templates (account_id, name, language, category, status, body)
            VALUES ($1, 'plain', 'en', 'UTILITY', 'APPROVED', 'Good morning')
            """,
            self.account.id,
        )

    def send(self, to: str) -> tuple[str, dict[str, Any]]:
        cid = next(_cids)
        answer = self.account.send(clientMessageId=cid, to=to, templateName="plain")
        assert answer.status_code in (200, 202), answer.text
        return cid, answer.json()["data"]

    def call_back(self, platform_id: str, kind: str = "delivered", **more: Any) -> None:
        at = int(self.clock.now().timestamp())
        change = payload.change(
            statuses=[payload.status(kind, platform_id, at=at, **more)], number=self.phone_number_id
        )
        data = payload.raw(payload.body(change))
        answer = self.service.http.post(
            "/platform/whatsapp/webhook", content=data, headers=payload.signed(data)
        )
        assert answer.status_code == 200

    def settled(self, cid: str) -> str:
        """The status, when the workers have done what is due."""
        settle(self.account)
        return str(self.account.status(cid)["status"])


@pytest.fixture
def shop(service: TestService, clock: ManualClock) -> Shop:
    return Shop(service, clock)


def test_with_callbacks_coming_two_minutes_of_silence_are_an_answer(shop: Shop) -> None:
    _, sent = shop.send("972501111111")
    cid, unknown = shop.send("972509999999")
    assert unknown["status"] == "sending"
    shop.call_back(sent["messageId"])
    shop.clock.advance(seconds=119)
    assert shop.settled(cid) == "sending"
    shop.clock.advance(seconds=2)
    assert shop.settled(cid) == "failed"
    assert shop.account.status(cid)["error"]["code"] == "UNKNOWN_OUTCOME"


def test_with_no_callback_ever_nothing_is_decided_for_a_day(shop: Shop) -> None:
    cid, _ = shop.send("972509999999")
    shop.clock.advance(seconds=200)
    assert shop.settled(cid) == "sending"
    shop.clock.advance(hours=23)
    assert shop.settled(cid) == "sending"
    shop.clock.advance(hours=1)
    assert shop.settled(cid) == "failed"


def test_a_callback_that_comes_later_makes_the_silence_before_it_mean_something(
    shop: Shop,
) -> None:
    cid, _ = shop.send("972509999999")
    shop.clock.advance(hours=1)
    assert shop.settled(cid) == "sending"
    _, sent = shop.send("972501111112")
    shop.call_back(sent["messageId"], "read")
    shop.clock.advance(minutes=1)
    assert shop.settled(cid) == "failed"


def test_another_accounts_callbacks_prove_nothing(
    shop: Shop, service: TestService, clock: ManualClock
) -> None:
    cid, _ = shop.send("972509999999")
    other = Shop(service, clock)
    _, sent = other.send("972501111113")
    other.call_back(sent["messageId"])
    shop.clock.advance(seconds=130)
    assert shop.settled(cid) == "sending"


def test_a_callback_with_our_id_settles_it(shop: Shop) -> None:
    cid, _ = shop.send("972509999999")
    (row,) = shop.service.sql("SELECT id FROM messages WHERE account_id = $1", shop.account.id)
    shop.call_back("wamid.now-known", biz_opaque_callback_data=f"{row['id'].hex}.1")
    assert shop.settled(cid) == "delivered"
    assert shop.account.status(cid)["messageId"] == "wamid.now-known"


def test_signs_of_life_are_written_down_every_few_seconds_at_most(shop: Shop) -> None:
    query = "SELECT last_at, xmin::text FROM callback_channels WHERE account_id = $1"
    _, sent = shop.send("972501111114")
    for kind in ("sent", "delivered", "read"):
        shop.call_back(sent["messageId"], kind)
    (first,) = shop.service.sql(query, shop.account.id)
    shop.call_back(sent["messageId"], "read")
    assert shop.service.sql(query, shop.account.id) == [first]
    shop.clock.advance(seconds=6)
    shop.call_back(sent["messageId"], "read")
    (later,) = shop.service.sql(query, shop.account.id)
    assert later["last_at"] == shop.clock.now()
