"""Account state (2.12, endpoints 2 to 5): readiness, limits, sender health, templates; and the
sandbox's hand on a number's health."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx
import msgspec
import pytest

from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages import dispatch
from tidings.features.senders import health, shapes, store
from tidings.features.senders.meters import ACCOUNT, Meter
from tidings.features.senders.present import tier
from tidings.features.senders.purge import purge
from tidings.features.templates.shapes import Readiness, TemplateShape

SECOND, THIRD = "972555000002", "972555000003"
PORTFOLIO = f"""
[[accounts.numbers]]
number = "{NUMBER}"
displayName = "Acme"
portfolioId = "p1"
dailyLimit = 1000
[[accounts.numbers]]
number = "{SECOND}"
portfolioId = "p1"
dailyLimit = 2000
perSecond = 20
[[accounts.numbers]]
number = "{THIRD}"
dailyLimit = 250
"""
MANY = "".join(
    f"""
[[accounts.templates]]
name = "name{index}"
language = "{language}"
body = "Hi"
"""
    for index in range(3)
    for language in ("he", "en")
)


def number_toml(**fields):
    return section("numbers", {"number": NUMBER} | fields)


def template_toml(**fields):
    return section("templates", {"language": "en", "body": "Hi"} | fields)


def section(table, fields):
    return f"[[accounts.{table}]]\n" + "".join(f"{k} = {toml(v)}\n" for k, v in fields.items())


def toml(value):
    """A list is given as it is written."""
    return f'"{value}"' if isinstance(value, str) and value[0] != "[" else value


REPLIES = '[ { type = "QUICK_REPLY", text = "Yes" } ]'


def data(account: TestAccount, path: str):
    answer = account.get(path)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["success"], body["environment"]) == (True, "sandbox")
    return body["data"]


def require_refused(answer: httpx.Response, code: str, field: str | None = None) -> None:
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert (error["code"], error.get("field")) == (code, field), answer.text


def take(account: TestAccount, meter: str, count: int, hours_ago: float = 0) -> datetime:
    """Take places of a meter, as messages would; when it was, in the account's time."""
    service, account_id = account.service, UUID(str(account.id))

    async def work(tx):
        own = (await load_accounts(tx, [account_id]))[account_id]
        at = own.now(tx.now) - timedelta(hours=hours_ago)
        taken = Meter(None)
        for _ in range(count):
            taken.take(at)
        await store.save_meters(tx, {(account_id, meter): taken})
        return at

    return service.call(lambda: service.ctx.db.transact(work))


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


# GET /readiness


def test_an_account_with_an_approved_template_and_a_number_is_ready(account: TestAccount) -> None:
    assert data(account, "/readiness") == {
        "ready": True,
        "invitationTemplate": {
            "name": "invite", "language": "en", "status": "APPROVED", "ready": True,
        },
        "numbers": [{"number": NUMBER, "ready": True, "reason": None}],
    }  # fmt: skip


def test_readiness_has_the_shape_that_openapi_shows(account: TestAccount) -> None:
    msgspec.convert(data(account, "/readiness"), Readiness)


@pytest.mark.parametrize(
    ("templates", "default", "found"),
    [
        # the default, whatever else there is
        (
            template_toml(name="gala") + template_toml(name="a", buttons=REPLIES),
            "gala",
            ("gala", "en", "APPROVED", True),
        ),
        (template_toml(name="gala", status="PENDING"), "gala", ("gala", "en", "PENDING", False)),
        # an approved language version of it before others
        (
            template_toml(name="gala", status="REJECTED")
            + template_toml(name="gala", language="he"),
            "gala",
            ("gala", "he", "APPROVED", True),
        ),
        # without a default: one with reply buttons, even if another is approved
        (
            template_toml(name="a") + template_toml(name="b", status="PENDING", buttons=REPLIES),
            None,
            ("b", "en", "PENDING", False),
        ),
        (
            template_toml(name="b", status="PENDING", buttons=REPLIES)
            + template_toml(name="c", buttons=REPLIES),
            None,
            ("c", "en", "APPROVED", True),
        ),
        # without reply buttons: any but a passcode's
        (
            '[[accounts.templates]]\nname = "a"\ncategory = "AUTHENTICATION"\n'
            + template_toml(name="z"),
            None,
            ("z", "en", "APPROVED", True),
        ),
        (
            '[[accounts.templates]]\nname = "a"\ncategory = "AUTHENTICATION"\n',
            None,
            (None, None, None, False),
        ),
    ],
)
def test_the_invitation_template_is_the_default_or_the_best_there_is(
    service: TestService, templates: str, default: str | None, found: tuple[object, ...]
) -> None:
    account = service.account(templates, defaultTemplate=default)
    shown = data(account, "/readiness")["invitationTemplate"]
    assert tuple(shown.values()) == found
    assert list(shown) == ["name", "language", "status", "ready"]


