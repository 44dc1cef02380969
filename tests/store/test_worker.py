"""Worker loops on a real PostgreSQL: they run what is due, survive what breaks, and rest."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tidings import limits
from tidings.clock import Clock, SystemClock
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.metrics import Metrics
from tidings.engine.queue import Again, Job, NewJob
from tidings.engine.wakes import JOBS, Wakes
from tidings.engine.worker import Kind, Pool, Worker

OURS = UUID(int=1 << 64)
POLL = limits.QUEUE_IDLE_WAIT.total_seconds()
LEASE = limits.JOB_LEASE.total_seconds()


class House:
    """A database, handlers that remember what they ran, and a worker for them."""

    def __init__(self, db: Database, clock: Any, **pool: int) -> None:
        self.db = db
        self.clock = clock
        self.metrics = Metrics()
        self.ran: list[list[str]] = []  # the subjects of each call
        self.poisoned: list[str] = []
        self.bad: set[str] = set()  # subjects that make the handler raise
        self.gate = asyncio.Event()
        self.gate.set()
        self.busy = self.busy_max = 0
        kinds = {"plain": Kind(self.handle, self.poison), "other": Kind(self.handle)}
        shape = Pool("send", **{"slots": 100, "group": 10} | pool)
        self.worker = Worker(shape, kinds, db, clock, self.metrics)
        db.on_commit(lambda pools: self.worker.wake() if "send" in pools else None)

    async def handle(self, jobs: list[Job]) -> None:
        self.ran.append([job.subject for job in jobs])
        self.busy += len(jobs)
        self.busy_max = max(self.busy_max, self.busy)
        try:
            await self.gate.wait()
            if self.bad & {job.subject for job in jobs}:
                raise ZeroDivisionError("a bug")
            await self.db.transact(lambda tx: queue.finish(tx, jobs))
        finally:
            self.busy -= len(jobs)

    async def poison(self, jobs: list[Job]) -> None:
        parked = await self.db.value(
            "SELECT count(*) FROM jobs WHERE id = ANY($1) AND parked_at IS NOT NULL",
            [job.id for job in jobs],
        )
        assert parked == 0, "what it was about ends before the job does"
        self.poisoned += [job.subject for job in jobs]

    async def put(self, *subjects: str, **fields: Any) -> None:
        values = {"kind": "plain", "due_at": self.clock.now()} | fields
        jobs = [NewJob(OURS, "send", subject=subject, **values) for subject in subjects]
        await self.db.transact(lambda tx: queue.put(tx, jobs))

    def subjects(self) -> list[str]:
        return sorted(subject for call in self.ran for subject in call)

    async def rows(self) -> list[dict[str, Any]]:
        return [dict(row) for row in await self.db.rows("SELECT * FROM jobs ORDER BY id")]

    async def outlive_lease(self) -> None:
        """What was left leased is due again."""
        self.clock.advance(seconds=LEASE)
        self.worker.wake()


async def until(condition: Callable[[], Any], seconds: float = 10) -> None:
    """Wait for something to become so; `condition` may be a coroutine function."""
    async with asyncio.timeout(seconds):
        while True:
            result = condition()
            if await result if isinstance(result, Awaitable) else result:
                return
            await asyncio.sleep(0.005)


@pytest.fixture(scope="module")
def dsn():
    return fresh_database()


@pytest.fixture
def opened(dsn):
    """Open a database with an empty queue, and a house on it whose worker runs."""

    @asynccontextmanager
    async def opened(
        clock: Clock | None = None, *, wait_seconds_max: float = 2, size: int = 5, **pool: int
    ) -> AsyncIterator[House]:
        clock = clock or ManualClock()
        db = await Database.open(dsn, clock, size, wait_seconds_max=wait_seconds_max)
        await db.rows("TRUNCATE jobs")
        house = House(db, clock, **pool)
        running = asyncio.create_task(house.worker.run())
        try:
            async with asyncio.timeout(30):
                yield house
                house.gate.set()
                house.worker.stop()
                await running
        finally:
            running.cancel()
            await db.close()

    return opened


# Running


def test_due_jobs_are_run_in_groups_of_one_kind(opened) -> None:
    async def story() -> None:
        async with opened() as house:
            house.gate.clear()
            async with house.db.transaction() as tx:
                for kind, count in (("plain", 25), ("other", 3)):
                    now = house.clock.now()
                    names = [f"{kind}-{n}" for n in range(count)]
                    await queue.put(tx, [NewJob(OURS, "send", kind, name, now) for name in names])
            house.worker.wake()
            await until(lambda: len(house.ran) == 4)
            assert sorted(len(call) for call in house.ran) == [3, 5, 10, 10]
            for call in house.ran:
                assert len({subject.partition("-")[0] for subject in call}) == 1
            house.gate.set()
            await until(lambda: house.busy == 0)
            assert await house.rows() == []

    asyncio.run(story())


def test_no_more_jobs_run_at_once_than_there_are_slots(opened) -> None:
    async def story() -> None:
        async with opened(slots=5, group=2) as house:
            house.gate.clear()
            await house.put(*(f"{n}" for n in range(40)))
            await until(lambda: house.busy == 5)
            await asyncio.sleep(0.05)
            assert (house.busy, len(house.ran)) == (5, 3)
            house.gate.set()
            await until(lambda: len(house.subjects()) == 40)
            assert house.busy_max == 5

    asyncio.run(story())


# What breaks


def test_a_handler_that_raises_leaves_its_lease_to_run_out(opened) -> None:
    async def story() -> None:
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

    asyncio.run(story())


def test_a_job_that_crashed_three_times_is_ended_and_parked(opened) -> None:
    async def story() -> None:
        async with opened() as house:
            house.bad = {"bad"}
            await house.put("bad")
            for tries in (1, 2, 3):
                await until(lambda tries=tries: len(house.ran) == tries and not house.busy)
                assert house.poisoned == []
                await house.outlive_lease()
            await until(lambda: house.poisoned == ["bad"])

            async def parked() -> bool:
                return (await house.rows())[0]["parked_at"] is not None

            await until(parked)
            await house.outlive_lease()
            await house.put("good")
            await until(lambda: house.ran[-1] == ["good"])
            assert house.subjects() == ["bad", "bad", "bad", "good"]

    asyncio.run(story())


def test_a_bad_job_does_not_take_its_group_along(opened) -> None:
    """Claimed together, they fail together; so what failed once is tried alone."""

    async def story() -> None:
        async with opened() as house:
            house.bad = {"3"}
            await house.put(*(f"{n}" for n in range(10)))
            await until(lambda: len(house.ran) == 1 and not house.busy)
            await house.outlive_lease()

            async def others_done() -> bool:
                return [row["subject"] for row in await house.rows()] == ["3"]

            await until(others_done)
            assert sorted(map(len, house.ran)) == [1] * 10 + [10]
            assert house.poisoned == []

    asyncio.run(story())


def test_a_poison_handler_that_raises_does_not_stop_the_healthy(opened) -> None:
    async def story() -> None:
        async with opened() as house:

            async def broken(_: list[Job]) -> None:
                raise ZeroDivisionError("a bug in the ending, too")

            house.worker.kinds["plain"] = Kind(house.handle, broken)
            await house.put("bad", "good")
            await house.db.rows("UPDATE jobs SET crashes = 3 WHERE subject = 'bad'")
            await until(lambda: house.ran == [["good"]] and not house.busy)
            [row] = await house.rows()
            assert (row["subject"], row["parked_at"]) == ("bad", None)

    asyncio.run(story())


def test_a_job_of_a_kind_nobody_knows_is_left_for_a_newer_worker(opened) -> None:
    async def story() -> None:
        async with opened() as house:
            await house.put("from the future", kind="newer")
            await house.put("good")
            await until(lambda: house.ran == [["good"]] and not house.busy)
            [row] = await house.rows()
            assert (row["kind"], row["leased"]) == ("newer", True)

    asyncio.run(story())


# Waking and resting


def test_a_wake_is_answered_at_once(opened) -> None:
    async def story() -> None:
        async with opened() as house:
            await asyncio.sleep(0.05)
            for n in range(5):
                started = asyncio.get_running_loop().time()
                await house.put(str(n))
                await until(lambda n=n: len(house.ran) == n + 1)
                assert asyncio.get_running_loop().time() - started < POLL / 2

    asyncio.run(story())


def test_a_lost_wake_costs_a_second_and_nothing_else(opened, dsn) -> None:
    async def story() -> None:
        async with opened() as house:
            await asyncio.sleep(0.05)
            elsewhere = await Database.open(dsn, house.clock, 1)
            job = NewJob(OURS, "send", "plain", "told to nobody", house.clock.now())
            await elsewhere.transact(lambda tx: queue.put(tx, [job]))
            await elsewhere.close()
            await until(lambda: house.ran, seconds=POLL * 2)

    asyncio.run(story())


def test_a_worker_sleeps_until_the_next_job_is_due(opened) -> None:
    async def story() -> None:
        clock = SystemClock()
        async with opened(clock) as house:
            due = clock.now() + limits.QUEUE_IDLE_WAIT / 4
            await house.put("soon", due_at=due)
            await until(lambda: house.ran)
            late = (clock.now() - due).total_seconds()
            assert 0 <= late < POLL / 2

    asyncio.run(story())


class CountingClock(ManualClock):
    """Every transaction asks for its moment, so this counts them."""

    asked = 0

    def now(self):
        self.asked += 1
        return super().now()


def test_a_worker_rests_while_all_that_is_due_waits_for_its_elder(opened) -> None:
    """A slow receiver holds the first webhook of a message for ten seconds, the second waits."""

    async def story() -> None:
        clock = CountingClock()
        async with opened(clock) as house:
            house.gate.clear()
            await house.put("first", "second", ordered_by="message")
            await until(lambda: house.ran == [["first"]])
            clock.asked = 0
            await asyncio.sleep(0.5)
            assert clock.asked < 40, "it asks again and again"
            house.gate.set()
            await until(lambda: house.ran == [["first"], ["second"]], seconds=POLL / 2)

    asyncio.run(story())


def test_stop_waits_for_what_is_under_way_and_claims_no_more(opened) -> None:
    async def story() -> None:
        async with opened(slots=1, group=1) as house:
            house.gate.clear()
            await house.put("under way", "still waiting")
            await until(lambda: house.busy == 1)
            house.worker.stop()
            await asyncio.sleep(0.05)
            assert house.busy == 1
            house.gate.set()
            await until(lambda: house.busy == 0)
            await asyncio.sleep(0.05)
            assert house.ran == [["under way"]]
            assert [row["leased"] for row in await house.rows()] == [False]

    asyncio.run(story())


# The database goes away and comes back


async def kill_connections(dsn: dict[str, Any]) -> int:
    admin = await asyncpg.connect(**dsn)
    killed = await admin.fetch(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
        """
    )
    await admin.close()
    return len(killed)


