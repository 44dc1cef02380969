"""Numbers and templates of live accounts, read at the platform: what changes, and what does not."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from aiohttp import web

from tests.support import callbacks as payload
from tests.support.callbacks import APP_SECRET
from tests.support.database import fresh_database
from tests.support.pages import Pages
from tests.support.service import TestAccount, TestService
from tidings.features.senders import sync as senders
from tidings.features.templates.sync import Synced, sync_account

TOKEN = "token-of-the-number"
_ids = iter(range(300_000, 900_000))

HELLO = {
    "id": "1", "name": "hello", "language": "en", "status": "APPROVED", "category": "UTILITY",
    "components": [{"type": "BODY", "text": "Hello {{1}}"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def pages() -> Iterator[Pages]:
    with Pages() as served:
        yield served


@pytest.fixture(scope="module")
def service(pages: Pages, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    settings = {"TIDINGS_APP_SECRET": APP_SECRET, "TIDINGS_GRAPH_URL": pages.url}
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, settings=settings) as running:
        yield running


class Shop:
    """A live account and what the platform has of it."""

    def __init__(self, service: TestService, pages: Pages, *, numbers: int = 1, **fields: Any):
        self.service, self.pages = service, pages
        self.waba = str(next(_ids))
        self.ids = [str(next(_ids)) for _ in range(numbers)]
        self.numbers = [f"9725550{id_}" for id_ in self.ids]
        self.listed = [self.number(id_) for id_ in self.ids]
        self.templates: list[Any] = [HELLO]
        self.show()
        self.fields = fields
        self.account: TestAccount = self.apply()

    def number(self, id_: str, **more: Any) -> dict[str, Any]:
        found = {
            "id": id_, "verified_name": "Acme", "status": "CONNECTED", "quality_rating": "GREEN",
            "throughput": {"level": "STANDARD"},
            "whatsapp_business_manager_messaging_limit": "TIER_2K",
        }  # fmt: skip
        return found | more

    def show(self) -> None:
        self.pages.list(f"{self.waba}/phone_numbers", self.listed, 2)
        self.pages.list(f"{self.waba}/message_templates", self.templates, 2)

    def apply(self) -> TestAccount:
        declared = "".join(
            f"""
            [[accounts.numbers]]
            number = "{number}"
            phoneNumberId = "{id_}"
            wabaId = "{self.waba}"
            accessToken = "{TOKEN}"
            """
            + "".join(f"{key} = {value}\n" for key, value in self.fields.items())
            for number, id_ in zip(self.numbers, self.ids, strict=True)
        )
        return self.service.account(declared, environment="live", name=f"shop-{self.waba}")

    def sync(self) -> Synced:
        ctx = self.service.ctx
        found = self.service.call(
            lambda: sync_account(ctx.db, ctx.graph, ctx.sealer, self.account.id)
        )
        assert found is not None
        return found

    def version(self) -> Any:
        return self.service.sql(
            "SELECT * FROM account_versions WHERE account_id = $1", self.account.id
        )

    def health(self) -> dict[str, Any]:
        data: dict[str, Any] = self.account.get("/sender/health").json()["data"]
        return data

    def names(self) -> list[str]:
        return [one["name"] for one in self.account.get("/templates").json()["data"]]

    def callback(self, field: str, **value: Any) -> None:
        data = payload.raw(payload.body(payload.news(field, **value), waba=self.waba))
        answer = self.service.http.post(
            "/platform/whatsapp/webhook", content=data, headers=payload.signed(data)
        )
        assert answer.status_code == 200


def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)


@pytest.fixture
def shop(service: TestService, pages: Pages) -> Shop:
    made = Shop(service, pages)
    until(lambda: made.names() == ["hello"])
    return made


def test_an_account_is_read_when_it_is_applied(shop: Shop) -> None:
    assert shop.account.get("/templates").json()["data"][0]["variables"] == 1
    (number,) = shop.account.get("/limits").json()["data"]["numbers"]
    assert (number["tier"], number["dailyLimit"], number["perSecond"]) == ("TIER_2K", 2000, 80)
    assert shop.health()["numbers"][0]["displayName"] == "Acme"


def test_the_next_sync_is_in_about_five_minutes(shop: Shop) -> None:
    until(lambda: len(_jobs(shop)) == 1)
    (job,) = _jobs(shop)
    wait = job["due_at"] - shop.service.clock.now()
    assert timedelta(minutes=3.8) < wait < timedelta(minutes=6.1)


def _jobs(shop: Shop) -> list[dict[str, Any]]:
    query = "SELECT due_at FROM jobs WHERE account_id = $1 AND kind = $2 AND NOT leased"
    return shop.service.sql(query, shop.account.id, senders.SYNC)


def test_a_lost_sync_job_is_enqueued_again(shop: Shop) -> None:
    until(lambda: len(_jobs(shop)) == 1)
    shop.service.sql("DELETE FROM jobs WHERE account_id = $1", shop.account.id)
    shop.service.call(lambda: shop.service.ctx.db.transact(senders.put_missing))
    assert len(_jobs(shop)) == 1


def test_a_sync_that_keeps_crashing_workers_runs_again_and_leaves_no_dead_letter(
    shop: Shop,
) -> None:
    until(lambda: len(_jobs(shop)) == 1)
    query = """
        UPDATE jobs SET crashes = 3, due_at = now() WHERE account_id = $1 AND kind = $2
        RETURNING generation
    """
    shop.service.sql(query, shop.account.id, senders.SYNC)
    soon = shop.service.clock.now() + timedelta(minutes=3.8)
    until(lambda: [job["due_at"] > soon for job in _jobs(shop)] == [True])
    shop.service.call(lambda: shop.service.ctx.db.transact(senders.put_missing))
    assert len(_jobs(shop)) == 1, "the next run in five minutes, and none dead-lettered"


def test_reading_again_changes_nothing(shop: Shop) -> None:
    before, events = shop.version(), shop.account.events()
    assert shop.sync() == Synced(shop.sync().account)
    assert (shop.version(), shop.account.events()) == (before, events)


def test_a_change_of_quality_and_status_is_published(shop: Shop) -> None:
    shop.listed[0] |= {"quality_rating": "RED", "status": "FLAGGED"}
    assert shop.sync().numbers == 1
    (event,) = shop.account.events("sender.health")
    assert event["data"] == {
        "number": shop.numbers[0],
        "previous": {"status": "CONNECTED", "qualityRating": "GREEN"},
        "current": {"status": "FLAGGED", "qualityRating": "RED"},
    }
    assert shop.health()["readyForSending"] is False


def test_the_smaller_limit_holds(service: TestService, pages: Pages) -> None:
    careful = Shop(service, pages, dailyLimit=500, perSecond=5)
    bold = Shop(service, pages, dailyLimit=50_000, perSecond=500)
    for shop, limit, rate in ((careful, 500, 5), (bold, 2000, 80)):
        until(lambda shop=shop: shop.names() == ["hello"])
        (number,) = shop.account.get("/limits").json()["data"]["numbers"]
        assert (number["dailyLimit"], number["perSecond"]) == (limit, rate)


def test_no_limit_at_either_side_is_none(shop: Shop) -> None:
    shop.listed[0] |= {"whatsapp_business_manager_messaging_limit": "TIER_UNLIMITED"}
    shop.sync()
    limits = shop.account.get("/limits").json()["data"]
    assert limits["numbers"][0]["dailyLimit"] is None
    assert limits["numbers"][0]["tier"] == "TIER_UNLIMITED"


def test_numbers_of_one_portfolio_share_its_limit(service: TestService, pages: Pages) -> None:
    shop = Shop(service, pages, numbers=3)
    until(lambda: shop.names() == ["hello"])
    assert shop.health()["aggregateCapacity"] == 2000
    assert shop.account.get("/limits").json()["data"]["total"]["dailyLimit"] == 2000


def test_all_pages_are_read_and_what_is_gone_there_is_gone_here(shop: Shop) -> None:
    shop.templates[:] = [HELLO | {"name": f"t{n}"} for n in range(7)]
    assert shop.sync().templates is True
    assert shop.names() == [f"t{n}" for n in range(7)]
    shop.templates[:] = shop.templates[:1]
    shop.sync()
    assert shop.names() == ["t0"]


def test_a_platform_that_fails_leaves_what_we_know(shop: Shop, pages: Pages) -> None:
    before, events, known = shop.version(), shop.account.events(), shop.health()
    path = f"{shop.waba}/message_templates"
    for code, status in ((190, 401), (80007, 400), (2, 503), (100, 400)):
        pages.refuse(path, code, status, message="Session has expired")
        assert shop.sync().problem is not None
    for found in ({"data": 7}, {}, {"paging": {}}):
        pages.show(path, found)
        assert shop.sync().problem is not None
    pages.answer(path, _html)
    assert shop.sync().problem is not None
    pages.refuse(f"{shop.waba}/phone_numbers", 190, 401)
    assert shop.sync().problem is not None
    assert (shop.version(), shop.account.events()) == (before, events)
    assert (shop.health(), shop.names()) == (known, ["hello"])


async def _html(_request: web.Request) -> web.StreamResponse:
    return web.Response(status=502, text="<html>bad gateway", content_type="text/html")


def test_a_list_that_does_not_end_is_no_list(shop: Shop, pages: Pages) -> None:
    async def again(request: web.Request) -> web.StreamResponse:
        after = str(int(request.query.get("after", "0")) + 1)
        paging = {"cursors": {"after": after}, "next": f"{pages.url}/x?after={after}"}
        return web.json_response({"data": [], "paging": paging})

    pages.answer(f"{shop.waba}/message_templates", again)
    assert shop.sync().problem == "the list has too many pages"
    assert shop.names() == ["hello"]


def test_numbers_are_kept_where_only_templates_fail(shop: Shop, pages: Pages) -> None:
    shop.listed[0] |= {"quality_rating": "YELLOW"}
    pages.refuse(f"{shop.waba}/message_templates", 80007)
    found = shop.sync()
    assert (found.numbers, found.problem is not None) == (1, True)
    assert shop.health()["qualityRating"] == "YELLOW"


def test_an_older_platform_is_asked_for_less(shop: Shop, pages: Pages) -> None:
    async def strict(request: web.Request) -> web.StreamResponse:
        if "throughput" in request.query["fields"]:
            words = {"code": 100, "message": "(#100) Tried accessing nonexisting field"}
            return web.json_response({"error": words}, status=400)
        found = {"id": shop.ids[0], "status": "CONNECTED", "quality_rating": "YELLOW"}
        return web.json_response({"data": [found]})

    pages.answer(f"{shop.waba}/phone_numbers", strict)
    assert shop.sync().problem is None
    assert shop.health()["qualityRating"] == "YELLOW"
    assert shop.account.get("/limits").json()["data"]["numbers"][0]["dailyLimit"] == 2000


def test_a_number_that_the_list_lacks_is_asked_for_itself(shop: Shop, pages: Pages) -> None:
    found = shop.listed.pop()
    pages.show(shop.ids[0], found | {"quality_rating": "YELLOW"})
    shop.sync()
    assert shop.health()["qualityRating"] == "YELLOW"


def test_a_number_the_platform_does_not_know_sends_nothing(shop: Shop, pages: Pages) -> None:
    shop.listed.clear()
    pages.forget(shop.ids[0])
    shop.sync()
    assert shop.health()["numbers"][0]["status"] == "MISSING"
    assert shop.health()["readyForSending"] is False


def test_every_number_is_read_with_its_own_token(shop: Shop, pages: Pages) -> None:
    assert set(pages.tokens) <= {f"Bearer {TOKEN}"}


# By callback


def test_a_templates_new_status_holds_at_once_and_is_read_soon(shop: Shop) -> None:
    shop.templates[0] = HELLO | {"status": "PAUSED"}
    shop.callback(
        "message_template_status_update", event="DISABLED", message_template_id=1,
        message_template_name="hello", message_template_language="en",
    )  # fmt: skip
    (found,) = shop.account.get("/templates").json()["data"]
    assert (found["status"], found["usable"]) == ("DISABLED", False)
    until(lambda: shop.account.get("/templates").json()["data"][0]["status"] == "PAUSED")


def test_a_new_category_holds_at_once(shop: Shop) -> None:
    shop.callback(
        "template_category_update", new_category="MARKETING",
        message_template_name="hello", message_template_language="en",
    )  # fmt: skip
    (found,) = shop.account.get("/templates").json()["data"]
    assert found["category"] == "MARKETING"


def test_a_new_template_comes_soon(shop: Shop) -> None:
    shop.templates.append(HELLO | {"name": "news"})
    shop.callback(
        "message_template_status_update", event="APPROVED",
        message_template_name="news", message_template_language="en",
    )  # fmt: skip
    until(lambda: shop.names() == ["hello", "news"])


def test_a_raised_limit_holds_at_once(shop: Shop) -> None:
    shop.listed[0] |= {"whatsapp_business_manager_messaging_limit": "TIER_10K"}
    shop.callback("business_capability_update", max_daily_conversations_per_business=10_000)
    assert shop.account.get("/limits").json()["data"]["numbers"][0]["dailyLimit"] == 10_000


def test_a_banned_account_sends_nothing_at_once(shop: Shop) -> None:
    shop.callback("account_update", event="DISABLED_UPDATE", ban_info={"waba_ban_state": "DISABLE"})
    assert shop.health()["numbers"][0]["status"] == "BANNED"
    (event,) = shop.account.events("sender.health")
    assert event["data"]["current"]["status"] == "BANNED"
    until(lambda: shop.health()["numbers"][0]["status"] == "CONNECTED")


def test_news_of_strangers_change_nothing(shop: Shop) -> None:
    before = shop.version()
    data = payload.raw(
        payload.body(payload.news("account_update", event="ACCOUNT_DELETED"), waba="1")
    )
    answer = shop.service.http.post(
        "/platform/whatsapp/webhook", content=data, headers=payload.signed(data)
    )
    assert answer.status_code == 200
    assert shop.version() == before


def test_templates_of_the_file_are_not_those_of_a_live_account(shop: Shop) -> None:
    """`account_toml` declares three; the platform's one is what counts."""
    shop.apply()
    assert shop.names() == ["hello"]


def test_every_live_account_is_read_at_start(shop: Shop) -> None:
    shop.templates.append(HELLO | {"name": "news"})
    service = shop.service
    settings = {"TIDINGS_GRAPH_URL": shop.pages.url}
    with TestService(service._dsn, service.settings.data, settings=settings):
        until(lambda: shop.names() == ["hello", "news"])
