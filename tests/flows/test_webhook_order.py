"""Webhooks posted from memory: their rows, their order within a message, their capacity."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.receiver import Answer, Receiver, reply
from tests.support.service import TestAccount, TestService, require_sound
from tests.support.waiting import eventually
from tests.support.webhooks import claim, outcomes, publish_events, run, wait_for_states
from tidings import limits
from tidings.engine.queue import Job, Partition
from tidings.engine.queue.handover import LocalWorkers

LEASE = limits.JOB_LEASE.total_seconds()


class Held:
    """A response that comes when the test says so."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def answer(self, status: int = 200) -> Answer:
        usual = reply(status)

        async def answer(writer: asyncio.StreamWriter) -> bool:
            while not self.released.is_set():
                await asyncio.sleep(0.01)
            return await usual(writer)

        return answer


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TestService]:
    with TestService(fresh_database(), tmp_path) as running:
        yield running


@pytest.fixture
def held() -> Iterator[Held]:
    held = Held()
    yield held
    held.released.set()


def jobs_of(account: TestAccount) -> list[dict]:
    query = "SELECT subject, subjects, leased FROM jobs WHERE account_id = $1 AND pool = 'webhooks'"
    return account.service.sql(query, account.id)


def test_what_is_posted_right_away_has_one_row_for_all(
    service: TestService, receiver: Receiver, held: Held
) -> None:
    receiver.answer(held.answer())
    account = service.account(webhookUrl=receiver.url)
    ids = publish_events(account, 3)
    receiver.wait_for(3)
    [row] = jobs_of(account)
    assert row["leased"] and row["subjects"] == ids
    held.released.set()
    wait_for_states(account, "delivered")
    eventually(lambda: jobs_of(account) == [])
    require_sound(service)


def test_what_has_no_slot_waits_in_the_queue_and_is_not_overtaken(
    service: TestService, receiver: Receiver, held: Held
) -> None:
    receiver.answer(held.answer())
    account = service.account(webhookUrl=receiver.url)
    first = publish_events(account, 10)
    later = publish_events(account, 1)
    receiver.wait_for(limits.WEBHOOK_SLOTS_PER_DESTINATION)
    subjects = [row["subject"] for row in jobs_of(account) if row["subjects"] is None]
    assert set(later) <= set(subjects) and set(subjects) < {*first, *later}
    held.released.set()
    wait_for_states(account, "delivered")
    assert len(receiver.requests) == 11


def test_what_comes_while_another_is_posted_takes_a_free_slot(
    service: TestService, receiver: Receiver, held: Held
) -> None:
    receiver.answer(held.answer())
    account = service.account(webhookUrl=receiver.url)
    [first] = publish_events(account)
    receiver.wait_for(1)
    [second] = publish_events(account)
    receiver.wait_for(2)
    groups = [row["subjects"] for row in jobs_of(account)]
    assert sorted(groups) == [[first], [second]], "a webhook that waits too long leaves its group"


def require_order(receiver: Receiver, held: Held, first: TestAccount, later: TestAccount) -> None:
    """While the response to a message's first event is held, the next one waits, and an event of
    another message does not."""
    message_id = uuid4()
    [sent] = publish_events(first, message_id=message_id)
    receiver.wait_for(1)
    [delivered] = publish_events(later, message_id=message_id)
    [other] = publish_events(later, message_id=uuid4())
    receiver.wait_for(2)
    assert [one["X-Webhook-Id"] for one in receiver.requests] == [sent, other]
    held.released.set()
    assert receiver.wait_for(3)[2]["X-Webhook-Id"] == delivered


@pytest.mark.parametrize("status", [200, 500])
def test_a_later_event_waits_until_the_one_before_was_attempted(
    service: TestService, receiver: Receiver, held: Held, status: int
) -> None:
    receiver.answers([held.answer(status)])
    account = service.account(webhookUrl=receiver.url)
    require_order(receiver, held, account, account)


def test_events_of_one_transaction_are_posted_in_their_order(
    service: TestService, receiver: Receiver
) -> None:
    account = service.account(webhookUrl=receiver.url)
    ids = publish_events(account, 4, message_id=uuid4())
    assert [one["X-Webhook-Id"] for one in receiver.wait_for(4)] == ids


def test_an_event_waits_for_the_one_before_that_another_process_posts(
    service: TestService, receiver: Receiver, held: Held, tmp_path: Path
) -> None:
    receiver.answers([held.answer()])
    account = service.account(webhookUrl=receiver.url)
    with TestService(service._dsn, tmp_path) as second:
        made = {"id": account.id, "apiKey": account.key, "signingSecret": account.secret}
        require_order(receiver, held, account, TestAccount(second, made))
        wait_for_states(account, "delivered")


# A process that dies with a group in memory


class Abandoned:
    """A worker that takes jobs and is gone."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def capacity(self, partition: Partition) -> int:
        return 100

    def take(self, jobs: Sequence[Job]) -> None:
        self.jobs += jobs

    def passed_over(self, partition: Partition) -> None:
        raise AssertionError("there is capacity for all")


def test_a_crash_between_the_outcomes_of_a_group(
    still_service: TestService, clock: ManualClock, receiver: Receiver
) -> None:
    """What was recorded is not posted again; what was not counts as an attempt."""
    worker = Abandoned()
    still_service.ctx.db.of_process(LocalWorkers).by_pool["webhooks"] = worker
    account = still_service.account(webhookUrl=receiver.url)
    ids = publish_events(account, 3)
    assert [job.subject for job in worker.jobs] == ids
    run(account, worker.jobs[1:2])
    assert [row["state"] for row in outcomes(account)] == ["pending", "delivered", "pending"]
    require_sound(still_service)

    clock.advance(seconds=LEASE)
    assert claim(account) == []
    require_sound(still_service)
    jobs = claim(account)
    assert [(job.subject, job.attempts, job.crashes) for job in jobs] == [
        (webhook_id, 2, 1) for webhook_id in ids
    ]
    run(account, jobs)
    run(account, worker.jobs[:1])  # the dead come back, with a success
    found = outcomes(account)
    assert [row["state"] for row in found] == ["delivered", "delivered", "pending"]
    assert [len(row["attempts"]) for row in found] == [2, 1, 1]
    clock.advance(seconds=10)
    run(account, claim(account))
    assert {row["state"] for row in outcomes(account)} == {"delivered"}
    assert jobs_of(account) == []
    assert [one["X-Delivery-Attempt"] for one in receiver.requests] == ["1", "1", "2"]
    require_sound(still_service)


def test_what_is_not_posted_because_the_rest_could_not_be_loaded_leaves_the_order(
    still_service: TestService, receiver: Receiver
) -> None:
    worker = Abandoned()
    still_service.ctx.db.of_process(LocalWorkers).by_pool["webhooks"] = worker
    account = still_service.account(webhookUrl=receiver.url)
    publish_events(account, 2, message_id=uuid4())
    [known] = publish_events(account)
    account.service.sql("UPDATE signing_secrets SET sealed = sealed || '\\x00'::bytea RETURNING 1")
    # The first event of the message is not posted here, so the second has to be loaded.
    run(account, worker.jobs[1:])
    assert not receiver.requests
    assert not still_service.ctx.deliveries.order.is_known({known})
