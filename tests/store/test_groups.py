"""Jobs that run from memory and share one lease row: how they end, leave and outlive a crash."""

import asyncio
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.queue import HOUR, LEASE, OURS, POOL, SECOND, THEIRS, House
from tests.support.waiting import until
from tidings import limits
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.queue import Job, Reschedule, groups, lease, stats
from tidings.engine.queue.groups import Leftovers

WAITING_FOR_A_LOCK = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


async def lease_group(house: House, *subjects: str, **fields: object) -> list[Job]:
    jobs = [house.job(subject, **fields) for subject in subjects]
    return await house.db.transact(lambda tx: queue.lease_group(tx, jobs))


async def outlive_lease(house: House) -> None:
    house.clock.advance(seconds=LEASE.total_seconds())


async def claim_all(house: House) -> list[Job]:
    """The first claim expands expired groups, the second gets their members."""
    return [*await house.claim(), *await house.claim()]


async def test_jobs_that_run_together_share_a_row(house: House) -> None:
    jobs = await lease_group(house, "1", "2", "3")
    [row] = await house.rows()
    assert row["subjects"] == ["1", "2", "3"] and row["leased"]
    assert [job.subject for job in jobs] == ["1", "2", "3"]
    assert {(job.id, job.attempts, job.crashes) for job in jobs} == {(row["id"], 1, 0)}
    assert len({job.key for job in jobs}) == 3
    assert await house.claim() == [], "it is leased"


async def test_what_fairness_or_a_clock_tells_apart_is_in_different_groups(house: House) -> None:
    new = [
        house.job("1"),
        house.job("2", account_id=THEIRS),
        house.job("3", priority=7),
        house.job("4", clock=HOUR),
        house.job("5", partition_key="elsewhere"),
        house.job("6"),
    ]
    jobs = await house.db.transact(lambda tx: queue.lease_group(tx, new))
    assert [job.subject for job in jobs] == ["1", "2", "3", "4", "5", "6"], "in their order"
    subjects = sorted(row["subjects"] for row in await house.rows())
    assert subjects == [["1", "6"], ["2"], ["3"], ["4"], ["5"]]


async def test_a_group_has_a_largest_size(house: House) -> None:
    size = limits.JOB_GROUP_MAX
    jobs = await lease_group(house, *(str(n) for n in range(2 * size + 1)))
    assert [len(row["subjects"]) for row in await house.rows()] == [size, size, 1]
    await house.complete(*jobs)
    assert await house.rows() == []


async def test_the_row_of_a_group_is_too_small_for_toast(house: House) -> None:
    await lease_group(house, *(f"whk_{random.getrandbits(128):032x}" for _ in range(40)))
    assert limits.JOB_GROUP_MAX == 40
    [size] = await house.db.rows("SELECT pg_column_size(jobs.*) AS bytes FROM jobs")
    assert size["bytes"] < 2000


async def test_the_row_goes_with_the_last_member(house: House) -> None:
    first, second, third = await lease_group(house, "1", "2", "3")
    await house.complete(second)
    await house.complete(first)
    assert len(await house.rows()) == 1
    await house.complete(third)
    assert await house.rows() == []


async def test_a_rolled_back_end_is_no_end(house: House) -> None:
    first, second = await lease_group(house, "1", "2")
    with pytest.raises(ZeroDivisionError):
        async with house.db.transaction() as tx:
            await queue.complete(tx, [first])
            raise ZeroDivisionError
    await house.complete(second)
    [row] = await house.rows()
    assert row["subjects"] == ["1", "2"], "the first has not ended"
    await house.complete(first)
    assert await house.rows() == []


async def test_members_that_end_in_one_transaction_one_after_the_other(house: House) -> None:
    first, second = await lease_group(house, "1", "2")
    async with house.db.transaction() as tx:
        await queue.complete(tx, [first])
        await queue.complete(tx, [second])
    assert await house.rows() == []


async def test_two_transactions_that_end_the_last_members_at_once(house: House) -> None:
    """Neither knows whether the other commits: the row is deleted afterwards."""
    first, second = await lease_group(house, "1", "2")
    async with house.db.transaction() as one, house.db.transaction() as other:
        await queue.complete(one, [first])
        await queue.complete(other, [second])
    assert len(await house.rows()) == 1
    await house.db.transact(groups.delete_leftovers)
    assert await house.rows() == []
    async with house.db.transaction() as tx:
        assert not tx.of_process(Leftovers).groups


