"""Leases of a process that is known to be gone are released at once."""

from datetime import timedelta

from tests.support.queue import LEASE, POOL, SECOND, House
from tidings.engine.queue import lease


async def release(house: House, before) -> int:
    return await house.db.transact(lambda tx: lease.release_orphaned(tx, [POOL], before))


async def test_jobs_of_a_process_that_is_gone_are_due_at_once(house: House) -> None:
    await house.enqueue(house.job("one"), house.job("two"))
    claimed = await house.claim()
    house.clock.advance(seconds=5)
    assert await house.subjects() == []
    assert await release(house, house.clock.now()) == 2
    again = await house.claim()
    assert [job.subject for job in again] == ["one", "two"], "in their order"
    assert [job.crashes for job in again] == [1, 1], "they count as any lease that ran out"
    await house.complete(*claimed)
    assert len(await house.rows()) == 2, "a late result is refused as ever"


async def test_a_job_that_crashed_before_keeps_its_lease(house: House) -> None:
    """So that quick restarts do not dead-letter jobs that did not cause the crash."""

    await house.enqueue(house.job("bystander"))
    for released in (1, 0, 0, 0):
        await house.claim()
        house.clock.advance(seconds=1)
        assert await release(house, house.clock.now()) == released
    (row,) = await house.rows()
    assert row["crashes"] == 1


async def test_a_job_that_was_claimed_since_keeps_its_lease(house: House) -> None:
    began = house.clock.now()
    house.clock.advance(seconds=1)
    await house.enqueue(house.job("theirs"))
    await house.claim()
    assert await release(house, began) == 0
    assert await house.subjects() == []


async def test_waiting_and_dead_lettered_jobs_are_not_touched(house: House) -> None:
    now = house.clock.now()
    await house.enqueue(house.job("later", due_at=now + 30 * SECOND), house.job("poison"))
    await house.dead_letter(*await house.claim())
    before = await house.rows()
    house.clock.advance(seconds=1)
    assert await release(house, house.clock.now()) == 0
    assert await house.rows() == before


async def test_an_expired_lease_keeps_its_due_time(house: House) -> None:
    await house.enqueue(house.job("one"))
    await house.claim()
    house.clock.advance(seconds=(LEASE + timedelta(seconds=1)).total_seconds())
    assert await release(house, house.clock.now()) == 0
    assert await house.subjects() == ["one"]
