"""A slow platform: other requests do not wait, and its late response is not lost."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.clock import ManualClock
from tests.support.database import break_off_the_writer, fresh_database
from tests.support.platform import FakePlatform, recipients
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually, wait_for_requests
from tidings.doctor import check

CID = "order-0001"


@pytest.fixture(scope="module")
def service(scripted_service: TestService) -> TestService:
    return scripted_service


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as running:
        yield running


def require_answered(account: TestAccount, cid: str) -> None:
    """The platform takes another recipient's message meanwhile."""
    answer = account.send(clientMessageId=cid, to=next(recipients), templateName="plain")
    assert answer.json()["data"]["status"] == "sent"


def test_a_duplicate_during_the_platforms_call_waits_for_its_result(
    account: TestAccount, platform: FakePlatform, to: str, pool: ThreadPoolExecutor
) -> None:
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
    with platform.holding(to):
        sending = pool.submit(account.send, **fields)
        eventually(lambda: platform.count(to))
        repeating = pool.submit(account.send, **fields)
        wait_for_requests(account.service, 2)
        require_answered(account, "order-0002")
        assert not repeating.done(), "a request that came later has been answered"
    first, again = sending.result(), repeating.result()
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["data"] == first.json()["data"] | {"duplicate": True}
    assert platform.count(to) == 1


def test_a_slow_send_delays_no_other(
    account: TestAccount, platform: FakePlatform, to: str, pool: ThreadPoolExecutor
) -> None:
    quick = next(recipients)
    with platform.holding(to):
        slow = pool.submit(account.send, clientMessageId=CID, to=to, templateName="plain")
        eventually(lambda: platform.count(to))
        fast = account.send(clientMessageId="order-0002", to=quick, templateName="plain")
        assert fast.json()["data"]["status"] == "sent"
        assert not slow.done()
    assert slow.result().json()["data"]["status"] == "sent"


def test_the_clock_moved_during_a_call_does_not_send_twice(
    account: TestAccount, platform: FakePlatform, to: str, pool: ThreadPoolExecutor
) -> None:
    with platform.holding(to):
        sending = pool.submit(account.send, clientMessageId=CID, to=to, templateName="plain")
        eventually(lambda: platform.count(to))
        moving = pool.submit(account.advance, hours=1)
        wait_for_requests(account.service, 2)
        require_answered(account, "order-0002")
    moving.result()
    assert sending.result().status_code in (200, 202)
    account.advance(hours=1)
    assert platform.count(to) == 1
    assert account.status(CID)["status"] == "sent", account.status(CID)


def test_a_call_that_ends_after_the_deadline_it_began_before_is_a_send(
    platform: FakePlatform, to: str, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    clock, platforms = ManualClock(), {"sandbox": platform}
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
    with TestService(fresh_database(), tmp_path, clock=clock, platforms=platforms) as service:
        account = service.account()
        deadline = (clock.now() + timedelta(seconds=10)).isoformat()
        with platform.holding(to):
            sending = pool.submit(account.send, **fields, deadline=deadline)
            eventually(lambda: platform.count(to))
            clock.advance(seconds=20)
        assert sending.result().json()["data"]["status"] == "sent"
        account.advance(minutes=5)
        assert account.status(CID)["status"] == "sent" and platform.count(to) == 1


async def test_a_database_that_breaks_off_while_the_answer_is_written_down_does_not_lose_it(
    service: TestService, platform: FakePlatform, to: str, pool: ThreadPoolExecutor
) -> None:
    account = service.account()
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
    with platform.holding(to):
        sending = pool.submit(account.send, **fields)
        eventually(lambda: platform.count(to))
        let_go = partial(platform.held.discard, to)
        await break_off_the_writer(service._dsn, "messages", account.id, let_go)
    answer = sending.result()
    assert answer.status_code in (200, 503), answer.text
    assert account.status(CID)["status"] == "sent", "the platform took it, and we knew"
    assert account.send(**fields).json()["data"]["messageId"]
    assert platform.count(to) == 1


def let_go_once_it_stops(stopping: TestService, platform: FakePlatform, to: str) -> None:
    """Its first step is to accept no more connections."""
    address = urlsplit(stopping.url)

    def refuses() -> bool:
        try:
            socket.create_connection((address.hostname, address.port), timeout=5).close()
        except OSError:
            return True
        return False

    eventually(refuses)
    platform.held.discard(to)


def test_a_service_that_is_stopped_finishes_the_call_under_way(
    platform: FakePlatform,
    to: str,
    pool: ThreadPoolExecutor,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("stopped")
    platform.held.add(to)
    with TestService(dsn, folder, platforms={"sandbox": platform}) as stopping:
        account = stopping.account()
        url, key = f"{stopping.url}/api/v1/messages/text", account.headers
        fields = {"clientMessageId": CID, "to": to, "templateName": "plain"}
        sending = pool.submit(httpx.post, url, json=fields, headers=key, timeout=60)
        eventually(lambda: platform.count(to))
        pool.submit(let_go_once_it_stops, stopping, platform, to)
    answer = sending.result()
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["status"] == "sent"
    with TestService(dsn, folder, platforms={"sandbox": platform}) as again:
        made = {"id": account.id, "apiKey": account.key, "signingSecret": account.secret}
        assert TestAccount(again, made).status(CID)["status"] == "sent"
        assert again.call(lambda: check(again.ctx.db)) == []
    assert platform.count(to) == 1
