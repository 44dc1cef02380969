"""A number that the platform refuses: its queue waits, one message at a time tries, it heals."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support import graph as fake
from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.graph import TOKEN, FakeGraph, refuse
from tests.support.live import TEMPLATES, LiveAccount, number_toml
from tests.support.service import NUMBER, TestService
from tests.support.waiting import eventually, settle
from tidings.doctor import check
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.platform_feedback import close_recovered
from tidings.features.templates.model import Template

OTHER = "972555000002"
WELL = {"status": "CONNECTED", "qualityRating": "GREEN"}
BLOCKED = {"status": "BLOCKED", "qualityRating": "GREEN"}


@pytest.fixture(scope="module")
def graph() -> Iterator[FakeGraph]:
    with FakeGraph() as running:
        yield running


@pytest.fixture(scope="module")
def clock() -> ManualClock:
    return ManualClock(datetime.now(UTC))


@pytest.fixture(scope="module")
def service(
    graph: FakeGraph, clock: ManualClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    settings, folder = {"TIDINGS_GRAPH_URL": graph.url}, tmp_path_factory.mktemp("d")
    with TestService(fresh_database(), folder, settings=settings, clock=clock) as running:
        yield running
        assert running.call(lambda: check(running.ctx.db)) == []


@pytest.fixture
def account(service: TestService, graph: FakeGraph) -> Iterator[LiveAccount]:
    made = LiveAccount(service)
    yield made
    graph.behave.clear()


recipients = (f"97251{n:07}" for n in range(1, 10_000))


class Guest:
    """A recipient with a message of its own."""

    def __init__(self, account: LiveAccount, graph: FakeGraph) -> None:
        self.account, self.graph, self.to = account, graph, next(recipients)
        self.cid = f"order-{self.to}"

    def send(self, **more: Any) -> dict[str, Any]:
        fields = {"clientMessageId": self.cid, "to": self.to, "templateName": "plain"} | more
        answer = self.account.send(**fields)
        assert answer.status_code in (200, 202), answer.text
        data: dict[str, Any] = answer.json()["data"]
        return data

    @property
    def status(self) -> str:
        status: str = self.account.status(self.cid)["status"]
        return status

    @property
    def calls(self) -> int:
        return len(self.graph.to(self.to))


def move(account: LiveAccount, clock: ManualClock, **time: float) -> None:
    settle(account)
    clock.advance(**time)
    settle(account)


def healths(account: LiveAccount) -> list[tuple[dict[str, str], dict[str, str]]]:
    events = [event["data"] for event in account.events("sender.health")]
    assert all(event["number"] in (NUMBER, OTHER) for event in events)
    return [(event["previous"], event["current"]) for event in events]


def test_a_number_with_a_fault_is_blocked_reported_once_and_not_retried(
    account: LiveAccount, graph: FakeGraph
) -> None:
    graph.behave["*"] = refuse(190, 463, status=401)
    first, second, third = (Guest(account, graph) for _ in range(3))
    assert first.send()["reason"] == "NUMBER_UNHEALTHY"
    assert second.send()["reason"] == "NUMBER_UNHEALTHY"
    assert third.send(scheduledFor="2020-01-01T00:00:00Z")["reason"] == "NUMBER_UNHEALTHY"
    assert (first.calls, second.calls, third.calls) == (1, 0, 0)
    assert healths(account) == [(WELL, BLOCKED)]
    health = account.get("/sender/health").json()["data"]
    assert (health["overall"], health["readyForSending"]) == ("RED", False)
    assert health["numbers"][0]["status"] == "BLOCKED"
    number = account.get("/readiness").json()["data"]["numbers"][0]
    assert number["ready"] is False and "ACCESS_TOKEN_INVALID" in number["reason"]


def test_now_and_then_one_message_tries_and_then_all_go(
    account: LiveAccount, graph: FakeGraph, clock: ManualClock
) -> None:
    graph.behave["*"] = refuse(131042)
    guests = [Guest(account, graph) for _ in range(5)]
    for guest in guests:
        guest.send()

    def calls() -> int:
        return sum(guest.calls for guest in guests)

    move(account, clock, seconds=50)
    assert calls() == 1, "for a minute nobody tries"
    move(account, clock, seconds=60)
    assert calls() == 2, "then one does"
    account.let_jobs_look()
    move(account, clock, seconds=90)
    assert calls() == 2, "and then nobody for two"
    del graph.behave["*"]
    move(account, clock, hours=1)
    eventually(lambda: all(guest.status == "sent" for guest in guests))
    assert calls() == 2 + len(guests)
    assert healths(account) == [(WELL, BLOCKED), (BLOCKED, WELL)]
    reasons = [event["data"]["reason"] for event in account.events("message.deferred")]
    assert reasons == ["NUMBER_UNHEALTHY"] * len(guests), "each is published once"
    assert account.number()["fault"] is None


def test_a_new_message_may_be_the_one_that_tries(
    account: LiveAccount, graph: FakeGraph, clock: ManualClock
) -> None:
    graph.behave["*"] = refuse(133010)
    first, second = Guest(account, graph), Guest(account, graph)
    first.send()
    settle(account)
    del graph.behave["*"]
    clock.advance(minutes=2)  # the first looks again only after five
    assert second.send()["status"] == "sent"
    eventually(lambda: first.status == "sent")


def test_a_new_token_is_tried_at_once(account: LiveAccount, graph: FakeGraph) -> None:
    graph.tokens = {"EAAG-the-new-token"}
    try:
        waiting = Guest(account, graph)
        assert waiting.send()["status"] == "deferred"
        account.apply(token="EAAG-the-new-token")
        eventually(lambda: waiting.status == "sent")
    finally:
        graph.tokens = {TOKEN}
    assert healths(account) == [(WELL, BLOCKED), (BLOCKED, WELL)]


def test_applying_the_same_file_again_does_not_try(account: LiveAccount, graph: FakeGraph) -> None:
    graph.behave["*"] = refuse(368)
    waiting = Guest(account, graph)
    waiting.send()
    account.apply()
    settle(account)
    assert waiting.calls == 1 and account.number()["fault"] == "ACCOUNT_BLOCKED"


def test_a_refusal_of_the_old_token_says_nothing_about_the_new(
    account: LiveAccount, graph: FakeGraph
) -> None:
    guest, is_applied = Guest(account, graph), threading.Event()
    first = iter([fake.when(is_applied.is_set, refuse(190))])

    async def refuse_once(request: Any, body: dict[str, Any]) -> Any:
        return await next(first, fake.accept())(request, body)

    graph.behave[guest.to] = refuse_once
    graph.tokens = {TOKEN, "EAAG-next"}
    sending = threading.Thread(target=guest.send)
    sending.start()
    eventually(lambda: guest.calls == 1)
    account.apply(token="EAAG-next")
    is_applied.set()
    sending.join()
    settle(account)
    assert guest.status in ("deferred", "sent")
    assert account.number()["fault"] is None and healths(account) == []
    graph.tokens = {TOKEN}


def test_a_token_that_does_not_open_is_the_numbers_fault(
    account: LiveAccount, graph: FakeGraph
) -> None:
    spoil = "UPDATE numbers SET access_token = $2 WHERE account_id = $1 RETURNING number"
    account.service.sql(spoil, account.id, b"altered bytes")
    account.set_templates([*TEMPLATES, Template("new", "en", "UTILITY", "APPROVED", body="x")])
    guest = Guest(account, graph)
    assert guest.send()["reason"] == "NUMBER_UNHEALTHY"
    assert guest.calls == 0 and account.number()["fault"] == "ACCESS_TOKEN_INVALID"
    account.apply()  # with the token it had: it is sealed anew
    eventually(lambda: guest.status in ("sent", "delivered"))


def test_many_refusals_at_once_are_one_fault(account: LiveAccount, graph: FakeGraph) -> None:
    graph.behave["*"] = fake.after(0.2, refuse(131031))
    guests = [Guest(account, graph) for _ in range(12)]
    threads = [threading.Thread(target=guest.send) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {guest.status for guest in guests} == {"deferred"}
    assert healths(account) == [(WELL, BLOCKED)]
    assert account.number()["faults"] == 1


def test_meanwhile_another_number_sends(
    service: TestService, graph: FakeGraph, clock: ManualClock
) -> None:
    numbers = number_toml(place="1055777000000001") + number_toml(OTHER, place="1055777000000002")
    account = LiveAccount(service, numbers)
    guest, strict, later = (Guest(account, graph) for _ in range(3))

    async def refuse_the_first(request: Any, body: dict[str, Any]) -> Any:
        answer = fake.accept() if "1055777000000002" in request.path else refuse(131045)
        return await answer(request, body)

    graph.behave["*"] = refuse_the_first
    assert guest.send()["status"] == "deferred"
    sent = later.send()
    assert (sent["status"], sent["sentFrom"]) == ("sent", OTHER)
    assert strict.send(sentFrom=NUMBER, fromPolicy="strict")["reason"] == "NUMBER_UNHEALTHY"
    assert strict.calls == 0
    eventually(lambda: guest.status == "sent")
    assert account.status(guest.cid)["sentFrom"] == OTHER
    graph.behave.clear()
    move(account, clock, hours=2)
    eventually(lambda: strict.status == "sent")
    assert account.status(strict.cid)["sentFrom"] == NUMBER


def test_the_platforms_word_that_a_number_is_well_is_believed_from_its_next_trial_on(
    account: LiveAccount, graph: FakeGraph, clock: ManualClock
) -> None:
    async def reported() -> None:
        async def work(tx: Any) -> None:
            found = (await load_accounts(tx, [account.id]))[account.id]
            await close_recovered(tx, found, [NUMBER])

        await account.service.ctx.db.transact(work)

    graph.behave["*"] = refuse(3)
    Guest(account, graph).send()
    account.service.call(reported)
    assert account.number()["fault"] == "PERMISSION_MISSING"
    settle(account)
    clock.advance(minutes=1)
    account.service.call(reported)
    assert account.number()["fault"] is None
    assert healths(account)[-1] == (BLOCKED, WELL)
    graph.behave.clear()


def require_sent(account: LiveAccount, graph: FakeGraph) -> None:
    """Soon: a message that waits may be the one that tries, and this one then waits for it."""
    eventually(lambda: Guest(account, graph).send()["status"] == "sent")
    settle(account)


def test_a_fault_that_comes_back_soon_is_tried_less_and_less_often(
    account: LiveAccount, graph: FakeGraph, clock: ManualClock
) -> None:
    for minutes in (1, 2, 4):
        graph.behave["*"] = refuse(131063)
        assert Guest(account, graph).send()["status"] == "deferred"
        wait = account.number()["half_open_at"] - clock.now()
        assert wait.total_seconds() == 60 * minutes
        settle(account)
        graph.behave.clear()
        clock.advance(minutes=minutes)
        require_sent(account, graph)
    clock.advance(hours=1)
    graph.behave["*"] = refuse(131063)
    Guest(account, graph).send()
    assert (account.number()["half_open_at"] - clock.now()).total_seconds() == 60


def test_a_trial_that_the_platform_does_not_answer_is_not_the_end_of_trials(
    account: LiveAccount, graph: FakeGraph, clock: ManualClock
) -> None:
    graph.behave["*"] = refuse(10)
    Guest(account, graph).send()
    settle(account)
    clock.advance(minutes=1)
    graph.behave["*"] = fake.reset
    lost = Guest(account, graph)
    assert lost.send()["status"] == "sending"
    clock.advance(minutes=1)
    graph.behave.clear()
    require_sent(account, graph)


def test_a_throttled_number_sends_more_slowly_and_recovers(
    account: LiveAccount, graph: FakeGraph, clock: ManualClock
) -> None:
    guests = [Guest(account, graph) for _ in range(3)]
    graph.behave["*"] = refuse(130429)
    assert [guest.send()["reason"] for guest in guests[:2]] == ["NUMBER_LIMIT"] * 2
    assert account.number()["rate_halvings"] == 1, "once for all that were on their way together"
    clock.advance(seconds=10)
    graph.behave[guests[2].to] = refuse(131048)
    guests[2].send()
    assert account.number()["rate_halvings"] == 10
    assert healths(account) == [], "it is no fault"
    graph.behave.clear()
    move(account, clock, hours=3)
    eventually(lambda: all(guest.status == "sent" for guest in guests))


def test_the_limit_of_one_recipient_slows_nobody_else(
    account: LiveAccount, graph: FakeGraph
) -> None:
    guest = Guest(account, graph)
    graph.behave[guest.to] = refuse(131056)
    assert guest.send()["reason"] == "NUMBER_LIMIT"
    assert account.number()["rate_halvings"] == 0


def test_in_the_sandbox_a_fault_is_that_of_its_recipient(service: TestService) -> None:
    account = service.account()
    fields = {"templateName": "plain"}
    faulty = account.send(clientMessageId="order-0001", to="972500009030", **fields)
    assert faulty.json()["data"]["reason"] == "NUMBER_UNHEALTHY"
    other = account.send(clientMessageId="order-0002", to="972500000001", **fields)
    assert other.json()["data"]["status"] == "sent"
    assert account.events("sender.health") == []