def test_connections_that_are_cut_off_do_not_end_the_loop(opened, dsn) -> None:
    async def story() -> None:
        async with opened() as house:
            await house.put("before")
            await until(lambda: house.ran)
            assert await kill_connections(dsn)
            await asyncio.sleep(0.1)
            await house.put("after")
            await until(lambda: house.ran == [["before"], ["after"]])
            await kill_connections(dsn)
            await asyncio.sleep(0.1)
            await house.put("once more")
            await until(lambda: len(house.ran) == 3)

    asyncio.run(story())


def test_a_handler_cut_off_in_its_transaction_is_run_again_after_its_lease(opened, dsn) -> None:
    async def story() -> None:
        async with opened() as house:
            cut = asyncio.Event()

            async def handle(jobs: list[Job]) -> None:
                async with house.db.transaction() as tx:
                    await queue.finish(tx, jobs)
                    house.ran.append([job.subject for job in jobs])
                    if not cut.is_set():
                        cut.set()
                        await kill_connections(dsn)

            house.worker.kinds["plain"] = Kind(handle)
            await house.put("one")
            await until(cut.is_set)
            await asyncio.sleep(0.1)
            [row] = await house.rows()
            assert row["leased"]
            await house.outlive_lease()
            await until(lambda: house.ran == [["one"], ["one"]])

            async def done() -> bool:
                return await house.rows() == []

            await until(done)

    asyncio.run(story())


