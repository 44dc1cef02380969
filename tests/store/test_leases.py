"""What a process that is gone had in hand is given back when it is known to be gone."""

from datetime import timedelta

from tests.support.queue import LEASE, POOL, SECOND, House
from tidings.engine.queue import lease


async def give_back(house: House, before) -> int:
    return await house.db.transact(lambda tx: lease.release_orphaned(tx, [POOL], before))


async def test_jobs_of_the_dead_are_due_at_once(house: House) -> None:
    await house.enqueue(house.job("one"), house.job("two"))
    claimed = await house.claim()
    house.clock.advance(seconds=5)
    assert await house.subjects() == []
    assert await give_back(house, house.clock.now()) == 2
    again = await house.claim()
    assert [job.subject for job in again] == ["one", "two"], "in their order"
    assert [job.crashes for job in again] == [1, 1], "they count as any lease that ran out"
    await house.complete(*claimed)
    assert len(await house.rows()) == 2, "a late result is refused as ever"


async def test_what_has_crashed_before_waits_its_minute(house: House) -> None:
    """So that processes killed in a quick row condemn nobody who merely stood by."""

    await house.enqueue(house.job("bystander"))
    for given_back in (1, 0, 0, 0):
        await house.claim()
        house.clock.advance(seconds=1)
        assert await give_back(house, house.clock.now()) == given_back
    (row,) = await house.rows()
    assert row["crashes"] == 1


async def test_what_somebody_has_claimed_since_stays_theirs(house: House) -> None:
    began = house.clock.now()
    house.clock.advance(seconds=1)
    await house.enqueue(house.job("theirs"))
    await house.claim()
    assert await give_back(house, began) == 0
    assert await house.subjects() == []


async def test_what_waits_or_is_parked_is_left_alone(house: House) -> None:
    now = house.clock.now()
    await house.enqueue(house.job("later", due_at=now + 30 * SECOND), house.job("poison"))
    await house.dead_letter(*await house.claim())
    before = await house.rows()
    house.clock.advance(seconds=1)
    assert await give_back(house, house.clock.now()) == 0
    assert await house.rows() == before


async def test_a_lease_that_ran_out_by_itself_keeps_its_due_time(house: House) -> None:
    await house.enqueue(house.job("one"))
    await house.claim()
    house.clock.advance(seconds=(LEASE + timedelta(seconds=1)).total_seconds())
    assert await give_back(house, house.clock.now()) == 0
    assert await house.subjects() == ["one"]