def test_one_ready_number_is_enough_and_none_is_not(service: TestService) -> None:
    account = service.account(number_toml() + number_toml(number=SECOND))
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    shown = data(account, "/readiness")
    assert shown["ready"] is True
    assert [number["ready"] for number in shown["numbers"]] == [False, True]
    assert "RESTRICTED" in shown["numbers"][0]["reason"]
    account.post(f"/sandbox/v1/senders/{SECOND}", {"status": "RESTRICTED"})
    assert data(account, "/readiness")["ready"] is False


# GET /limits


def test_an_account_without_limits_has_nothing_to_count(account: TestAccount) -> None:
    assert data(account, "/limits") == {
        "resetsAt": None,
        "numbers": [
            {
                "number": NUMBER, "tier": "TIER_UNLIMITED", "dailyLimit": None,
                "used": None, "remaining": None, "perSecond": 80,
            }
        ],
        "total": {"dailyLimit": None, "used": None, "remaining": None},
        "account": {
            "dailyLimit": None, "used": None, "remaining": None, "requestsPerMinute": 1_000_000,
        },
    }  # fmt: skip


def test_numbers_of_one_portfolio_share_their_places_and_count_once(service: TestService) -> None:
    account = service.account(PORTFOLIO)
    take(account, "portfolio:p1", 3)
    take(account, f"number:{THIRD}", 2)
    shown = data(account, "/limits")
    msgspec.convert(shown, shapes.Capacities)
    rows = [tuple(number.values()) for number in shown["numbers"]]
    assert rows == [
        (NUMBER, "TIER_2K", 1000, 3, 997, 80),
        (SECOND, "TIER_2K", 1000, 3, 997, 20),
        (THIRD, "TIER_250", 250, 2, 248, 80),
    ]
    assert shown["total"] == {"dailyLimit": 1250, "used": 5, "remaining": 1245}


def test_a_number_without_a_limit_makes_the_total_one_without(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=10) + number_toml(number=SECOND))
    shown = data(account, "/limits")
    assert shown["total"] == {"dailyLimit": None, "used": None, "remaining": None}
    assert [number["remaining"] for number in shown["numbers"]] == [10, None]


def test_the_account_has_a_limit_of_its_own(service: TestService) -> None:
    account = service.account(dailyLimit=5, requestsPerMinute=70)
    take(account, ACCOUNT, 2)
    own = data(account, "/limits")["account"]
    assert own == {"dailyLimit": 5, "used": 2, "remaining": 3, "requestsPerMinute": 70}


def test_places_come_back_24_hours_after_they_were_taken(service: TestService) -> None:
    account = service.account(dailyLimit=5)
    take(account, ACCOUNT, 1, hours_ago=25)
    first = take(account, ACCOUNT, 2, hours_ago=23)
    second = take(account, ACCOUNT, 1)
    shown = data(account, "/limits")
    assert shown["account"]["used"] == 3
    assert abs(moment(shown["resetsAt"]) - first - timedelta(hours=24)) < timedelta(seconds=1)
    account.advance(hours=1, seconds=1)
    shown = data(account, "/limits")
    assert shown["account"]["used"] == 1
    assert abs(moment(shown["resetsAt"]) - second - timedelta(hours=24)) < timedelta(seconds=1)
    account.advance(hours=23)
    shown = data(account, "/limits")
    assert (shown["account"]["used"], shown["resetsAt"]) == (0, None)


def test_the_next_place_of_any_limit_is_the_one_named(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=9), dailyLimit=9)
    take(account, ACCOUNT, 1, hours_ago=2)
    oldest = take(account, f"number:{NUMBER}", 1, hours_ago=5)
    shown = data(account, "/limits")
    assert abs(moment(shown["resetsAt"]) - oldest - timedelta(hours=24)) < timedelta(seconds=1)