async def test_a_member_that_runs_again_later_gets_a_row_of_its_own(house: House) -> None:
    first, second = await lease_group(house, "1", "2", priority=3, partition_key="p")
    due = house.clock.now() + HOUR
    await house.reschedule(Reschedule(first, due, HOUR, payload=b'"why"'))
    group, row = sorted(await house.rows(), key=lambda row: row["subjects"] is None)
    assert group["subjects"] == ["2"]
    values = {name: row[name] for name in ("subject", "due_at", "clock_ms", "payload", "attempts")}
    assert values == {
        "subject": "1",
        "due_at": due,
        "clock_ms": 3_600_000,
        "payload": '"why"',
        "attempts": 1,
    }
    assert (row["priority"], row["partition_key"], row["leased"]) == (3, "p", False)
    await house.complete(second)
    house.clock.advance(seconds=3600)
    [job] = await house.claim()
    assert (job.subject, job.attempts, job.crashes) == ("1", 2, 0)


async def test_a_member_leaves_once_though_its_commit_was_lost_and_it_is_recorded_again(
    house: House,
) -> None:
    first, second = await lease_group(house, "1", "2")
    again = Reschedule(first, house.clock.now() + HOUR)
    await house.reschedule(again)
    await house.reschedule(again, Reschedule(second, house.clock.now() + HOUR))
    assert sorted(row["subject"] for row in await house.rows()) == ["1", "2"]


async def test_two_members_leave_at_the_same_time(house: House) -> None:
    first, second, _ = await lease_group(house, "1", "2", "3")
    async with house.db.transaction() as tx:
        await queue.reschedule(tx, [Reschedule(first, tx.now)])
        other = asyncio.create_task(house.reschedule(Reschedule(second, tx.now)))
        await until(lambda: house.db.value(WAITING_FOR_A_LOCK))
    await other
    waiting = [row["subjects"] or row["subject"] for row in await house.rows()]
    assert waiting == [["3"], "1", "2"]


async def test_the_last_member_leaves_nothing_but_its_own_row(house: House) -> None:
    first, second = await lease_group(house, "1", "2")
    await house.complete(first)
    await house.reschedule(Reschedule(second, house.clock.now(), count_attempt=False))
    [row] = await house.rows()
    assert (row["subject"], row["subjects"], row["attempts"]) == ("2", None, 0)


async def test_members_that_end_and_leave_in_one_transaction(house: House) -> None:
    first, second = await lease_group(house, "1", "2")
    async with house.db.transaction() as tx:
        await queue.complete(tx, [first])
        await queue.reschedule(tx, [Reschedule(second, tx.now)])
    [row] = await house.rows()
    assert (row["subject"], row["subjects"]) == ("2", None)


async def test_a_member_can_be_released(house: House) -> None:
    first, second = await lease_group(house, "1", "2")
    now = house.clock.now()
    await house.db.transact(lambda tx: queue.release(tx, [first, second], now))
    [one, two] = await house.claim()
    assert [(job.subject, job.attempts, job.crashes) for job in (one, two)] == [
        ("1", 1, 0),
        ("2", 1, 0),
    ]


async def test_a_rerun_requested_meanwhile_is_heeded(house: House) -> None:
    [job] = await lease_group(house, "1")
    await house.db.transact(lambda tx: queue.run_now(tx, OURS, [POOL]))
    await house.reschedule(Reschedule(job, house.clock.now() + HOUR))
    assert await house.subjects() == ["1"]


async def test_an_expired_group_becomes_jobs_that_count_a_crash(house: House) -> None:
    await lease_group(house, "1", "2", "3", partition_key="p", priority=3)
    await outlive_lease(house)
    assert (await house.claim_round()).held_back, "the next claim comes soon"
    jobs = await house.claim()
    assert [job.subject for job in jobs] == ["1", "2", "3"]
    assert {(job.attempts, job.crashes, job.group) for job in jobs} == {(2, 1, None)}
    assert {(job.partition_key, job.priority) for job in jobs} == {("p", 3)}
    await house.complete(*jobs)
    assert await house.rows() == []


async def test_what_the_old_holder_reports_after_that_is_refused(house: House) -> None:
    late = await lease_group(house, "1", "2")
    await outlive_lease(house)
    jobs = await claim_all(house)
    await house.complete(late[0])
    await house.reschedule(Reschedule(late[1], house.clock.now()))
    async with house.db.transaction() as tx:
        assert await lease.lock_held(tx, [*late, *jobs]) == {job.key for job in jobs}
    assert [row["subject"] for row in await house.rows()] == ["1", "2"]


async def test_members_are_held_as_long_as_their_group(house: House) -> None:
    jobs = await lease_group(house, "1", "2")
    async with house.db.transaction() as tx:
        assert await lease.lock_held(tx, jobs) == {job.key for job in jobs}


async def test_a_share_bounds_how_many_members_of_an_expired_group_are_claimed(
    house: House,
) -> None:
    await lease_group(house, *"12345")
    await house.enqueue(house.job("theirs", account_id=THEIRS))
    await outlive_lease(house)
    await house.claim(2)
    assert len(await house.claim(2)) == 2


