"""Released reservations of a rolling day: waiting messages move up into them, black box."""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.batches import cancel, submit
from tests.support.capacity import (
    DAY,
    MINUTE,
    cid,
    guest,
    limits,
    now,
    number_toml,
    send,
    sent_at,
    timestamp,
)
from tests.support.service import TestAccount, TestService, require_sound

OF_NUMBER: dict[str, Any] = {"toml": number_toml(dailyLimit=2)}
OF_ACCOUNT: dict[str, Any] = {"dailyLimit": 2}
SLACK = timedelta(seconds=1)


def batch(account: TestAccount, *indexes: int) -> str:
    items = [
        {"clientMessageId": cid(index), "to": guest(index), "templateName": "plain"}
        for index in indexes
    ]
    taken = submit(account, items)
    assert len(taken["accepted"]) == len(indexes)
    batch_id: str = taken["batchId"]
    return batch_id


def retry_at(account: TestAccount, index: int) -> datetime:
    return timestamp(account.status(cid(index))["retryAt"])


def made(service: TestService, limit: dict[str, Any]) -> TestAccount:
    return service.account(limit.get("toml", ""), **{k: v for k, v in limit.items() if k != "toml"})


@pytest.mark.parametrize("limit", [OF_NUMBER, OF_ACCOUNT], ids=["number", "account"])
def test_who_stands_behind_a_cancelled_batch_moves_up(
    service: TestService, limit: dict[str, Any]
) -> None:
    account = made(service, limit)
    batch(account, 0, 1)
    account.advance(seconds=10)
    began = now(account)
    first = batch(account, 2, 3)
    batch(account, 4, 5)
    batch(account, 6, 7)
    account.advance(seconds=1)
    assert retry_at(account, 4) > began + 2 * DAY - MINUTE
    assert cancel(account, first)["cancelled"] == 2
    account.advance(seconds=10)
    assert abs(retry_at(account, 4) - began - DAY) < 2 * MINUTE
    assert abs(retry_at(account, 6) - began - 2 * DAY) < 4 * MINUTE
    account.advance(hours=24, minutes=3)
    assert account.status(cid(4))["status"] == account.status(cid(5))["status"] == "read"
    account.advance(hours=24, minutes=3)
    assert account.status(cid(6))["status"] == account.status(cid(7))["status"] == "read"
    account.advance(hours=24, minutes=3)
    assert limits(account)["account"]["used"] in (0, None)
    assert limits(account)["numbers"][0]["used"] in (0, None), "no place is lost"


@pytest.mark.parametrize("limit", [OF_NUMBER, OF_ACCOUNT], ids=["number", "account"])
def test_so_does_who_stands_behind_one_that_expires(
    service: TestService, limit: dict[str, Any]
) -> None:
    account = made(service, limit)
    send(account, 0), send(account, 1)
    soon = (now(account) + timedelta(hours=1)).isoformat()
    send(account, 2, deadline=soon), send(account, 3, deadline=soon)
    began = now(account)
    assert timestamp(send(account, 4)["retryAt"]) > began + 2 * DAY - MINUTE
    account.advance(hours=2)
    assert account.status(cid(2))["status"] == "expired"
    assert retry_at(account, 4) < began + DAY + 2 * MINUTE
    account.advance(hours=23)
    assert account.status(cid(4))["status"] == "read"


@pytest.mark.parametrize("limit", [OF_NUMBER, OF_ACCOUNT], ids=["number", "account"])
def test_what_the_platform_refuses_reserves_no_quota(
    service: TestService, limit: dict[str, Any]
) -> None:
    account = made(service, limit)
    for index in range(5):
        assert send(account, index, to=f"9725000{index}9013")["status"] == "failed"
    assert send(account, 6)["status"] == send(account, 7)["status"] == "sent"
    assert send(account, 8)["status"] == "deferred"


def test_never_more_is_said_to_be_used_than_there_is(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=2), dailyLimit=2)
    for index in range(5):
        send(account, index)
    for _ in range(40):
        shown = limits(account)
        assert shown["account"]["used"] <= 2 and shown["numbers"][0]["used"] <= 2
        left = timestamp(shown["resetsAt"]) - now(account)
        account.advance(seconds=max(left.total_seconds() // 2, 1))


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_cancelled_the_limits_hold_and_no_reservation_is_lost(
    service: TestService, seed: int
) -> None:
    chance = random.Random(seed)
    account = service.account(number_toml(dailyLimit=3), dailyLimit=4)
    batches = []
    for step in range(14):
        indexes = [step * 3 + n for n in range(chance.randint(1, 3))]
        batches.append(batch(account, *indexes))
        account.advance(minutes=chance.choice([1, 30, 400]))
        if chance.random() < 0.6:
            cancel(account, batches.pop(chance.randrange(len(batches))))
    account.advance(days=20)
    sent = [
        sent_at(account, step * 3 + n)
        for step in range(14)
        for n in range(3)
        if _has_gone(account, step * 3 + n)
    ]
    times = sorted(sent)
    for first, fourth in zip(times, times[3:], strict=False):
        assert fourth - first >= DAY - SLACK, "four new people within 24 hours"
    shown = limits(account)
    assert (shown["account"]["used"], shown["numbers"][0]["used"]) == (0, 0)
    require_sound(service)


def _has_gone(account: TestAccount, index: int) -> bool:
    answer = account.get(f"/messages/{cid(index)}")
    return answer.status_code == 200 and answer.json()["data"]["status"] == "read"