def test_more_used_than_a_lowered_limit_leaves_nothing(service: TestService) -> None:
    account = service.account(dailyLimit=2)
    take(account, ACCOUNT, 3)
    own = data(account, "/limits")["account"]
    assert (own["used"], own["remaining"]) == (3, 0)


def test_a_message_sent_takes_its_places(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=100), dailyLimit=50)
    for index in range(3):
        to = GUEST if index < 2 else "972509999999"
        answer = account.send(clientMessageId=f"order-000{index}", to=to, templateName="plain")
        assert answer.status_code == 200, answer.text
    shown = data(account, "/limits")
    assert shown["account"]["used"] == 3
    assert (shown["numbers"][0]["used"], shown["numbers"][0]["remaining"]) == (2, 98)
    assert datetime.now(UTC) < moment(shown["resetsAt"]) <= datetime.now(UTC) + timedelta(hours=24)


def test_accounts_do_not_see_each_others_use(service: TestService) -> None:
    mine, other = service.account(dailyLimit=5), service.account(dailyLimit=5)
    take(other, ACCOUNT, 4)
    assert data(mine, "/limits")["account"]["used"] == 0


@pytest.mark.parametrize(
    ("limit", "name"),
    [
        (0, "TIER_250"), (250, "TIER_250"), (251, "TIER_2K"), (2_000, "TIER_2K"),
        (2_001, "TIER_10K"), (10_000, "TIER_10K"), (10_001, "TIER_100K"),
        (100_000, "TIER_100K"), (100_001, "TIER_UNLIMITED"), (None, "TIER_UNLIMITED"),
    ],
)  # fmt: skip
def test_a_tier_is_the_first_rung_that_holds_the_limit(limit: int | None, name: str) -> None:
    assert tier(limit) == name


def test_what_no_limit_counts_any_more_is_purged(service: TestService) -> None:
    account = service.account(dailyLimit=5)
    take(account, ACCOUNT, 1, hours_ago=26)
    take(account, ACCOUNT, 1)
    account_id = UUID(str(account.id))

    async def work(tx):
        return await purge(tx, (await load_accounts(tx, [account_id])).values())

    assert service.call(lambda: service.ctx.db.transact(work)) == 1
    assert data(account, "/limits")["account"]["used"] == 1
    account.advance(hours=26)
    assert service.call(lambda: service.ctx.db.transact(work)) == 1


# GET /sender/health


def test_a_healthy_account(service: TestService) -> None:
    window = {"from": "08:00", "to": "21:00", "timezone": "Asia/Jerusalem"}
    account = service.account(
        number_toml(displayName="Acme", dailyLimit=10_000),
        dailyLimit=500,
        requestsPerMinute=70,
        sendWindow=window,
    )
    assert data(account, "/sender/health") == {
        "overall": "GREEN",
        "readyForSending": True,
        "aggregateCapacity": 10_000,
        "qualityRating": "GREEN",
        "numbers": [
            {
                "number": NUMBER, "displayName": "Acme", "status": "CONNECTED",
                "qualityRating": "GREEN", "tier": "TIER_10K", "readyForSending": True,
            }
        ],
        "fromApplication": {
            "dailyLimit": 500, "sendWindow": window, "requestsPerMinute": 70, "paused": False,
        },
    }  # fmt: skip


def test_capacity_counts_a_portfolio_once_and_no_limit_is_null(service: TestService) -> None:
    account = service.account(PORTFOLIO)
    shown = data(account, "/sender/health")
    msgspec.convert(shown, shapes.SenderHealth)
    assert shown["aggregateCapacity"] == 1250
    assert shown["fromApplication"]["sendWindow"] is None
    assert data(service.account(), "/sender/health")["aggregateCapacity"] is None