def test_a_database_that_is_read_only_for_a_while_does_not_end_the_loop(opened, dsn) -> None:
    """As after a fail-over, before the new primary is one."""

    async def set_read_only(value: str) -> None:
        admin = await asyncpg.connect(**dsn)
        await admin.execute("SET default_transaction_read_only = off")
        name = dsn["database"]
        await admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        await admin.close()
        await kill_connections(dsn)

    async def story() -> None:
        async with opened() as house:
            await house.put("later", due_at=house.clock.now() + timedelta(hours=1))
            await set_read_only("on")
            house.worker.wake()
            await asyncio.sleep(POLL + 0.2)
            await set_read_only("off")
            await asyncio.sleep(0.1)
            await house.put("after")
            await until(lambda: house.ran == [["after"]])

    asyncio.run(story())


def test_waiting_in_vain_for_a_connection_does_not_end_the_loop(opened) -> None:
    async def story() -> None:
        async with opened(size=1, wait_seconds_max=0.01) as house:
            async with house.db.transaction():
                house.worker.wake()
                await asyncio.sleep(0.1)
            await until(lambda: _put_when_free(house))
            await until(lambda: house.ran == [["after"]])

    async def _put_when_free(house: House) -> bool:
        await house.put("after")
        return True

    asyncio.run(story())


