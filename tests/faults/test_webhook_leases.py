"""Leases of webhooks: late failures are ignored; dead-lettered webhooks are listed as failed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from tests.support.clock import ManualClock
from tests.support.database import break_off_the_writer
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService, require_sound
from tests.support.webhooks import claim, outcomes, publish_events, run
from tidings import limits
from tidings.engine.http.outbound.client import Fault, Posted
from tidings.engine.queue import Job
from tidings.features.webhooks import deliver, store
from tidings.features.webhooks.record import Outcome

LEASE = limits.JOB_LEASE.total_seconds()
FAILED = Posted(None, Fault.TIMEOUT, 10_000)


@pytest.fixture
def account(still_service: TestService, receiver: Receiver) -> TestAccount:
    return still_service.account(webhookUrl=receiver.url)


def report(account: TestAccount, job: Job, posted: Posted) -> None:
    """Report a post that a worker made under this claim."""
    ctx = account.service.ctx
    key = (job.account_id, job.subject)
    found = account.service.transact(lambda tx: store.load(tx, [key]))
    outcome = Outcome(job, found[job.subject], posted, job.attempts)
    account.service.call(lambda: ctx.lanes.deliver.put([outcome]))


def jobs_left(account: TestAccount) -> list[dict[str, Any]]:
    return account.service.sql("SELECT * FROM jobs WHERE account_id = $1", account.id)


def test_a_failure_reported_by_a_worker_that_lost_its_lease_is_ignored(
    account: TestAccount, clock: ManualClock
) -> None:
    publish_events(account)
    [lost] = claim(account)
    clock.advance(seconds=LEASE + 1)
    [held] = claim(account)
    assert (held.attempts, held.crashes) == (2, 1)
    report(account, lost, FAILED)
    [row] = outcomes(account)
    assert (row["state"], row["attempts"]) == ("pending", [])
    [job] = jobs_left(account)
    assert job["leased"] and job["generation"] == held.generation


def test_its_success_counts(account: TestAccount, clock: ManualClock) -> None:
    publish_events(account)
    [lost] = claim(account)
    clock.advance(seconds=LEASE + 1)
    [held] = claim(account)
    report(account, lost, Posted(200, None, 9_000))
    assert outcomes(account)[0]["state"] == "delivered"
    run(account, [held])
    assert jobs_left(account) == []
    assert len(outcomes(account)[0]["attempts"]) == 1
    require_sound(account.service)


def test_its_success_counts_also_where_the_attempt_was_recorded_as_lost(
    account: TestAccount, clock: ManualClock
) -> None:
    """Found by seed 22 of `make simulate`: a process stood still for 70 seconds."""
    publish_events(account)
    [lost] = claim(account)
    clock.advance(seconds=LEASE + 1)
    run(account, claim(account))
    report(account, lost, Posted(200, None, 70_000))
    [row] = outcomes(account)
    assert row["state"] == "delivered"
    assert [(one["attempt"], one["status"]) for one in row["attempts"]] == [(1, None), (1, 200)]
    require_sound(account.service)


async def test_a_success_is_recorded_although_the_connection_was_lost(
    account: TestAccount,
) -> None:
    """Otherwise it would be posted again when its lease has expired."""
    publish_events(account)
    [job] = claim(account)
    with ThreadPoolExecutor(1) as pool:
        let_go = partial(pool.submit, report, account, job, Posted(200, None, 9))
        await break_off_the_writer(account.service._dsn, "webhooks", account.id, let_go)
    [row] = outcomes(account)
    assert (row["state"], len(row["attempts"])) == ("delivered", 1)
    assert jobs_left(account) == []


def test_an_expired_lease_is_a_failed_attempt_and_keeps_its_wait(
    account: TestAccount, clock: ManualClock, receiver: Receiver
) -> None:
    publish_events(account)
    claim(account)
    clock.advance(seconds=LEASE + 1)
    run(account, claim(account))
    assert not receiver.requests, "the attempt that was cut off may have been received: it counts"
    [row] = outcomes(account)
    assert [one["attempt"] for one in row["attempts"]] == [1]
    [job] = jobs_left(account)
    assert job["due_at"] == clock.now() + timedelta(seconds=10)
    clock.advance(seconds=10)
    run(account, claim(account))
    [request] = receiver.wait_for(1)
    assert request["X-Delivery-Attempt"] == "2"
    require_sound(account.service)


def test_six_expired_leases_are_six_attempts(account: TestAccount, clock: ManualClock) -> None:
    publish_events(account)
    for wait in (10, 60, 300, 1800, 7200, 1):
        claim(account)
        clock.advance(seconds=LEASE + 1)
        run(account, claim(account))
        clock.advance(seconds=wait)
    [row] = outcomes(account)
    assert row["state"] == "failed"
    assert [one["attempt"] for one in row["attempts"]] == [1, 2, 3, 4, 5, 6]
    assert jobs_left(account) == []
    require_sound(account.service)


def test_a_webhook_that_crashes_workers_is_listed_as_failed(
    account: TestAccount, clock: ManualClock, receiver: Receiver
) -> None:
    [webhook_id] = publish_events(account)
    for _ in range(limits.WEBHOOK_ATTEMPTS_MAX):
        claim(account)  # and crashes
        clock.advance(seconds=LEASE + 1)
    [dead] = claim(account)
    assert dead.crashes == limits.WEBHOOK_ATTEMPTS_MAX
    run(account, [dead])
    [item] = account.get("/webhooks/failed").json()["data"]
    assert item["webhookId"] == webhook_id
    [job] = jobs_left(account)
    assert job["dead_lettered_at"] is not None
    require_sound(account.service)
    answer = account.post(f"/webhooks/failed/{webhook_id}/retry")
    assert answer.status_code == 200
    run(account, claim(account))
    assert receiver.wait_for(1)[0]["X-Delivery-Attempt"] == "1"
    assert outcomes(account)[0]["state"] == "delivered"


def test_a_webhook_has_six_attempts_also_where_workers_keep_being_killed(
    account: TestAccount, clock: ManualClock, receiver: Receiver
) -> None:
    publish_events(account)
    for _ in range(limits.WEBHOOK_ATTEMPTS_MAX - 1):
        claim(account)  # by a worker that is killed before it posts
        clock.advance(seconds=LEASE + 1)
    run(account, claim(account))  # records the attempt of the one before
    clock.advance(hours=3)
    run(account, claim(account))
    assert receiver.wait_for(1)[0]["X-Delivery-Attempt"] == "6"
    assert outcomes(account)[0]["state"] == "delivered"
    require_sound(account.service)


def test_a_released_delivery_does_not_count_as_an_attempt(
    account: TestAccount, clock: ManualClock, receiver: Receiver
) -> None:
    publish_events(account, 3)
    due, jobs = clock.now(), claim(account)
    clock.advance(seconds=5)
    ctx = account.service.ctx
    account.service.call(lambda: deliver.release(ctx, jobs))
    rows = jobs_left(account)
    assert {(row["attempts"], row["leased"], row["due_at"]) for row in rows} == {(0, False, due)}
    assert not receiver.requests
    run(account, claim(account))
    assert {h["X-Delivery-Attempt"] for h in receiver.wait_for(3)} == {"1"}
