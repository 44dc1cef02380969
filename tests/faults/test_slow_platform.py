"""A platform that takes its time: nobody else waits, and what it answers at last is not lost."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from tests.support.database import fresh_database
from tests.support.platform import FakePlatform, recipients
from tests.support.service import TestAccount, TestService
from tidings.doctor import check

CID = "order-0001"


@pytest.fixture(scope="module")
def service(scripted_service: TestService) -> TestService:
    return scripted_service


def together(*works: Callable[[], httpx.Response]) -> list[httpx.Response]:
    answers: dict[int, httpx.Response] = {}

    def run(index: int) -> None:
        answers[index] = works[index]()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(works))]
    for thread in threads:
        thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join(30)
    return [answers[index] for index in range(len(works))]


def test_a_repeat_during_the_platforms_call_waits_for_its_result(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.slow[to] = 0.8
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
    first, again = together(*(lambda: account.send(**fields),) * 2)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["data"] == first.json()["data"] | {"duplicate": True}
    assert platform.count(to) == 1


def test_a_slow_send_holds_up_nobody_else(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    quick = next(recipients)
    platform.slow[to] = 1.0
    slow, fast = together(
        lambda: account.send(clientMessageId=CID, to=to, templateName="plain"),
        lambda: account.send(clientMessageId="order-0002", to=quick, templateName="plain"),
    )
    assert slow.elapsed >= timedelta(seconds=1)
    assert fast.elapsed < timedelta(seconds=0.5), "the quick one waited for the slow one"


def test_the_clock_moved_during_a_call_does_not_send_twice(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.slow[to] = 1.0
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
    sent, _ = together(
        lambda: account.send(**fields),
        lambda: account.post("/sandbox/v1/clock", {"advanceSeconds": 3600}),
    )
    assert sent.status_code in (200, 202), sent.text
    account.advance(hours=1)
    assert platform.count(to) == 1
    assert account.status(CID)["status"] == "sent", account.status(CID)


def test_a_call_that_ends_after_the_deadline_it_began_before_is_a_send(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.slow[to] = 1.2
    deadline = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
    assert account.send(**fields, deadline=deadline).json()["data"]["status"] == "sent"
    account.advance(minutes=5)
    assert account.status(CID)["status"] == "sent" and platform.count(to) == 1


def test_a_database_that_breaks_off_while_the_answer_is_written_down_does_not_lose_it(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    platform.slow[to] = 0.5
    account = service.account()
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
    answer, _ = together(
        lambda: account.send(**fields),
        lambda: asyncio.run(break_off_the_writer(service._dsn, account.id)),
    )
    assert answer.status_code in (200, 503), answer.text
    assert account.status(CID)["status"] == "sent", "the platform took it, and we knew"
    assert account.send(**fields).json()["data"]["messageId"]
    assert platform.count(to) == 1


async def break_off_the_writer(dsn: Mapping[str, Any], account_id: UUID) -> httpx.Response:
    """Hold the message's row until somebody waits to change it, then end that connection."""
    connection = await asyncpg.connect(**dsn)
    waiting = """
        SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'
    """
    async with connection.transaction():
        lock = "SELECT FROM messages WHERE account_id = $1 FOR UPDATE"
        await connection.execute(lock, account_id)
        while (pid := await connection.fetchval(waiting)) is None:
            await asyncio.sleep(0.01)
        await connection.execute("SELECT pg_terminate_backend($1)", pid)
    await connection.close()
    return httpx.Response(200)


def test_a_service_that_is_stopped_finishes_the_call_under_way(
    platform: FakePlatform, to: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("stopped")
    platform.slow[to] = 1.0
    answers: list[httpx.Response] = []
    with TestService(dsn, folder, platforms={"sandbox": platform}) as stopping:
        account = stopping.account()
        url, key = f"{stopping.url}/api/v1/messages/text", account.headers
        fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
        thread = threading.Thread(
            target=lambda: answers.append(httpx.post(url, json=fields, headers=key, timeout=20))
        )
        thread.start()
        time.sleep(0.3)
    thread.join(20)
    assert answers[0].status_code == 200, answers[0].text
    assert answers[0].json()["data"]["status"] == "sent"
    with TestService(dsn, folder, platforms={"sandbox": platform}) as again:
        made = {"id": account.id, "apiKey": account.key, "signingSecret": account.secret}
        assert TestAccount(again, made).status(CID)["status"] == "sent"
        assert again.call(lambda: check(again.ctx.db)) == []
    assert platform.count(to) == 1
