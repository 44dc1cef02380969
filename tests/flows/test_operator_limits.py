"""Limits that an operator has changed: each holds where the running service applies it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.batches import all_turns_taken, bulk, item, submit, to
from tests.support.collector import Collector
from tests.support.database import fresh_database
from tests.support.live import LiveAccount
from tests.support.media import encoded, png
from tests.support.platform import FakePlatform
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually
from tidings.engine.traces.model import is_sampled
from tidings.features.callbacks import dead_letters
from tidings.features.messages.send.dispatch import POOL as SENDS
from tidings.features.senders.sync import SYNC
from tidings.jobs import periodic

NOBODY = "http://127.0.0.1:9"
CHANGED = {
    "TIDINGS_GRAPH_URL": NOBODY,
    "TIDINGS_BATCHES_WAITING": "1",
    "TIDINGS_SENDS_AT_ONCE": "10",
    "TIDINGS_SYNC_MINUTES": "60",
    "TIDINGS_REQUEST_LOG_DAYS": "2",
    "TIDINGS_PARKED_CALLBACK_DAYS": "2",
    "TIDINGS_DISK_FREE_MB": "100000000",
    "TIDINGS_OTLP_PERCENT": "1",
}


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with Collector() as listening:
        yield listening


@pytest.fixture(scope="module")
def service(
    collector: Collector, platform: FakePlatform, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    settings, folder = CHANGED | collector.settings, tmp_path_factory.mktemp("data")
    platforms = {"sandbox": platform, "live": platform}
    with TestService(fresh_database(), folder, settings=settings, platforms=platforms) as running:
        yield running


def run_periodic(service: TestService, name: str) -> None:
    [task] = [one for one in periodic(service.ctx) if one.name == name]
    service.call(task.run)


def test_workers_send_no_more_at_once_than_set(
    account: TestAccount, service: TestService, platform: FakePlatform
) -> None:
    people, worker = {to(n) for n in range(12)}, service.service.workers[SENDS]
    waiting = """
        SELECT count(*) AS n FROM jobs
         WHERE account_id = $1 AND pool = $2 AND NOT leased AND due_at < $3
    """

    def begun() -> set[str]:
        return people & {send.to for send in platform.sends}

    def late() -> int:
        """Not even begun, although it is their time and the worker has looked again since."""
        before = service.clock.now() - timedelta(seconds=0.3)
        count: int = service.sql(waiting, account.id, SENDS, before)[0]["n"]
        return count

    platform.held |= people
    try:
        submit(account, [item(n) for n in range(12)])
        eventually(lambda: (len(begun()), late()) == (10, 2))
        assert worker.running == 10
    finally:
        platform.held -= people
    eventually(lambda: begun() == people)


def test_as_many_batches_wait_as_set(account: TestAccount, service: TestService) -> None:
    with ThreadPoolExecutor(1) as pool, all_turns_taken(service, account):
        first = pool.submit(bulk, account, [item(21)])
        eventually(lambda: service.ctx.batch_reads.waiting(account.id) == 1)
        assert bulk(account, [item(22)]).status_code == 429, "the one place is taken"
    assert first.result().status_code == 202


def test_live_accounts_are_read_as_often_as_set(service: TestService) -> None:
    """Also where the platform did not answer."""
    account = LiveAccount(service)
    query = "SELECT due_at FROM jobs WHERE account_id = $1 AND kind = $2 AND NOT leased"
    due_now = "UPDATE jobs SET due_at = now() WHERE account_id = $1 AND kind = $2 RETURNING id"

    def next_reading() -> list[Any]:
        wakes = [row["due_at"] for row in service.sql(query, account.id, SYNC)]
        return [at for at in wakes if at > service.clock.now() + timedelta(minutes=10)]

    service.sql(due_now, account.id, SYNC)
    eventually(next_reading)
    [at] = next_reading()
    wait = at - service.clock.now()
    assert timedelta(minutes=40) < wait < timedelta(minutes=75), "an hour, and a fifth of it"


def test_calls_are_shown_for_as_long_as_set(account: TestAccount, service: TestService) -> None:
    ids = "SELECT id FROM request_log WHERE account_id = $1 ORDER BY id"
    for _ in range(2):
        account.get("/limits")
    eventually(lambda: len(service.sql(ids, account.id)) == 2)
    older, old = (row["id"] for row in service.sql(ids, account.id))
    for call, hours in ((older, 49), (old, 47)):
        aged = UUID(int=call.int - (hours * 3600 * 1000 << 80))  # a uuid7 begins with its time
        service.sql("UPDATE request_log SET id = $2 WHERE id = $1 RETURNING id", call, aged)
    run_periodic(service, "requests.purge")
    assert [row["id"] for row in service.sql(ids, account.id)] == [aged]


def test_parked_callbacks_are_kept_for_as_long_as_set(service: TestService) -> None:
    letters = [("older", b"{}"), ("old", b"{}")]
    service.transact(lambda tx: dead_letters.add(tx, letters))
    for reason, hours in (("older", 49), ("old", 47)):
        at = service.clock.now() - timedelta(hours=hours)
        aged = "UPDATE callback_dead_letters SET received_at = $2 WHERE reason = $1 RETURNING id"
        service.sql(aged, reason, at)
    run_periodic(service, "callbacks.purge")
    assert [one.reason for one in service.transact(dead_letters.count)] == ["old"]


def test_uploads_are_refused_while_less_of_the_disk_is_free_than_set(
    account: TestAccount, service: TestService
) -> None:
    body = {"mediaBase64": encoded(png()), "mimetype": "image/png"}
    answer = account.post("/messages/upload", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "SERVICE_UNAVAILABLE")


def test_as_many_traces_are_recorded_as_set(
    account: TestAccount, service: TestService, collector: Collector
) -> None:
    """Those of a hundredth of all ids; spans leave in the order in which they ended."""
    recorded = next(trace for trace in range(1, 10_000) if is_sampled(trace, 1))
    others = next(trace for trace in range(1, 10_000) if not is_sampled(trace, 50))
    for trace in (others, recorded):
        headers = account.headers | {"traceparent": f"00-{trace:032x}-{1:016x}-01"}
        assert service.http.get("/api/v1/limits", headers=headers).status_code == 200
    eventually(lambda: collector.trace(f"{recorded:032x}"))
    assert collector.trace(f"{others:032x}") == []
