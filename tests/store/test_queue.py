"""The job queue: claims, leases, fencing, unique keys, ordering keys and priorities."""

from tests.support.queue import HOUR, LEASE, OURS, SECOND, THEIRS, House
from tidings.engine import queue
from tidings.engine.queue import Reschedule

# Enqueue, claim, complete


async def test_a_job_is_claimed_once_it_is_due_and_not_before(house: House) -> None:
    due = house.clock.now() + SECOND
    await house.enqueue(house.job("one", due_at=due, clock=HOUR, payload=b'{"a": 1}'))
    assert await house.claim() == []
    house.clock.advance(seconds=1)
    [job] = await house.claim()
    assert (job.account_id, job.kind, job.subject) == (OURS, "kind", "one")
    assert (job.generation, job.attempts, job.crashes) == (1, 1, 0)
    assert (job.due_at, job.clock, job.payload) == (due, HOUR, '{"a": 1}')


async def test_ids_come_back_in_the_order_of_the_jobs(house: House) -> None:
    ids = await house.enqueue(*(house.job(f"job-{n}") for n in range(200)))
    assert {row["id"]: row["subject"] for row in await house.rows()} == {
        id: f"job-{n}" for n, id in enumerate(ids)
    }
    assert await house.enqueue() == []


async def test_a_claimed_job_cannot_be_claimed_until_its_lease_expires(house: House) -> None:
    await house.enqueue(house.job())
    assert len(await house.claim()) == 1
    house.clock.advance(seconds=LEASE.total_seconds() - 0.001)
    assert await house.claim() == []


async def test_the_job_of_a_crashed_worker_falls_due_when_its_lease_expires(house: House) -> None:
    await house.enqueue(house.job())
    for crashes in range(4):
        [job] = await house.claim()
        assert (job.crashes, job.attempts, job.generation) == (
            crashes,
            crashes + 1,
            crashes + 1,
        )
        house.clock.advance(seconds=LEASE.total_seconds())


async def test_a_completed_job_is_deleted(house: House) -> None:
    await house.enqueue(house.job("one"), house.job("two"))
    one, _ = await house.claim()
    await house.complete(one)
    await house.complete()
    assert [row["subject"] for row in await house.rows()] == ["two"]


async def test_only_jobs_of_the_pool_are_claimed(house: House) -> None:
    await house.enqueue(house.job("ours"), house.job("other", pool="webhooks"))
    assert await house.subjects() == ["ours"]


# Fencing


async def test_a_stale_complete_touches_nothing(house: House) -> None:
    await house.enqueue(house.job())
    [stale] = await house.claim()
    house.clock.advance(seconds=LEASE.total_seconds())
    [current] = await house.claim()
    await house.complete(stale)
    assert len(await house.rows()) == 1
    await house.complete(current)
    assert await house.rows() == []


async def test_a_stale_reschedule_touches_nothing(house: House) -> None:
    await house.enqueue(house.job())
    [stale] = await house.claim()
    house.clock.advance(seconds=LEASE.total_seconds())
    await house.claim()
    before = await house.rows()
    await house.reschedule(Reschedule(stale, house.clock.now(), payload=b"[]", count_attempt=False))
    assert await house.rows() == before


async def test_a_stale_dead_letter_touches_nothing(house: House) -> None:
    await house.enqueue(house.job())
    [stale] = await house.claim()
    house.clock.advance(seconds=LEASE.total_seconds())
    [current] = await house.claim()
    await house.dead_letter(stale)
    await house.reschedule(Reschedule(current, house.clock.now()))
    assert await house.subjects() == ["one"]


async def test_a_job_may_be_completed_after_its_lease_unless_claimed_again(house: House) -> None:
    await house.enqueue(house.job())
    [job] = await house.claim()
    house.clock.advance(hours=1)
    await house.complete(job)
    assert await house.rows() == []


# Reschedule, dead-letter, leased on insert


async def test_a_rescheduled_job_waits_and_loses_its_crash_count(house: House) -> None:
    await house.enqueue(house.job(payload=b'"first"'))
    await house.claim()
    house.clock.advance(seconds=LEASE.total_seconds())
    [job] = await house.claim()
    assert job.crashes == 1
    later = house.clock.now() + HOUR
    await house.reschedule(Reschedule(job, later))
    house.clock.advance(minutes=59)
    assert await house.claim() == []
    house.clock.advance(minutes=1)
    [job] = await house.claim()
    assert (job.crashes, job.attempts, job.due_at) == (0, 3, later)
    assert job.payload == '"first"', "None keeps what it has"


async def test_what_was_rescheduled_is_not_released_by_the_same_claim(house: House) -> None:
    """A handler of several transactions that cannot go on releases all of its jobs."""
    await house.enqueue(house.job("1"), house.job("2"))
    first, second = await house.claim()
    later = house.clock.now() + HOUR
    await house.reschedule(Reschedule(first, later))
    await house.db.transact(lambda tx: queue.release(tx, [first, second], tx.now))
    rows = {row["subject"]: (row["due_at"], row["attempts"]) for row in await house.rows()}
    assert rows == {first.subject: (later, 1), second.subject: (house.clock.now(), 0)}


