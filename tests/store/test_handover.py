"""New jobs that the worker of their process runs without a claim, as far as it has capacity."""

from tests.support.waiting import until
from tests.support.worker import OURS, House
from tidings.engine import queue
from tidings.engine.queue import NewJob, Partition
from tidings.engine.queue.handover import LocalWorkers

PARTITION = Partition("send", OURS, "")


async def idle(house: House) -> None:
    """Until the worker has looked and found nothing that waits."""
    house.db.of_process(LocalWorkers).by_pool["send"] = house.worker
    await until(lambda: house.worker.capacity(PARTITION) > 0)


async def hand_over(house: House, *subjects: str) -> None:
    now = house.clock.now()
    jobs = [NewJob(OURS, "send", "plain", subject, now) for subject in subjects]
    await house.db.transact(lambda tx: queue.enqueue_here(tx, jobs))


async def test_an_idle_worker_runs_them_under_one_lease(opened) -> None:
    async with opened() as house:
        await idle(house)
        house.released.clear()
        await hand_over(house, "1", "2", "3")
        await until(lambda: house.busy == 3)
        [row] = await house.rows()
        assert row["subjects"] == ["1", "2", "3"] and row["leased"]
        house.released.set()
        await until(lambda: house.busy == 0)
        assert await house.rows() == [] and house.ran == [["1", "2", "3"]]


async def test_it_takes_one_group_and_the_rest_waits_for_a_claim(opened) -> None:
    async with opened(slots=30, group=4) as house:
        await idle(house)
        house.released.clear()
        await hand_over(house, *"abcdef")
        rows = await house.rows()
        assert sorted(row["subjects"] or [row["subject"]] for row in rows) == [
            ["a", "b", "c", "d"],
            ["e"],
            ["f"],
        ]
        house.released.set()
        await until(lambda: house.subjects() == [*"abcdef"])


async def test_a_worker_whose_slots_are_used_takes_none(opened) -> None:
    async with opened(slots=2, group=2) as house:
        await idle(house)
        house.released.clear()
        await hand_over(house, "1", "2")
        await until(lambda: house.busy == 2)
        await hand_over(house, "3")
        assert [row["subject"] for row in await house.rows() if row["subjects"] is None] == ["3"]
        house.released.set()
        await until(lambda: house.subjects() == ["1", "2", "3"])
        assert house.busy_max == 2


async def test_what_is_rolled_back_never_runs(opened) -> None:
    async with opened() as house:
        await idle(house)
        now = house.clock.now()
        jobs = [NewJob(OURS, "send", "plain", "1", now)]
        await house.db.preview(lambda tx: queue.enqueue_here(tx, jobs))
        await hand_over(house, "2")
        await until(lambda: house.ran == [["2"]])
        await until(lambda: house.worker.capacity(PARTITION) == 10)


async def test_none_overtakes_what_waits(opened) -> None:
    async with opened() as house:
        await idle(house)
        house.worker.passed_over(PARTITION)
        assert house.worker.capacity(PARTITION) == 0
        house.worker.wake()
        await until(lambda: house.worker.capacity(PARTITION) == 10)


async def test_a_worker_that_stops_before_the_commit_puts_them_back(opened) -> None:
    """It would be interrupted while it runs them: the platform may then have been called."""
    async with opened() as house:
        await idle(house)
        async with house.db.transaction() as tx:
            jobs = [NewJob(OURS, "send", "plain", subject, tx.now) for subject in "ab"]
            await queue.enqueue_here(tx, jobs)
            house.worker.stop()
        house.worker.executor.cancel()
        await house.worker.executor.released()
        rows = [(row["subject"], row["leased"], row["attempts"]) for row in await house.rows()]
        assert rows == [("a", False, 0), ("b", False, 0)]
        assert house.ran == []