# Wake-ups between processes


def test_work_is_told_to_workers_of_other_processes(dsn) -> None:
    async def story() -> None:
        heard: list[str] = []
        here, there = [await Database.open(dsn, SystemClock(), 1) for _ in range(2)]
        telling, hearing = Wakes(here, {}), Wakes(there, {JOBS: heard.append})
        tasks = [asyncio.create_task(wakes.run()) for wakes in (telling, hearing)]
        try:
            await until(lambda: _listening(there, 1))
            telling.tell({"send", "timers"})
            await until(lambda: heard == ["send,timers"], seconds=1)
            for n in range(100):
                telling.tell({f"pool-{n}"})
            await until(lambda: "pool-99" in heard[-1], seconds=1)
            assert len(heard) <= 3, "a hundred wake-ups of one moment are one notice"
            await kill_connections(dsn)
            telling.tell({"lost, perhaps"})
            await until(lambda: _listening(there, 1))
            await until(lambda: _told(telling, heard, "again"))
        finally:
            for task in tasks:
                assert not task.done()
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await here.close()
            await there.close()

    async def _listening(db: Database, count: int) -> bool:
        # The killed connections of the databases themselves are noticed by using them.
        try:
            found = await db.value(
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                " AND datname = current_database()"
            )
        except Exception:
            return False
        return bool(found >= count)

    def _told(telling: Wakes, heard: list[str], pool: str) -> bool:
        telling.tell({pool})
        return any(pool in notice for notice in heard)

    asyncio.run(story())


class HungUp:
    """A connection whose server has just hung up, as far as asyncpg has noticed."""

    def __init__(self, fault: Exception) -> None:
        self._fault = fault

    def add_termination_listener(self, _: Any) -> None:
        pass

    async def add_listener(self, *_: Any) -> None:
        raise self._fault

    async def close(self, timeout: float) -> None:
        raise self._fault


@pytest.mark.parametrize(
    "fault",
    [
        asyncpg.InternalClientError("cannot switch to state 12; another operation is in progress"),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
        ConnectionResetError(),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_a_lost_connection_is_made_again_whatever_it_says(dsn, fault: Exception) -> None:
    class Elsewhere:
        def __init__(self, db: Database) -> None:
            self.connections = [lambda: asyncio.sleep(0, HungUp(fault)), db.dedicated]

        async def dedicated(self) -> Any:
            return await self.connections.pop(0)()

    async def story() -> None:
        db = await Database.open(dsn, SystemClock(), 1)
        heard: list[str] = []
        wakes = Wakes(Elsewhere(db), {JOBS: heard.append})  # type: ignore[arg-type]
        running = asyncio.create_task(wakes.run())
        wakes.tell({"send"})
        await until(lambda: heard == ["send"], seconds=POLL * 3)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await db.close()

    asyncio.run(story())


def test_again_at_once_is_run_at_once(opened) -> None:
    async def story() -> None:
        async with opened() as house:
            runs = 0

            async def handle(jobs: list[Job]) -> None:
                nonlocal runs
                runs += 1
                later = [Again(job, house.clock.now()) for job in jobs]
                await house.db.transact(
                    lambda tx: queue.again(tx, later) if runs < 10 else queue.finish(tx, jobs)
                )

            house.worker.kinds["plain"] = Kind(handle)
            await house.put("one")
            await until(lambda: runs == 10, seconds=POLL)

    asyncio.run(story())