async def test_rescheduling_may_replace_the_payload_and_not_count_the_attempt(house: House) -> None:
    await house.enqueue(house.job(payload=b'"first"'))
    [job] = await house.claim()
    await house.reschedule(
        Reschedule(job, house.clock.now(), payload=b'"second"', count_attempt=False)
    )
    [job] = await house.claim()
    assert (job.attempts, job.generation, job.payload) == (1, 2, '"second"')


async def test_a_dead_lettered_job_is_kept_but_not_claimed_and_frees_its_key(house: House) -> None:
    await house.enqueue(house.job("poison", unique_key="key"))
    await house.dead_letter(*await house.claim())
    house.clock.advance(days=1)
    assert await house.claim() == []
    [row] = await house.rows()
    assert row["dead_lettered_at"] is not None
    assert (await house.claim_round()).next_due is None
    await house.enqueue(house.job("next", unique_key="key"))
    assert await house.subjects() == ["next"]


# Unique keys


async def test_one_job_of_a_unique_key_waits_with_the_earliest_due_time(house: House) -> None:
    now = house.clock.now()
    await house.enqueue(house.job("a", unique_key="key", due_at=now + 2 * HOUR, clock=SECOND))
    await house.enqueue(house.job("b", unique_key="key", due_at=now + 3 * HOUR, clock=2 * SECOND))
    [row] = await house.rows()
    assert (row["due_at"], row["clock_ms"]) == (now + 2 * HOUR, 1000)
    await house.enqueue(house.job("c", unique_key="key", due_at=now + HOUR, clock=3 * SECOND))
    [row] = await house.rows()
    assert (row["due_at"], row["clock_ms"]) == (now + HOUR, 3000)


async def test_one_call_may_enqueue_the_same_unique_key_twice(house: House) -> None:
    now = house.clock.now()
    late, early = (house.job(unique_key="key", due_at=now + n * HOUR) for n in (2, 1))
    plain = [house.job("plain"), house.job("other", unique_key="other")]
    await house.enqueue(late, *plain, early, late)
    await house.enqueue(early, late)
    waits = {row["unique_key"]: row["due_at"] for row in await house.rows()}
    assert waits == {"key": now + HOUR, None: now, "other": now}


async def test_unique_keys_belong_to_an_account(house: House) -> None:
    await house.enqueue(house.job(unique_key="key"), house.job(unique_key="key", account_id=THEIRS))
    assert len(await house.claim()) == 2


async def test_claiming_a_job_frees_its_unique_key(house: House) -> None:
    await house.enqueue(house.job("first", unique_key="key"))
    [running] = await house.claim()
    await house.enqueue(house.job("what happened meanwhile", unique_key="key"))
    assert await house.subjects() == ["what happened meanwhile"]
    await house.complete(running)
    assert len(await house.rows()) == 1


# Order and priority


async def test_a_job_waits_until_the_older_one_of_its_ordering_key_was_attempted(
    house: House,
) -> None:
    await house.enqueue(*(house.job(f"{n}", ordering_key="key") for n in range(3)))
    for n in range(3):
        [job] = await house.claim()
        assert job.subject == str(n)
        assert await house.claim() == []
        await house.complete(job)


async def test_an_older_job_that_failed_does_not_hold_back_the_later_one(house: House) -> None:
    await house.enqueue(*(house.job(f"{n}", ordering_key="key") for n in range(2)))
    [first] = await house.claim()
    await house.reschedule(Reschedule(first, house.clock.now() + HOUR))
    assert await house.subjects() == ["1"]


async def test_an_older_job_whose_attempt_did_not_count_still_goes_first(house: House) -> None:
    await house.enqueue(*(house.job(f"{n}", ordering_key="key") for n in range(2)))
    [first] = await house.claim()
    await house.reschedule(Reschedule(first, house.clock.now() + SECOND, count_attempt=False))
    assert await house.claim() == []
    house.clock.advance(seconds=1)
    assert await house.subjects() == ["0"]


async def test_an_older_job_that_crashed_or_is_dead_lets_the_later_go(
    house: House,
) -> None:
    await house.enqueue(*(house.job(f"{n}", ordering_key="key") for n in range(2)))
    await house.claim()
    house.clock.advance(seconds=LEASE.total_seconds())
    [first] = await house.claim()
    assert first.subject == "0"
    await house.dead_letter(first)
    assert await house.subjects() == ["1"]


async def test_order_is_kept_within_an_account_and_a_key_only(house: House) -> None:
    await house.enqueue(
        house.job("0", ordering_key="key"),
        house.job("1", ordering_key="other"),
        house.job("2", ordering_key="key", account_id=THEIRS),
        house.job("3"),
    )
    assert sorted(await house.subjects()) == ["0", "1", "2", "3"]


async def test_priority_goes_before_age(house: House) -> None:
    now = house.clock.now()
    await house.enqueue(house.job("passcode", priority=0))
    await house.enqueue(house.job("old", due_at=now - HOUR), house.job("older", due_at=now - HOUR))
    await house.enqueue(house.job("theirs", account_id=THEIRS, priority=0, due_at=now - HOUR))
    assert await house.subjects() == ["theirs", "passcode", "old", "older"]
    await house.enqueue(house.job("old", due_at=now - HOUR), house.job("passcode", priority=0))
    assert await house.subjects(1) == ["passcode"]
