"""GET /sender/health (2.12, endpoint 4), and the sandbox's hand on a number's health."""

import asyncio
from uuid import UUID

import msgspec
import pytest

from tests.support.accounts import PORTFOLIO, SECOND, data, number_toml, require_refused
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.send import dispatch
from tidings.features.senders import platform_feedback, responses

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
                "reason": None,
            }
        ],
        "fromApplication": {
            "dailyLimit": 500, "sendWindow": window, "requestsPerMinute": 70, "paused": False,
        },
    }  # fmt: skip


def test_capacity_counts_a_portfolio_once_and_no_limit_is_null(service: TestService) -> None:
    account = service.account(PORTFOLIO)
    shown = data(account, "/sender/health")
    msgspec.convert(shown, responses.SenderHealth)
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


def test_a_number_that_is_not_ready_says_why(account: TestAccount) -> None:
    answer = account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    (shown,) = data(account, "/sender/health")["numbers"]
    assert answer.json()["data"] == shown
    assert (shown["readyForSending"], "RESTRICTED" in shown["reason"]) == (False, True)
    assert data(account, "/readiness")["numbers"][0]["reason"] == shown["reason"]


def test_a_paused_account_is_not_ready_for_sending(service: TestService) -> None:
    shown = data(service.account(paused=True), "/sender/health")
    assert (shown["readyForSending"], shown["overall"]) == (False, "GREEN")
    assert shown["fromApplication"]["paused"] is True


# POST /sandbox/v1/senders/{number}


def test_a_changed_quality_is_answered_and_published(account: TestAccount) -> None:
    answer = account.post(f"/sandbox/v1/senders/{NUMBER}", {"quality": "YELLOW"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {
        "number": NUMBER, "displayName": "", "status": "CONNECTED", "qualityRating": "YELLOW",
        "tier": "TIER_UNLIMITED", "readyForSending": True, "reason": None,
    }  # fmt: skip
    (event,) = account.events("sender.health")
    assert event["data"] == {
        "number": NUMBER,
        "previous": {"status": "CONNECTED", "qualityRating": "GREEN"},
        "current": {"status": "CONNECTED", "qualityRating": "YELLOW"},
    }


def test_an_unchanged_state_is_not_reported_again(account: TestAccount) -> None:
    for _ in range(2):
        body = {"quality": "RED", "status": "RESTRICTED"}
        assert account.post(f"/sandbox/v1/senders/{NUMBER}", body).status_code == 200
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    assert len(account.events("sender.health")) == 1


def test_many_reports_of_one_change_tell_it_once(account: TestAccount) -> None:
    async def report(tx):
        own = (await load_accounts(tx, [UUID(str(account.id))]))[UUID(str(account.id))]
        return await platform_feedback.change_health(tx, own, NUMBER, quality="RED")

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
    assert set(platform_feedback.POOLS) == {dispatch.POOL, dispatch.PASSCODES}


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
