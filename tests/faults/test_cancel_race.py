"""Cancelling while workers send: a message is cancelled or sent, never both, and each ends once."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from tests.support.batches import bulk, cancel, item, received, statuses, submit
from tests.support.database import fresh_database
from tests.support.platform import FakePlatform, accept, say_nothing
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.waiting import eventually, patiently, settle
from tidings.doctor import check
from tidings.platforms.failures import explain
from tidings.platforms.port import Accepted, DispatchResult, Rejected, Send

FAST = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 1000\n'
ENDS = {"sent", "cancelled", "failed"}


def throttled_first(send: Send) -> DispatchResult:
    """The platform throttles every third message once."""
    if send.attempt == 1 and int(send.client_message_id[-5:]) % 3 == 0:
        return DispatchResult(Rejected(explain(130429)))
    return DispatchResult(Accepted(f"wamid.{send.send_id}"))


class BusyPlatform(FakePlatform):
    """Takes some time for each group, so that there is always a send in flight."""

    def __init__(self) -> None:
        super().__init__()
        self.usual: Callable[[Send], DispatchResult] = accept

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        self.sends.extend(sends)
        await asyncio.sleep(0.02)
        return [self.usual(send) for send in sends]


@pytest.fixture(scope="module")
def platform() -> BusyPlatform:
    return BusyPlatform()


@pytest.fixture(scope="module")
def services(
    platform: BusyPlatform, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[TestService]]:
    """Two processes' worth of workers on one database, and its invariants at the end."""
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("data")
    platforms = {"sandbox": platform}
    with (
        TestService(dsn, folder, platforms=platforms) as one,
        TestService(dsn, folder, platforms=platforms) as two,
    ):
        yield [one, two]
        assert one.call(lambda: check(one.ctx.db)) == []


def wait_until_ended(account: TestAccount, total: int) -> Counter[str]:
    def ended() -> bool:
        return sum(n for status, n in statuses(account).items() if status in ENDS) >= total

    eventually(ended)
    return statuses(account)


def require_each_ended_once(account: TestAccount, platform: BusyPlatform) -> None:
    query = (
        "SELECT id, client_message_id, status, timeline, refunded_at"
        "  FROM messages WHERE account_id = $1"
    )
    handed = Counter(send.send_id[:32] for send in platform.sends)
    taken = Counter(
        event["data"]["clientMessageId"]
        for event in account.events("message.status")
        if event["data"]["status"] == "sent"
    )
    for row in account.service.sql(query, account.id):
        steps = [step["status"] for step in json.loads(row["timeline"])]
        ends = [step for step in steps if step in ENDS]
        assert ends == [row["status"]], steps
        cancelled = row["status"] == "cancelled"
        assert (row["refunded_at"] is not None) == (row["status"] != "sent")
        assert taken[row["client_message_id"]] == (row["status"] == "sent")
        if cancelled and "sending" not in steps:
            assert handed[row["id"].hex] == 0, "cancelled and sent"
        if row["status"] == "sent":
            assert handed[row["id"].hex] >= 1


def cancel_at(service: TestService, account: TestAccount, batch_id: str) -> dict[str, int]:
    path = f"/api/v1/batches/{batch_id}/cancel"
    answer = patiently(lambda: service.http.post(path, headers=account.headers))
    assert answer.status_code == 200, answer.text
    data: dict[str, int] = answer.json()["data"]
    return data


@pytest.mark.parametrize("wait", [0.0, 0.05, 0.15, 0.3])
def test_a_cancel_between_workers_leaves_no_message_both_cancelled_and_sent(
    services: list[TestService], platform: BusyPlatform, wait: float
) -> None:
    platform.usual = accept
    account = services[0].account(FAST)
    batch_id = submit(account, [item(n) for n in range(300)])["batchId"]
    time.sleep(wait)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda n: cancel_at(services[n % 2], account, batch_id), range(4)))
    for data in results:
        assert data["cancelled"] + data["inFlight"] + data["alreadySent"] == 300
        assert data["refunded"] == data["cancelled"]
    ended = wait_until_ended(account, 300)
    assert ended["sent"] + ended["cancelled"] == 300
    assert ended["cancelled"] == max(data["cancelled"] for data in results)
    require_each_ended_once(account, platform)
    require_completed_once(account, batch_id, ended)