@pytest.mark.parametrize(
    ("changes", "overall", "quality", "ready"),
    [
        ({}, "GREEN", "GREEN", True),
        ({NUMBER: {"quality": "YELLOW"}}, "YELLOW", "YELLOW", True),
        ({NUMBER: {"quality": "RED"}}, "YELLOW", "RED", True),
        ({NUMBER: {"status": "RESTRICTED"}}, "YELLOW", "GREEN", True),
        ({NUMBER: {"quality": "RED"}, SECOND: {"status": "RESTRICTED"}}, "RED", "RED", True),
        (
            {NUMBER: {"status": "RESTRICTED"}, SECOND: {"status": "RESTRICTED"}},
            "RED", "GREEN", False,
        ),
    ],
)  # fmt: skip
def test_overall_says_whether_all_some_or_none_are_well(
    service: TestService, changes: dict, overall: str, quality: str, ready: bool
) -> None:
    account = service.account(number_toml() + number_toml(number=SECOND))
    for number, change in changes.items():
        answer = account.post(f"/sandbox/v1/senders/{number}", change)
        assert answer.status_code == 200, answer.text
    shown = data(account, "/sender/health")
    assert shown["overall"] == overall
    assert shown["qualityRating"] == quality
    assert shown["readyForSending"] is ready


def test_a_paused_account_is_not_ready_for_sending(service: TestService) -> None:
    shown = data(service.account(paused=True), "/sender/health")
    assert (shown["readyForSending"], shown["overall"]) == (False, "GREEN")
    assert shown["fromApplication"]["paused"] is True


# GET /templates


def test_a_template_is_shown_with_what_it_takes(service: TestService) -> None:
    account = service.account(
        """
[[accounts.templates]]
name = "invite"
language = "he"
category = "UTILITY"
status = "PAUSED"
header = "TEXT"
headerText = "Dear {{1}}"
body = "Hi {{1}}, join us on {{2}}"
footer = "Acme"
buttons = [
    { type = "QUICK_REPLY", text = "Yes" },
    { type = "URL", text = "Open", url = "https://x.example.com/r/{{1}}" },
]
[[accounts.templates]]
name = "photo"
header = "IMAGE"
body = "Hi"
"""
    )
    first, second = data(account, "/templates")
    assert first["reason"].startswith("it is PAUSED")
    del first["reason"]
    assert first == {
        "name": "invite",
        "language": "he",
        "status": "PAUSED",
        "category": "UTILITY",
        "variables": 4,
        "header": "TEXT",
        "headerText": "Dear {{1}}",
        "body": "Hi {{1}}, join us on {{2}}",
        "footer": "Acme",
        "buttons": [
            {"type": "QUICK_REPLY", "text": "Yes"},
            {"type": "URL", "text": "Open", "url": "https://x.example.com/r/{{1}}"},
        ],
        "usable": False,
    }
    assert second == {
        "name": "photo", "language": "en", "status": "APPROVED", "category": "UTILITY",
        "variables": 0, "header": "IMAGE", "body": "Hi", "buttons": [], "usable": True,
        "reason": None,
    }  # fmt: skip


def test_the_list_has_the_shape_that_openapi_shows(account: TestAccount) -> None:
    msgspec.convert(data(account, "/templates"), list[TemplateShape])


def test_templates_come_by_name_and_language_page_by_page(service: TestService) -> None:
    account = service.account(MANY)
    names, cursor, pages = [], None, 0
    while pages == 0 or cursor is not None:
        query = {"limit": 4} if cursor is None else {"limit": 4, "cursor": cursor}
        body = account.get("/templates", params=query).json()
        names += [(one["name"], one["language"]) for one in body["data"]]
        cursor, pages = body["nextCursor"], pages + 1
    assert pages == 2
    assert names == [(f"name{n}", lang) for n in range(3) for lang in ("en", "he")]


def test_a_page_that_ends_with_the_list_is_the_last(service: TestService) -> None:
    account = service.account(MANY)
    assert account.get("/templates?limit=6").json()["nextCursor"] is None
    assert account.get("/templates").json()["nextCursor"] is None


def test_the_longest_name_in_any_script_can_be_paged_over(service: TestService) -> None:
    names = ["ש" * 512, "ת" * 512]
    account = service.account("".join(template_toml(name=name) for name in names))
    first = account.get("/templates?limit=1").json()
    second = account.get("/templates", params={"limit": 1, "cursor": first["nextCursor"]}).json()
    assert [first["data"][0]["name"], second["data"][0]["name"]] == names


@pytest.mark.parametrize("limit", ["0", "201", "-1", "1.5", "x", "", "1e2"])
def test_a_limit_outside_1_to_200_is_refused(account: TestAccount, limit: str) -> None:
    require_refused(account.get(f"/templates?limit={limit}"), "VALIDATION_ERROR", "limit")


