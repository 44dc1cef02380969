"""One customer's dead or slow endpoint, with ten thousand events due, delays no other."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.database import fresh_database
from tests.support.invitations import register
from tests.support.receiver import Receiver, hang
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually
from tests.support.webhooks import outcomes, publish_events
from tidings import limits
from tidings.clock import Clock
from tidings.engine.http.outbound.client import Outbound

DUE = 10_000
GOOD = 8
ROUNDS = 12
NOISE = 2.0  # seconds, on a slow machine that others use too; a dead endpoint would cost ten


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TestService]:
    with TestService(fresh_database(), tmp_path) as running:
        yield running


@pytest.fixture
def good(service: TestService) -> Iterator[tuple[Receiver, list[TestAccount]]]:
    with Receiver() as receiver:
        urls = [receiver.url_at("127.0.0.1", f"/{n}") for n in range(GOOD)]
        yield receiver, [service.account(webhookUrl=url) for url in urls]


def waits(receiver: Receiver, accounts: list[TestAccount]) -> list[float]:
    """Seconds from the publishing of an event to its first post, shortest first."""
    began: dict[str, float] = {}
    for _ in range(ROUNDS):
        for account in accounts:
            at = time.monotonic()
            [webhook_id] = publish_events(account)
            began[webhook_id] = at
        time.sleep(0.05)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        requests = {h["X-Webhook-Id"]: h.at for h in list(receiver.requests)}
        if began.keys() <= requests.keys():
            return sorted(requests[key] - at for key, at in began.items())
        time.sleep(0.05)
    raise AssertionError(f"{len(began.keys() - requests.keys())} of {len(began)} never came")


def fill(account: TestAccount, count: int, **fields: str) -> None:
    for _ in range(count // 1000):
        publish_events(account, 1000, **fields)


def p99(times: list[float]) -> float:
    return times[int(len(times) * 0.99) - 1]


def posts_max(slots: int, since: float) -> int:
    """How many posts may have gone unanswered: each holds its slot until its time-out."""
    rounds = (time.monotonic() - since) / limits.WEBHOOK_RESPONSE_TIMEOUT.total_seconds()
    return slots * (1 + int(rounds))


def require_fair(receiver: Receiver, accounts: list[TestAccount], before: list[float]) -> None:
    """Measured up to three times: what others do on this machine passes, unfairness does not."""
    seen = []
    for _ in range(3):
        seen.append(p99(waits(receiver, accounts)))
        if seen[-1] <= max(2 * p99(before), NOISE):
            return
    raise AssertionError((p99(before), seen))


def test_a_black_hole_delays_no_other_account(
    service: TestService, good: tuple[Receiver, list[TestAccount]]
) -> None:
    waits(*good)  # connections are made, plans are prepared
    before = waits(*good)
    with Receiver() as hole:
        hole.answer(hang())
        dead = service.account(webhookUrl=hole.url)
        began = time.monotonic()
        fill(dead, DUE)
        hole.wait_for(1)
        require_fair(*good, before)
        count = len(hole.requests)
        assert count <= posts_max(limits.WEBHOOK_SLOTS_PER_DESTINATION, began)
        leased = service.sql(
            "SELECT count(*) AS n FROM jobs WHERE leased AND account_id = $1", dead.id
        )
        assert leased[0]["n"] <= limits.WEBHOOK_SLOTS_PER_DESTINATION, (
            "a webhook that waits holds no lease"
        )
        # Those that wait for a slot are counted.
        eventually(lambda: service.call(lambda: oldest_due(service)) > 1)


async def oldest_due(service: TestService) -> float:
    from tidings.engine.queue import stats

    ages = await service.ctx.db.transact(lambda tx: stats.oldest_due(tx, ["webhooks"]))
    return ages["webhooks"].total_seconds()


def test_nor_do_many_dead_endpoints_of_one_account(
    service: TestService, good: tuple[Receiver, list[TestAccount]]
) -> None:
    waits(*good)
    before = waits(*good)
    holes = [Receiver() for _ in range(40)]
    began = time.monotonic()
    try:
        dead = service.account()
        for n, hole in enumerate(holes):
            hole.answer(hang())
            register(dead, f"hall-{n}", callbackUrl=hole.url)
            publish_events(dead, 50, event_id=f"hall-{n}")
        holes[0].wait_for(1)
        require_fair(*good, before)
        count = sum(len(hole.requests) for hole in holes)
        assert count <= posts_max(limits.WEBHOOK_SLOTS_PER_ACCOUNT, began)
    finally:
        for hole in holes:
            hole.close()


def test_nor_do_names_without_an_answer(tmp_path: Path) -> None:
    released = threading.Event()

    def resolve(host: str) -> list[str]:
        if host.endswith("dead.example"):
            released.wait()
        return ["127.0.0.1"]

    def outbound(clock: Clock) -> Outbound:
        return Outbound(clock, allow_private=True, resolve=resolve, lookups_max=16)

    with (
        Receiver() as receiver,
        TestService(fresh_database(), tmp_path, outbound=outbound) as service,
    ):
        dead = service.account()
        for n in range(150):
            register(dead, f"hall-{n}", callbackUrl=f"http://{n}.dead.example/")
            publish_events(dead, event_id=f"hall-{n}")
        attempts = "SELECT count(*) AS n FROM jobs WHERE leased AND account_id = $1"
        eventually(lambda: service.sql(attempts, dead.id)[0]["n"] >= 16)
        good = service.account(webhookUrl=receiver.url_at("hooks.example.com"))
        publish_events(good)
        [request] = receiver.wait_for(1)
        released.set()
        assert request["X-Delivery-Attempt"] == "1"


def tried(receiver: Receiver) -> set[str]:
    return {request["X-Webhook-Id"] for request in list(receiver.requests)}


def test_an_endpoint_that_keeps_refusing_is_throttled_and_not_stopped(
    service: TestService, good: tuple[Receiver, list[TestAccount]]
) -> None:
    waits(*good)
    before = waits(*good)
    with Receiver() as refusing:
        refusing.answer(500, delay=0.02)
        account = service.account(webhookUrl=refusing.url)
        publish_events(account, 500)
        refusing.wait_for(20)
        require_fair(*good, before)
        assert service.ctx.limiters["webhooks"].throttled == 1
        eventually(lambda: len(tried(refusing)) >= 100)
        refusing.answer(200)
        eventually(lambda: len(tried(refusing)) >= 480)
        eventually(lambda: service.ctx.limiters["webhooks"].throttled == 0)
    states = {row["state"] for row in outcomes(account)}
    assert states <= {"pending", "delivered"}