def require_completed_once(account: TestAccount, batch_id: str, ended: Counter[str]) -> None:
    eventually(lambda: received(account, "batch.completed", batch_id))
    settle(account)
    (event,) = received(account, "batch.completed", batch_id)
    assert (event["sent"], event["cancelled"]) == (ended["sent"], ended["cancelled"])
    assert (event["failed"], event["pending"]) == (ended["failed"], 0)


def test_what_the_platform_gives_back_meanwhile_is_cancelled_and_not_tried_again(
    services: list[TestService], platform: BusyPlatform
) -> None:
    platform.usual = throttled_first
    account = services[0].account(FAST)
    for round_ in range(8):
        messages = [item(100 * round_ + n) for n in range(60)]
        batch_id = submit(account, messages)["batchId"]
        time.sleep(0.02 * round_)
        data = cancel_at(services[round_ % 2], account, batch_id)
        assert data["cancelled"] + data["inFlight"] + data["alreadySent"] == 60
        handed = len(platform.sends)
        ended = wait_until_ended(account, 60 * (round_ + 1))
        later = platform.sends[handed:]
        assert len(later) <= data["inFlight"] and all(send.attempt == 1 for send in later)
    require_each_ended_once(account, platform)
    assert ended["cancelled"] + ended["sent"] == 480
    platform.usual = accept


def test_many_small_batches_cancelled_as_they_are_sent_each_complete_once(
    services: list[TestService], platform: BusyPlatform
) -> None:
    platform.usual = accept
    account = services[0].account(FAST)

    def race(n: int) -> tuple[str, dict[str, int]]:
        batch_id = submit(account, [item(10 * n + k) for k in range(10)])["batchId"]
        time.sleep(0.004 * (n % 12))
        return batch_id, cancel_at(services[n % 2], account, batch_id)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(race, range(40)))
    ended = wait_until_ended(account, 400)
    assert ended["sent"] + ended["cancelled"] == 400
    assert ended["cancelled"] == sum(data["cancelled"] for _, data in results)
    require_each_ended_once(account, platform)
    eventually(lambda: len(account.events("batch.completed")) >= 40)
    settle(account)
    completed = [event["data"]["batchId"] for event in account.events("batch.completed")]
    assert sorted(completed) == sorted(batch_id for batch_id, _ in results)


def test_places_and_counts_are_right_when_accepting_and_cancelling_race(
    services: list[TestService], platform: BusyPlatform
) -> None:
    """The limits count exactly the messages sent or waiting, whatever was cancelled meanwhile."""
    number = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 50\ndailyLimit = 5000\n'
    account = services[0].account(number, dailyLimit=5000)
    stop = threading.Event()
    failed: list[str] = []

    def churn(worker: int) -> None:
        for k in range(12):
            if stop.is_set():
                return
            first = 1000 * worker + 20 * k
            messages = [item(first + n, to=f"9725070{n:05}") for n in range(20)]
            answer = patiently(partial(bulk, account, messages))
            if answer.status_code != 202:
                failed.append(answer.text)
                continue
            cancel_at(services[k % 2], account, answer.json()["data"]["batchId"])

    threads = [threading.Thread(target=churn, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    assert failed == []
    ended = wait_until_ended(account, 4 * 12 * 20)
    limits = account.get("/limits").json()["data"]
    assert limits["account"]["used"] == ended["sent"]
    people = "SELECT DISTINCT recipient FROM messages WHERE account_id = $1 AND status = 'sent'"
    assert limits["numbers"][0]["used"] == len(account.service.sql(people, account.id))


def test_a_cancelled_batch_whose_outcome_is_unknown_ends_once(
    services: list[TestService], platform: BusyPlatform
) -> None:
    platform.usual = say_nothing
    account = services[0].account(FAST, resendUnknown=True)
    before = len(platform.sends)
    batch_id = submit(account, [item(n) for n in range(20)])["batchId"]
    eventually(lambda: statuses(account)["sending"])
    data = cancel(account, batch_id)
    assert data["cancelled"] + data["inFlight"] == 20
    handed = before + data["inFlight"]
    eventually(lambda: len(platform.sends) == handed)
    account.advance(minutes=5)
    ended = statuses(account)
    assert ended["failed"] == data["inFlight"] and ended["cancelled"] == data["cancelled"]
    assert len(platform.sends) == handed, "nothing was sent again"
    assert len(received(account, "batch.completed", batch_id)) == 1
    platform.usual = accept