async def test_leases_of_a_process_that_is_gone_end_at_once(house: House) -> None:
    await lease_group(house, "1", "2")
    house.clock.advance(seconds=1)
    now = house.clock.now()
    await house.db.transact(lambda tx: lease.release_orphaned(tx, [POOL], now))
    assert [job.subject for job in await claim_all(house)] == ["1", "2"]


async def test_running_groups_are_neither_cancelled_nor_moved(house: House) -> None:
    jobs = await lease_group(house, "1", "2")
    before = await house.rows()

    async def change(tx) -> None:
        await queue.cancel(tx, [POOL], [(OURS, "1")])
        await queue.run_by(tx, [POOL], OURS, [("1", tx.now)])
        await queue.move_clock(tx, OURS, [POOL], HOUR)

    await house.db.transact(change)
    assert await house.rows() == before
    await house.complete(*jobs)


async def test_counts_are_of_jobs_and_not_of_rows(house: House) -> None:
    await lease_group(house, "1", "2", "3")
    await house.enqueue(house.job("4", due_at=house.clock.now() + 2 * LEASE))

    async def counts(tx) -> tuple[int, int, int]:
        unfinished = await stats.count_unfinished(tx, OURS, [POOL], 0 * SECOND)
        due = await stats.count_due(tx, [POOL], 10)
        return await stats.count(tx, OURS, POOL), unfinished, due[POOL]

    assert await house.db.transact(counts) == (4, 3, 0)
    await outlive_lease(house)
    assert await house.db.transact(counts) == (4, 3, 3)


# A group's life with crashes anywhere

STEPS = st.lists(
    st.sampled_from(["complete", "two at once", "roll back", "reschedule", "release", "crash"]),
    max_size=12,
)


class Life:
    """Members whose effect happens once each, whatever becomes of the process that runs them."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.random = random.Random(seed)
        self.running: list[Job] = []
        self.effects: Counter[str] = Counter()
        self.rows: Database = house.db

    def pick(self) -> Job | None:
        return self.random.choice(self.running) if self.running else None

    async def step(self, name: str) -> None:
        job = self.pick()
        if name == "crash":
            self.running = []
            await outlive_lease(self.house)
            self.running = await claim_all(self.house)
        elif job is None:
            self.running = await self.house.claim()
        elif name == "roll back":
            with pytest.raises(ZeroDivisionError):
                async with self.house.db.transaction() as tx:
                    await queue.complete(tx, [job])
                    raise ZeroDivisionError
        elif name == "two at once" and len(self.running) > 1:
            await self.end_two(*self.random.sample(self.running, 2))
        else:
            self.running.remove(job)
            await self.end_one(name, job)

    async def end_one(self, name: str, job: Job) -> None:
        if name == "reschedule":
            await self.house.reschedule(Reschedule(job, self.house.clock.now()))
        elif name == "release":
            now = self.house.clock.now()
            await self.house.db.transact(lambda tx: queue.release(tx, [job], now))
        else:
            self.take_effect(job)
            await self.house.complete(job)

    async def end_two(self, one: Job, other: Job) -> None:
        self.running = [job for job in self.running if job not in (one, other)]
        self.take_effect(one)
        self.take_effect(other)
        async with self.house.db.transaction() as first, self.house.db.transaction() as second:
            await queue.complete(first, [one])
            await queue.complete(second, [other])

    def take_effect(self, job: Job) -> None:
        """As a handler does: by compare-and-set on the state of the subject."""
        if not self.effects[job.subject]:
            self.effects[job.subject] += 1


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(1, 5), steps=STEPS, seed=st.integers(0, 1000))
async def test_every_member_runs_and_in_the_end_no_row_is_left(
    house: House, size: int, steps: list[str], seed: int
) -> None:
    await house.db.rows("DELETE FROM jobs")
    life = Life(house, seed)
    subjects = [str(n) for n in range(size)]
    life.running = await lease_group(house, *subjects)
    for name in steps:
        await life.step(name)
        waiting = {subject for row in await house.rows() for subject in _subjects(row)}
        unfinished = {one for one in subjects if not life.effects[one]}
        assert unfinished <= waiting, "a job whose effect is still to come has a row"
    await house.complete(*life.running)
    for job in life.running:
        life.take_effect(job)
    await house.db.transact(groups.delete_leftovers)
    while await house.rows():
        await outlive_lease(house)
        for job in await claim_all(house):
            life.take_effect(job)
            await house.complete(job)
    assert life.effects == Counter(subjects)


def _subjects(row: dict) -> list[str]:
    return row["subjects"] or [row["subject"]]
