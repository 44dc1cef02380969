"""A platform that does not answer, answers late or breaks: no second send, no lost message."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from tests.support.database import fresh_database
from tests.support.service import TestAccount, TestService
from tidings.doctor import check
from tidings.platforms.port import (
    Accepted,
    Failure,
    FailureKind,
    Handover,
    NoAnswer,
    Planned,
    Send,
    Status,
    StatusKind,
)

CID = "order-0001"
FAILURE = Failure("GONE", 131026, FailureKind.RECIPIENT, "Nobody is there.", "Ask for a number.")


def later(send: Send, seconds: float, kind: StatusKind, platform_id: str = "wamid.late") -> Planned:
    after = timedelta(seconds=seconds)
    failure = FAILURE if kind is StatusKind.FAILED else None
    status = Status(platform_id, send.send_id, kind, send.at + after, send.to, failure)
    return Planned(after, status)


def accept(send: Send) -> Handover:
    return Handover(Accepted(f"wamid.{send.send_id}"))


def say_nothing(send: Send) -> Handover:
    return Handover(NoAnswer())


class FakePlatform:
    """Does to each recipient what `behave` says for it; remembers every hand-over."""

    def __init__(self) -> None:
        self.heard: list[Send] = []
        self.behave: dict[str, Callable[[Send], Handover]] = {}
        self.slow: dict[str, float] = {}

    async def send(self, sends: Sequence[Send]) -> list[Handover]:
        self.heard.extend(sends)
        await asyncio.sleep(max((self.slow.get(send.to, 0) for send in sends), default=0))
        return [self.behave.get(send.to, accept)(send) for send in sends]

    def count(self, to: str) -> int:
        return Counter(send.to for send in self.heard)[to]


@pytest.fixture(scope="module")
def platform() -> FakePlatform:
    return FakePlatform()


@pytest.fixture(scope="module")
def service(
    platform: FakePlatform, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, platforms={"sandbox": platform}) as running:
        yield running
        assert running.call(lambda: check(running.ctx.db)) == []


numbers = (f"97250{n:07}" for n in range(1, 1000))


@pytest.fixture
def to() -> str:
    """A recipient of this test's own."""
    return next(numbers)


def send(account: TestAccount, to: str, **more: Any) -> dict[str, Any]:
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"} | more
    answer = account.send(**fields)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data | {"http": answer.status_code}


def told(account: TestAccount) -> list[str]:
    return [event["data"]["status"] for event in account.events("message.status")]


def refunded(account: TestAccount) -> bool:
    query = "SELECT refunded_at FROM messages WHERE account_id = $1"
    return account.service.sql(query, account.id)[0]["refunded_at"] is not None


def let_leases_run_out(account: TestAccount) -> None:
    """What broke in the middle is given back after a minute of real time: skip it."""
    query = "UPDATE jobs SET due_at = now() WHERE account_id = $1 AND leased RETURNING id"
    account.service.sql(query, account.id)


def ahead(**delta: float) -> str:
    return (datetime.now(UTC) + timedelta(**delta)).isoformat()


# No answer


