"""The worker: it runs what is due, and survives handlers and workers that crash."""

import asyncio
from datetime import timedelta

import asyncpg
from structlog.testing import capture_logs

from tests.support.waiting import until
from tests.support.worker import OURS, POLL, House
from tidings import limits
from tidings.engine import queue
from tidings.engine.queue import Job, JobKind, NewJob, Reschedule

# Running


async def test_due_jobs_are_run_in_groups_of_one_kind(opened) -> None:
    async with opened() as house:
        house.released.clear()
        async with house.db.transaction() as tx:
            for kind, count in (("plain", 25), ("other", 3)):
                now = house.clock.now()
                names = [f"{kind}-{n}" for n in range(count)]
                await queue.enqueue(tx, [NewJob(OURS, "send", kind, name, now) for name in names])
        house.worker.wake()
        await until(lambda: len(house.ran) == 4)
        assert sorted(len(call) for call in house.ran) == [3, 5, 10, 10]
        for call in house.ran:
            assert len({subject.partition("-")[0] for subject in call}) == 1
        house.released.set()
        await until(lambda: house.busy == 0)
        assert await house.rows() == []


async def test_no_more_jobs_run_at_once_than_there_are_slots(opened) -> None:
    async with opened(slots=5, group=2) as house:
        house.released.clear()
        await house.put(*(f"{n}" for n in range(40)))
        await until(lambda: house.busy == 5)
        assert len(house.ran) == 3
        house.released.set()  # each job that ends makes the worker claim again
        await until(lambda: len(house.subjects()) == 40)
        assert house.busy_max == 5


# Rescheduling


async def test_a_job_rescheduled_to_now_runs_at_once(opened) -> None:
    async with opened() as house:
        runs = 0

        async def handle(jobs: list[Job]) -> None:
            nonlocal runs
            runs += 1
            later = [Reschedule(job, house.clock.now()) for job in jobs]
            await house.db.transact(
                lambda tx: queue.reschedule(tx, later) if runs < 10 else queue.complete(tx, jobs)
            )

        house.worker.kinds["plain"] = JobKind(handle)
        began = asyncio.get_running_loop().time()
        await house.put("one")
        await until(lambda: runs == 10)
        assert asyncio.get_running_loop().time() - began < 5 * POLL, "by polls it takes nine"


# What breaks


async def test_a_handler_that_raises_leaves_its_lease_to_expire(opened) -> None:
    async with opened() as house:
        house.bad = {"bad"}
        await house.put("bad")
        await until(lambda: house.ran)
        await until(lambda: house.busy == 0)
        [row] = await house.rows()
        assert (row["leased"], row["crashes"]) == (True, 0)
        await house.put("good")
        await until(lambda: house.ran == [["bad"], ["good"]] and not house.busy)
        assert house.metrics.job_failures.labels("plain")._value.get() == 1
        house.bad = set()
        await house.outlive_lease()
        await until(lambda: house.ran == [["bad"], ["good"], ["bad"]])


async def test_rows_that_others_held_too_long_are_logged_as_no_bug(opened) -> None:
    async with opened() as house:
        errors = [asyncpg.LockNotAvailableError("held"), ValueError("a bug")]

        async def handle(jobs: list[Job]) -> None:
            house.ran.append([job.subject for job in jobs])
            raise errors[len(house.ran) - 1]

        house.worker.kinds["plain"] = JobKind(handle, calls_out=True)
        failures = house.metrics.job_failures.labels("plain")._value
        with capture_logs() as logs:
            await house.put("one")
            await until(lambda: failures.get() == 1)
            await house.put("two")
            await until(lambda: failures.get() == 2)
            await until(lambda: not house.worker.executor.busy)
        failed = [line for line in logs if line["event"] == "job.failed"]
        assert [(line["log_level"], line["error"]) for line in failed] == [
            ("warning", "LockNotAvailableError"), ("error", "ValueError"),
        ]  # fmt: skip


async def test_a_job_that_crashed_three_times_is_dead_lettered(opened) -> None:
    async with opened() as house:
        house.bad = {"bad"}
        await house.put("bad")
        for tries in (1, 2, 3):
            await until(lambda tries=tries: len(house.ran) == tries and not house.busy)
            assert house.dead_lettered == []
            await house.outlive_lease()
        await until(lambda: house.dead_lettered == ["bad"])

        async def is_dead_lettered() -> bool:
            return (await house.rows())[0]["dead_lettered_at"] is not None

        await until(is_dead_lettered)
        await house.outlive_lease()
        await house.put("good")
        await until(lambda: house.ran[-1] == ["good"])
        assert house.subjects() == ["bad", "bad", "bad", "good"]