@pytest.mark.parametrize("cursor", ["", "x", "%F0%9F%98%80", "e30", "WzEsMl0", "a" * 5000])
def test_a_cursor_we_did_not_give_is_refused(account: TestAccount, cursor: str) -> None:
    require_refused(account.get(f"/templates?cursor={cursor}"), "VALIDATION_ERROR", "cursor")


def test_an_account_without_templates_lists_none(service: TestService) -> None:
    account = service.account('[[accounts.templates]]\nname = "one"\nbody = "Hi"\n')
    service.sql("DELETE FROM templates WHERE account_id = $1", account.id)
    assert account.get("/templates").json()["data"] == []


# POST /sandbox/v1/senders/{number}


def test_a_changed_quality_is_answered_and_told(account: TestAccount) -> None:
    answer = account.post(f"/sandbox/v1/senders/{NUMBER}", {"quality": "YELLOW"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {
        "number": NUMBER, "displayName": "", "status": "CONNECTED", "qualityRating": "YELLOW",
        "tier": "TIER_UNLIMITED", "readyForSending": True,
    }  # fmt: skip
    (event,) = account.events("sender.health")
    assert event["data"] == {
        "number": NUMBER,
        "previous": {"status": "CONNECTED", "qualityRating": "GREEN"},
        "current": {"status": "CONNECTED", "qualityRating": "YELLOW"},
    }


def test_what_is_so_already_is_not_told_again(account: TestAccount) -> None:
    for _ in range(2):
        body = {"quality": "RED", "status": "RESTRICTED"}
        assert account.post(f"/sandbox/v1/senders/{NUMBER}", body).status_code == 200
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    assert len(account.events("sender.health")) == 1


def test_many_reports_of_one_change_tell_it_once(account: TestAccount) -> None:
    async def report(tx):
        own = (await load_accounts(tx, [UUID(str(account.id))]))[UUID(str(account.id))]
        return await health.change_health(tx, own, NUMBER, quality="RED")

    async def many():
        db = account.service.ctx.db
        return await asyncio.gather(*(db.transact(report) for _ in range(8)))

    assert sorted(account.service.call(many)) == [False] * 7 + [True]
    assert len(account.events("sender.health")) == 1


def test_messages_wait_for_a_restricted_number_and_go_when_it_is_back(account: TestAccount) -> None:
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    answer = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert answer.status_code == 202, answer.text
    assert answer.json()["data"]["reason"] == "NUMBER_UNHEALTHY"
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "CONNECTED"})
    account.advance(seconds=1)
    assert account.status("order-0001")["status"] in ("sent", "delivered")


def test_the_queues_that_wait_for_a_number_are_those_of_dispatch() -> None:
    assert set(health.POOLS) == {dispatch.POOL, dispatch.PASSCODES}


@pytest.mark.parametrize("number", [SECOND, "x", "972555000001%00", "+972555000001"])
def test_a_number_of_nobody_or_of_another_is_refused(service: TestService, number: str) -> None:
    service.account(number_toml(number=SECOND))
    account = service.account()
    answer = account.post(f"/sandbox/v1/senders/{number}", {"quality": "RED"})
    require_refused(answer, "INVALID_SENDER", "number")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "quality"),
        ({"quality": "green"}, "quality"),
        ({"quality": None}, "quality"),
        ({"status": "BANNED"}, "status"),
        ({"status": 1}, "status"),
        ({"colour": "RED"}, "colour"),
    ],
)
def test_a_change_that_is_none_is_refused(account: TestAccount, body: dict, field: str) -> None:
    answer = account.post(f"/sandbox/v1/senders/{NUMBER}", body)
    require_refused(answer, "VALIDATION_ERROR", field)
    assert account.events("sender.health") == []


# All of them


@pytest.mark.parametrize("path", ["/readiness", "/limits", "/sender/health", "/templates"])
def test_they_need_a_key_and_are_only_read(account: TestAccount, path: str) -> None:
    assert account.service.http.get(f"/api/v1{path}").status_code == 401
    answer = account.service.http.post(f"/api/v1{path}", headers=account.headers)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_a_live_account_has_no_sandbox_control(service: TestService) -> None:
    live = service.account(
        number_toml(phoneNumberId="p-104", wabaId="w-1", accessToken="EAAG"), environment="live"
    )
    answer = live.post(f"/sandbox/v1/senders/{NUMBER}", {"quality": "RED"})
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "NOT_FOUND"
