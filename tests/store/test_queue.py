"""The job queue on a real PostgreSQL: who gets which jobs, when, and that nobody is forgotten."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tidings import limits
from tidings.engine import claims, queue
from tidings.engine.claims import ACCOUNTS_AT_ONCE, Claimer
from tidings.engine.db.pool import Database
from tidings.engine.queue import Again, Job, NewJob

POOL = "send"
OURS = UUID(int=1 << 64)
THEIRS = UUID(int=2 << 64)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
LEASE = limits.JOB_LEASE


class House:
    """A database, its clock, and the few verbs the stories are told with."""

    def __init__(self, db: Database, clock: ManualClock) -> None:
        self.db = db
        self.clock = clock
        self.claimer = Claimer(POOL)

    def job(self, subject: str = "one", **fields: Any) -> NewJob:
        values = {"account_id": OURS, "pool": POOL, "kind": "kind", "due_at": self.clock.now()}
        return NewJob(subject=subject, **values | fields)

    async def put(self, *jobs: NewJob) -> list[int]:
        return await self.db.transact(lambda tx: queue.put(tx, jobs))

    async def claim(self, limit: int = 100, claimer: Claimer | None = None) -> list[Job]:
        chosen = claimer or self.claimer
        return await self.db.transact(lambda tx: chosen.claim(tx, limit))

    async def subjects(self, limit: int = 100) -> list[str]:
        return [job.subject for job in await self.claim(limit)]

    async def finish(self, *jobs: Job) -> None:
        await self.db.transact(lambda tx: queue.finish(tx, jobs))

    async def again(self, *later: Again) -> None:
        await self.db.transact(lambda tx: queue.again(tx, later))

    async def park(self, *jobs: Job) -> None:
        await self.db.transact(lambda tx: queue.park(tx, jobs))

    async def rows(self) -> list[dict[str, Any]]:
        return [dict(row) for row in await self.db.rows("SELECT * FROM jobs ORDER BY id")]

    async def fill(self, account: int, count: int, *, after: timedelta = -HOUR) -> None:
        """Many plain jobs of an account, due one after another."""
        await self.db.rows(
            """
            INSERT INTO jobs (account_id, pool, kind, subject, due_at)
            SELECT $1, $2, 'kind', n::text, $3::timestamptz + n * interval '1 microsecond'
              FROM generate_series(1, $4) n
            """,
            UUID(int=account), POOL, self.clock.now() + after, count,
        )  # fmt: skip


Story = Callable[[House], Awaitable[None]]


@pytest.fixture(scope="module")
def dsn():
    return fresh_database()


@pytest.fixture
def run(dsn):
    """Run a story on an empty queue."""

    def run(story: Story) -> None:
        async def go() -> None:
            clock = ManualClock()
            db = await Database.open(dsn, clock)
            try:
                await db.rows("TRUNCATE jobs")
                async with asyncio.timeout(60):
                    await story(House(db, clock))
            finally:
                await db.close()

        asyncio.run(go())

    return run


# Put, claim, finish


def test_a_job_is_claimed_once_it_is_due_and_not_before(run) -> None:
    async def story(house: House) -> None:
        due = house.clock.now() + SECOND
        await house.put(house.job("one", due_at=due, clock=HOUR, payload=b'{"a": 1}'))
        assert await house.claim() == []
        house.clock.advance(seconds=1)
        [job] = await house.claim()
        assert (job.account_id, job.kind, job.subject) == (OURS, "kind", "one")
        assert (job.generation, job.attempts, job.crashes) == (1, 1, 0)
        assert (job.due_at, job.clock, job.payload) == (due, HOUR, '{"a": 1}')

    run(story)


def test_ids_come_back_in_the_order_of_the_jobs(run) -> None:
    async def story(house: House) -> None:
        ids = await house.put(*(house.job(f"job-{n}") for n in range(200)))
        assert {row["id"]: row["subject"] for row in await house.rows()} == {
            id: f"job-{n}" for n, id in enumerate(ids)
        }
        assert await house.put() == []

    run(story)


def test_a_claimed_job_is_nobody_elses_until_its_lease_runs_out(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job())
        assert len(await house.claim()) == 1
        house.clock.advance(seconds=LEASE.total_seconds() - 0.001)
        assert await house.claim() == []

    run(story)


def test_a_worker_that_dies_gives_its_job_back_by_doing_nothing(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job())
        for crashes in range(4):
            [job] = await house.claim()
            assert (job.crashes, job.attempts, job.generation) == (
                crashes,
                crashes + 1,
                crashes + 1,
            )
            house.clock.advance(seconds=LEASE.total_seconds())

    run(story)


def test_a_finished_job_is_gone(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job("one"), house.job("two"))
        one, _ = await house.claim()
        await house.finish(one)
        await house.finish()
        assert [row["subject"] for row in await house.rows()] == ["two"]

    run(story)


def test_only_the_pool_that_is_asked_for_is_claimed(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job("ours"), house.job("other", pool="webhooks"))
        assert await house.subjects() == ["ours"]

    run(story)


# Fencing


def test_a_stale_finish_touches_nothing(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job())
        [stale] = await house.claim()
        house.clock.advance(seconds=LEASE.total_seconds())
        [current] = await house.claim()
        await house.finish(stale)
        assert len(await house.rows()) == 1
        await house.finish(current)
        assert await house.rows() == []

    run(story)


def test_a_stale_again_touches_nothing(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job())
        [stale] = await house.claim()
        house.clock.advance(seconds=LEASE.total_seconds())
        await house.claim()
        before = await house.rows()
        await house.again(Again(stale, house.clock.now(), payload=b"[]", uncounted=True))
        assert await house.rows() == before

    run(story)


def test_a_stale_park_touches_nothing(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job())
        [stale] = await house.claim()
        house.clock.advance(seconds=LEASE.total_seconds())
        [current] = await house.claim()
        await house.park(stale)
        await house.again(Again(current, house.clock.now()))
        assert await house.subjects() == ["one"]

    run(story)


def test_a_lease_that_ran_out_unnoticed_may_still_be_finished(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job())
        [job] = await house.claim()
        house.clock.advance(hours=1)
        await house.finish(job)
        assert await house.rows() == []

    run(story)


# Again, park, born leased


def test_again_lets_the_job_rest_and_forgets_its_crashes(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job(payload=b'"first"'))
        await house.claim()
        house.clock.advance(seconds=LEASE.total_seconds())
        [job] = await house.claim()
        assert job.crashes == 1
        later = house.clock.now() + HOUR
        await house.again(Again(job, later))
        house.clock.advance(minutes=59)
        assert await house.claim() == []
        house.clock.advance(minutes=1)
        [job] = await house.claim()
        assert (job.crashes, job.attempts, job.due_at) == (0, 3, later)
        assert job.payload == '"first"', "None keeps what it has"

    run(story)


def test_again_may_replace_the_payload_and_leave_the_attempt_uncounted(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job(payload=b'"first"'))
        [job] = await house.claim()
        await house.again(Again(job, house.clock.now(), payload=b'"second"', uncounted=True))
        [job] = await house.claim()
        assert (job.attempts, job.generation, job.payload) == (1, 2, '"second"')

    run(story)


def test_a_job_born_leased_is_its_makers_until_the_lease_runs_out(run) -> None:
    async def story(house: House) -> None:
        [id] = await house.put(house.job(leased=True))
        assert await house.claim() == []
        house.clock.advance(seconds=LEASE.total_seconds())
        [job] = await house.claim()
        assert (job.id, job.generation, job.attempts, job.crashes) == (id, 2, 2, 1)
        await house.finish(Job(id, OURS, "kind", "one", generation=1))
        assert len(await house.rows()) == 1, "its maker comes too late"

    run(story)


def test_the_maker_of_a_job_born_leased_finishes_it(run) -> None:
    async def story(house: House) -> None:
        [id] = await house.put(house.job(leased=True))
        await house.finish(Job(id, OURS, "kind", "one", generation=1))
        assert await house.rows() == []

    run(story)


def test_a_parked_job_is_kept_claimed_no_more_and_frees_its_key(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job("poison", once="key"))
        await house.park(*await house.claim())
        house.clock.advance(days=1)
        assert await house.claim() == []
        [row] = await house.rows()
        assert row["parked_at"] is not None
        assert await house.db.transact(lambda tx: claims.next_due(tx, POOL)) is None
        await house.put(house.job("next", once="key"))
        assert await house.subjects() == ["next"]

    run(story)


# Once


def test_of_jobs_of_one_key_one_waits_with_the_earliest_due_time(run) -> None:
    async def story(house: House) -> None:
        now = house.clock.now()
        await house.put(house.job("a", once="key", due_at=now + 2 * HOUR, clock=SECOND))
        await house.put(house.job("b", once="key", due_at=now + 3 * HOUR, clock=2 * SECOND))
        [row] = await house.rows()
        assert (row["due_at"], row["clock_ms"]) == (now + 2 * HOUR, 1000)
        await house.put(house.job("c", once="key", due_at=now + HOUR, clock=3 * SECOND))
        [row] = await house.rows()
        assert (row["due_at"], row["clock_ms"]) == (now + HOUR, 3000)

    run(story)


def test_one_put_may_bring_the_same_key_twice(run) -> None:
    async def story(house: House) -> None:
        now = house.clock.now()
        late, early = (house.job(once="key", due_at=now + n * HOUR) for n in (2, 1))
        plain = [house.job("plain"), house.job("other", once="other")]
        await house.put(late, *plain, early, late)
        await house.put(early, late)
        waits = {row["once"]: row["due_at"] for row in await house.rows()}
        assert waits == {"key": now + HOUR, None: now, "other": now}

    run(story)


def test_keys_are_each_accounts_own(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job(once="key"), house.job(once="key", account_id=THEIRS))
        assert len(await house.claim()) == 2

    run(story)


def test_claiming_a_job_frees_its_key_so_that_nothing_is_overlooked(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job("first", once="key"))
        [running] = await house.claim()
        await house.put(house.job("what happened meanwhile", once="key"))
        assert await house.subjects() == ["what happened meanwhile"]
        await house.finish(running)
        assert len(await house.rows()) == 1

    run(story)


# Order and priority


def test_a_later_job_of_a_key_waits_until_the_older_was_tried(run) -> None:
    async def story(house: House) -> None:
        await house.put(*(house.job(f"{n}", ordered_by="key") for n in range(3)))
        for n in range(3):
            [job] = await house.claim()
            assert job.subject == str(n)
            assert await house.claim() == []
            await house.finish(job)

    run(story)


def test_an_older_job_that_failed_does_not_hold_the_later_back_for_ever(run) -> None:
    async def story(house: House) -> None:
        await house.put(*(house.job(f"{n}", ordered_by="key") for n in range(2)))
        [first] = await house.claim()
        await house.again(Again(first, house.clock.now() + HOUR))
        assert await house.subjects() == ["1"]

    run(story)


def test_an_older_job_whose_attempt_did_not_count_still_goes_first(run) -> None:
    async def story(house: House) -> None:
        await house.put(*(house.job(f"{n}", ordered_by="key") for n in range(2)))
        [first] = await house.claim()
        await house.again(Again(first, house.clock.now() + SECOND, uncounted=True))
        assert await house.claim() == []
        house.clock.advance(seconds=1)
        assert await house.subjects() == ["0"]

    run(story)


def test_an_older_job_that_crashed_or_was_parked_lets_the_later_go(run) -> None:
    async def story(house: House) -> None:
        await house.put(*(house.job(f"{n}", ordered_by="key") for n in range(2)))
        await house.claim()
        house.clock.advance(seconds=LEASE.total_seconds())
        [first] = await house.claim()
        assert first.subject == "0"
        await house.park(first)
        assert await house.subjects() == ["1"]

    run(story)


def test_order_is_kept_within_an_account_and_a_key_only(run) -> None:
    async def story(house: House) -> None:
        await house.put(
            house.job("0", ordered_by="key"),
            house.job("1", ordered_by="other"),
            house.job("2", ordered_by="key", account_id=THEIRS),
            house.job("3"),
        )
        assert sorted(await house.subjects()) == ["0", "1", "2", "3"]

    run(story)


def test_priority_goes_before_age(run) -> None:
    async def story(house: House) -> None:
        now = house.clock.now()
        await house.put(house.job("passcode", priority=0))
        await house.put(house.job("old", due_at=now - HOUR), house.job("older", due_at=now - HOUR))
        await house.put(house.job("theirs", account_id=THEIRS, priority=0, due_at=now - HOUR))
        assert await house.subjects() == ["theirs", "passcode", "old", "older"]
        await house.put(house.job("old", due_at=now - HOUR), house.job("passcode", priority=0))
        assert await house.subjects(1) == ["passcode"]

    run(story)


# Fairness


def test_one_great_account_does_not_keep_the_others_waiting(run) -> None:
    async def story(house: House) -> None:
        await house.fill(1, 20_000)
        for account in range(2, 22):
            await house.fill(account, 1, after=-SECOND)
        claimed = Counter(job.account_id.int for job in await house.claim(100))
        assert set(claimed) == set(range(1, 22))
        assert claimed[1] == 80, "what the others leave is its own"

    run(story)


def test_slots_that_free_up_one_by_one_go_round(run) -> None:
    """Otherwise the first account would take every slot, and the last never get one."""

    async def story(house: House) -> None:
        for account in range(1, 22):
            await house.fill(account, 50)
        for limit in (1, 4):
            served = {job.account_id for _ in range(30) for job in await house.claim(limit)}
            assert len(served) == 21

    run(story)


def test_accounts_with_nothing_due_do_not_thin_out_a_claim(run) -> None:
    async def story(house: House) -> None:
        for account in range(1, 2 * ACCOUNTS_AT_ONCE):
            await house.fill(account, 1, after=HOUR)
        await house.fill(1_000, 1_000)
        assert [len(await house.claim(100)) for _ in range(5)] == [100] * 5

    run(story)


def test_an_account_behind_many_with_nothing_due_is_not_starved(run) -> None:
    async def story(house: House) -> None:
        for account in range(1, 3 * ACCOUNTS_AT_ONCE):
            await house.fill(account, 1, after=HOUR)
        # The oldest due jobs are those of a great account: only the turning start finds the other.
        await house.fill(1, 5_000)
        await house.fill(2_000, 1, after=-SECOND)
        claimed = [job.account_id.int for _ in range(4) for job in await house.claim(100)]
        assert 2_000 in claimed

    run(story)


def test_four_claimers_never_get_the_same_job(run) -> None:
    async def story(house: House) -> None:
        for account in range(1, 11):
            await house.fill(account, 200)
        claimed: list[int] = []

        async def work() -> None:
            claimer = Claimer(POOL)
            while jobs := await house.claim(50, claimer):
                claimed.extend(job.id for job in jobs)

        await asyncio.gather(*(work() for _ in range(4)))
        # A claimer may find all that is left locked by its neighbours, and go home early.
        await work()
        assert len(claimed) == len(set(claimed)) == 2_000

    run(story)


def test_ordered_jobs_stay_in_order_under_four_claimers(run) -> None:
    async def story(house: House) -> None:
        keys = [f"message-{n}" for n in range(20)]
        await house.put(*(house.job(f"{n}", ordered_by=key) for n in range(10) for key in keys))
        started: list[tuple[str, int]] = []
        left = {"jobs": 200}

        async def work() -> None:
            claimer = Claimer(POOL)
            while left["jobs"]:
                jobs = await house.claim(10, claimer)
                rows = await house.db.rows(
                    "SELECT ordered_by, subject FROM jobs WHERE id = ANY($1)", [j.id for j in jobs]
                )
                started.extend((row["ordered_by"], int(row["subject"])) for row in rows)
                await house.finish(*jobs)
                left["jobs"] -= len(jobs)

        await asyncio.gather(*(work() for _ in range(4)))
        for key in keys:
            assert [n for one, n in started if one == key] == list(range(10))

    run(story)


# Cost


@pytest.mark.parametrize("analysed", ["never", "when empty", "now"])
def test_a_claim_reads_what_it_takes_and_not_all_that_waits(run, analysed: str) -> None:
    """Whatever the planner knows: a queue is full moments after its statistics said empty."""

    async def story(house: House) -> None:
        if analysed == "when empty":
            await house.put(*(house.job(pool="timers") for _ in range(500)))
            await house.db.rows("ANALYZE jobs")
        for account in range(1, 151):
            await house.fill(account, 200)
        if analysed == "now":
            await house.db.rows("ANALYZE jobs")
        async with house.db.transaction() as tx:
            assert len(await house.claimer.claim(tx, 100)) == 100
            assert await claims.next_due(tx, POOL) is not None
            read = await tx.value(
                """
                SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
                  FROM pg_stat_xact_user_tables WHERE relname = 'jobs'
                """
            )
        assert read < 1_000, f"{read} rows were read to claim 100"

    run(story)


# Hasten, clocks, wakes


def test_hasten_brings_forward_what_waits_in_the_accounts_pools(run) -> None:
    async def story(house: House) -> None:
        later = house.clock.now() + HOUR
        await house.put(house.job("running"))
        [running] = await house.claim()
        await house.put(
            house.job("held", due_at=later),
            house.job("other pool", due_at=later, pool="timers"),
            house.job("other account", due_at=later, account_id=THEIRS),
            house.job("due long since", due_at=house.clock.now() - HOUR),
        )
        async with house.db.transaction() as tx:
            await queue.hasten(tx, OURS, [POOL])
            assert tx.woken == {POOL}
        assert await house.subjects() == ["due long since", "held"]
        await house.finish(running)
        assert len(await house.rows()) == 4, "the lease of the running one was not touched"

    run(story)


def test_what_is_due_in_the_accounts_time_is_due_in_ours(run) -> None:
    async def story(house: House) -> None:
        now = house.clock.now()
        await house.put(
            house.job("in an hour", due_at=now + HOUR),
            house.job("in two", due_at=now + 2 * HOUR, clock=timedelta(0)),
            house.job("theirs", due_at=now + HOUR, account_id=THEIRS),
            house.job("other pool", due_at=now + HOUR, pool="timers"),
        )

        async def move(clock: timedelta) -> None:
            await house.db.transact(lambda tx: queue.move_clock(tx, OURS, [POOL], clock))

        await move(HOUR)
        await move(HOUR)  # where it is already: nothing moves twice
        waits = {row["subject"]: row["due_at"] for row in await house.rows()}
        assert waits == {
            "in an hour": now,
            "in two": now + HOUR,
            "theirs": now + HOUR,
            "other pool": now + HOUR,
        }
        await house.put(house.job("said under the new clock", due_at=now + HOUR, clock=HOUR))
        await move(2 * HOUR)
        assert await house.subjects() == ["in an hour", "in two", "said under the new clock"]

    run(story)


def test_leased_and_parked_jobs_do_not_follow_the_clock(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job("parked"))
        await house.park(*await house.claim())
        await house.put(house.job("running"))
        await house.claim()
        before = await house.rows()
        await house.db.transact(lambda tx: queue.move_clock(tx, OURS, [POOL], HOUR))
        assert await house.rows() == before

    run(story)


def test_putting_a_job_wakes_its_pool_unless_its_maker_runs_it(run) -> None:
    async def story(house: House) -> None:
        async with house.db.transaction() as tx:
            await queue.put(tx, [house.job(leased=True)])
            assert tx.woken == set()
            await queue.put(tx, [house.job(), house.job(pool="timers")])
            assert tx.woken == {POOL, "timers"}

    run(story)


# One account, any pool: how a sandbox clock plays its time forward


def test_the_due_jobs_of_one_account_come_from_all_pools_in_order(run) -> None:
    async def story(house: House) -> None:
        now = house.clock.now()
        pools = [POOL, "timers", "webhooks"]
        await house.put(
            house.job("second", pool="timers", due_at=now - SECOND),
            house.job("first", pool="webhooks", due_at=now - HOUR),
            house.job("third"),
            house.job("not asked for", pool="reports"),
            house.job("theirs", account_id=THEIRS),
            house.job("later", due_at=now + HOUR),
        )
        async with house.db.transaction() as tx:
            jobs = await claims.claim_of_account(tx, OURS, pools, 10)
            assert [job.subject for job in jobs] == ["first", "second", "third"]
            assert await claims.claim_of_account(tx, OURS, pools, 10) == []
            assert await claims.unsettled_of_account(tx, OURS, pools, timedelta(0)) == 3
            assert await claims.unsettled_of_account(tx, OURS, pools, HOUR) == 4
            assert await claims.unsettled_of_account(tx, THEIRS, pools, timedelta(0)) == 1
            assert await claims.next_due_of_account(tx, OURS, pools) == now + HOUR
            assert await claims.next_due_of_account(tx, THEIRS, pools) == now

    run(story)


def test_the_next_due_time_of_a_pool_counts_leases_too(run) -> None:
    async def story(house: House) -> None:
        now = house.clock.now()
        async with house.db.transaction() as tx:
            assert await claims.next_due(tx, POOL) is None
            await queue.put(tx, [house.job(), house.job(due_at=now + HOUR)])
            assert await claims.next_due(tx, POOL) == now
            await house.claimer.claim(tx, 10)
            assert await claims.next_due(tx, POOL) == now + LEASE
            assert await claims.next_due(tx, "timers") is None

    run(story)


def test_a_claim_that_is_rolled_back_was_none(run) -> None:
    async def story(house: House) -> None:
        await house.put(house.job())
        with suppress(ZeroDivisionError):
            async with house.db.transaction() as tx:
                await house.claimer.claim(tx, 10)
                raise ZeroDivisionError
        [job] = await house.claim()
        assert (job.attempts, job.crashes) == (1, 0)

    run(story)