def test_without_an_answer_the_message_is_neither_sent_again_nor_given_up_at_once(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = say_nothing
    answer = send(account, to)
    assert (answer["http"], answer["status"], answer["messageId"]) == (202, "sending", None)
    account.advance(seconds=110)
    assert account.status(CID)["status"] == "sending" and told(account) == []
    account.advance(minutes=2)
    status = account.status(CID)
    assert (status["status"], status["error"]["code"]) == ("failed", "UNKNOWN_OUTCOME")
    assert told(account) == ["failed"] and refunded(account)
    account.advance(days=2)
    assert platform.count(to) == 1


@pytest.mark.parametrize(
    ("kind", "end"),
    [
        (StatusKind.SENT, ["sent"]),
        (StatusKind.DELIVERED, ["delivered"]),
        (StatusKind.READ, ["read"]),
        (StatusKind.FAILED, ["failed"]),
    ],
)
def test_a_callback_with_our_id_settles_it(
    account: TestAccount, platform: FakePlatform, to: str, kind: StatusKind, end: list[str]
) -> None:
    platform.behave[to] = lambda s: Handover(NoAnswer(), (later(s, 60, kind),))
    send(account, to)
    account.advance(seconds=90)
    status = account.status(CID)
    assert status["status"] == end[-1] and told(account)[-1:] == end
    assert refunded(account) == (kind is StatusKind.FAILED)
    if kind is StatusKind.FAILED:
        assert status["error"]["platformCode"] == 131026
    else:
        assert status["messageId"] == "wamid.late"
    account.advance(hours=1)
    assert account.status(CID)["status"] == end[-1]
    assert platform.count(to) == 1


def test_a_delivery_told_after_it_was_given_up_wins_and_the_refund_stays(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = lambda s: Handover(
        NoAnswer(), (later(s, 600, StatusKind.DELIVERED), later(s, 700, StatusKind.READ))
    )
    send(account, to)
    account.advance(minutes=5)
    assert account.status(CID)["status"] == "failed"
    account.advance(minutes=10)
    assert account.status(CID)["status"] == "read"
    assert told(account) == ["failed", "delivered", "read"]
    assert refunded(account)
    assert account.status(CID)["messageId"] == "wamid.late"


def test_a_mere_sent_after_it_was_given_up_changes_nothing(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = lambda s: Handover(NoAnswer(), (later(s, 600, StatusKind.SENT),))
    send(account, to)
    account.advance(minutes=15)
    assert account.status(CID)["status"] == "failed" and told(account) == ["failed"]


def test_a_deadline_does_not_expire_what_may_be_on_a_phone(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = lambda s: Handover(NoAnswer(), (later(s, 90, StatusKind.DELIVERED),))
    send(account, to, deadline=ahead(seconds=30))
    account.advance(seconds=60)
    assert account.status(CID)["status"] == "sending"
    account.advance(seconds=60)
    assert account.status(CID)["status"] == "delivered" and told(account)[-1] == "delivered"


def test_a_scheduled_message_without_an_answer_fares_the_same(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = say_nothing
    send(account, to, scheduledFor=ahead(hours=1))
    account.advance(hours=1, seconds=30)
    assert account.status(CID)["status"] == "sending"
    account.advance(minutes=3)
    assert account.status(CID)["error"]["code"] == "UNKNOWN_OUTCOME"
    assert platform.count(to) == 1


def test_repeats_while_the_outcome_is_unknown_send_nothing(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = say_nothing
    first = send(account, to)
    for _ in range(3):
        assert send(account, to) == first | {"duplicate": True}
    account.advance(minutes=5)
    end = send(account, to)
    assert (end["http"], end["status"], end["duplicate"]) == (200, "failed", True)
    assert platform.count(to) == 1


def test_an_account_may_choose_to_send_once_more(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    answers = [say_nothing, accept]
    platform.behave[to] = lambda s: answers[s.attempt - 1](s)
    account = service.account(resendUnknown=True)
    send(account, to)
    account.advance(seconds=100)
    assert platform.count(to) == 1
    account.advance(minutes=2)
    assert account.status(CID)["status"] == "sent" and told(account) == ["sent"]
    assert platform.count(to) == 2
    assert len(account.status(CID)["attempts"]) == 2
    assert not refunded(account)


def test_and_not_more_often(service: TestService, platform: FakePlatform, to: str) -> None:
    platform.behave[to] = say_nothing
    account = service.account(resendUnknown=True)
    send(account, to)
    for _ in range(4):
        account.advance(minutes=10)
    assert account.status(CID)["error"]["code"] == "UNKNOWN_OUTCOME"
    assert platform.count(to) == 2


def test_a_callback_of_the_first_try_settles_a_message_that_was_sent_again(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    def behave(sent: Send) -> Handover:
        if sent.attempt == 1:
            return Handover(NoAnswer(), (later(sent, 400, StatusKind.DELIVERED, "wamid.first"),))
        return accept(sent)

    platform.behave[to] = behave
    account = service.account(resendUnknown=True)
    send(account, to)
    account.advance(minutes=10)
    assert account.status(CID)["status"] == "delivered"
    assert told(account) == ["sent", "delivered"]


# A platform that breaks


def test_an_adapter_that_breaks_is_an_unknown_outcome(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    def explode(sent: Send) -> Handover:
        raise RuntimeError("the adapter has a bug")

    platform.behave[to] = explode
    answer = account.send(clientMessageId=CID, to=to, templateName="plain")
    assert answer.status_code in (202, 500), answer.text
    let_leases_run_out(account)
    account.advance(minutes=5)
    status = account.status(CID)
    assert (status["status"], status["error"]["code"]) == ("failed", "UNKNOWN_OUTCOME")
    assert platform.count(to) == 1, "never a blind retry"


def test_callbacks_about_nobodys_message_are_passed_over(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    def behave(sent: Send) -> Handover:
        strange = [
            Status("wamid.x", "nonsense", StatusKind.READ, sent.at),
            Status("wamid.x", f"{'0' * 32}.1", StatusKind.READ, sent.at),
            Status("wamid.x", None, StatusKind.READ, sent.at),
            Status("", "", StatusKind.FAILED, sent.at),
            Status(f"wamid.{sent.send_id}", sent.send_id, StatusKind.DELIVERED, sent.at),
        ]
        second = timedelta(seconds=1)
        return Handover(accept(sent).answer, tuple(Planned(second, each) for each in strange))

    platform.behave[to] = behave
    send(account, to)
    account.advance(seconds=5)
    assert account.status(CID)["status"] == "delivered"
    assert told(account) == ["sent", "delivered"]


def test_the_callbacks_of_one_account_do_not_move_anothers_message(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    victim, other = service.account(), service.account()
    own, foreign = to, next(numbers)
    platform.behave[own] = say_nothing
    send(victim, own)
    theirs = platform.heard[-1].send_id
    platform.behave[foreign] = lambda s: Handover(
        accept(s).answer,
        (Planned(timedelta(0), Status("wamid.y", theirs, StatusKind.READ, s.at)),),
    )
    send(other, foreign)
    other.advance(seconds=5)
    victim.advance(seconds=5)
    assert victim.status(CID)["status"] == "sending"


# A slow platform


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
    quick = next(numbers)
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
    assert send(account, to, deadline=ahead(seconds=1))["status"] == "sent"
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