async def test_a_bad_job_does_not_take_its_group_along(opened) -> None:
    """Jobs of one group fail together, so a job that has crashed runs alone."""

    async with opened() as house:
        house.bad = {"3"}
        count = limits.CRASHED_JOBS_AT_ONCE
        await house.put(*(f"{n}" for n in range(count)))
        await until(lambda: len(house.ran) == 1 and not house.busy)
        await house.outlive_lease()

        async def others_done() -> bool:
            return [row["subject"] for row in await house.rows()] == ["3"]

        await until(others_done)
        assert sorted(map(len, house.ran)) == [1] * count + [count]
        assert house.dead_lettered == []


async def run_the_rest(house: House, count: int) -> None:
    """What was delayed falls due again in a moment, many times over if need be."""
    while len(house.ran) < count:
        house.clock.advance(seconds=0.2)
        house.worker.wake()
        await asyncio.sleep(0.02)
    await until(lambda: not house.busy)
    assert await house.rows() == [] and house.dead_lettered == []


async def test_the_jobs_of_a_killed_worker_are_retried_a_few_at_a_time(opened) -> None:
    """Each runs alone, in its own transaction: all at once would exhaust the connections."""

    many = 3 * limits.CRASHED_JOBS_AT_ONCE
    async with opened(slots=2 * many) as house:
        async with house.db.transaction() as tx:
            now = house.clock.now()
            jobs = [NewJob(OURS, "send", "plain", f"{n}", now) for n in range(many)]
            await queue.enqueue(tx, jobs)
            await tx.run("UPDATE jobs SET leased = true")
        house.released.clear()
        house.worker.wake()
        await until(lambda: house.busy == limits.CRASHED_JOBS_AT_ONCE)
        held = [row for row in await house.rows() if not row["leased"]]
        assert {(row["crashes"], row["attempts"]) for row in held} == {(1, 0)}
        house.released.set()
        await run_the_rest(house, many)
        assert house.busy_max == limits.CRASHED_JOBS_AT_ONCE


async def test_what_one_more_crash_dead_letters_runs_alone(opened) -> None:
    """One job that ends the process must not take along those that run beside it each time."""

    async with opened() as house:
        async with house.db.transaction() as tx:
            now = house.clock.now()
            jobs = [NewJob(OURS, "send", "plain", f"{n}", now) for n in range(5)]
            await queue.enqueue(tx, jobs)
            await tx.run("UPDATE jobs SET leased = true, crashes = $1", limits.JOB_CRASHES_MAX - 2)
        house.released.clear()
        house.worker.wake()
        await until(lambda: house.busy == 1)
        house.clock.advance(seconds=1)
        await house.put("new")
        await until(lambda: house.busy == 2)
        assert house.ran == [["0"], ["new"]]
        house.released.set()
        await run_the_rest(house, 6)
        assert house.busy_max == 2


async def test_a_dead_letter_handler_that_raises_does_not_stop_other_jobs(opened) -> None:
    async with opened() as house:

        async def broken(_: list[Job]) -> None:
            raise ZeroDivisionError("a bug in the ending, too")

        house.worker.kinds["plain"] = JobKind(house.handle, broken)
        await house.put("bad", "good", due_at=house.clock.now() + timedelta(seconds=1))
        await house.db.rows("UPDATE jobs SET crashes = 3 WHERE subject = 'bad'")
        house.clock.advance(seconds=1)
        house.worker.wake()
        await until(lambda: house.ran == [["good"]] and not house.busy)
        [row] = await house.rows()
        assert (row["subject"], row["dead_lettered_at"]) == ("bad", None)


async def test_a_job_of_an_unknown_kind_is_left_for_a_newer_worker(opened) -> None:
    async with opened() as house:
        await house.put("from the future", kind="newer")
        await house.put("good")
        await until(lambda: house.ran == [["good"]] and not house.busy)
        [row] = await house.rows()
        assert (row["kind"], row["leased"]) == ("newer", True)
