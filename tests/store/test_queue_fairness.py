"""The job queue: fair to accounts, cheap when full; jobs that run now or move with a clock."""

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest

from tests.support.queue import HOUR, LEASE, OURS, POOL, SECOND, THEIRS, House, new_claimer
from tests.support.rows_read import rows_read
from tidings.engine import queue
from tidings.engine.queue import Reschedule, stats
from tidings.engine.queue.claim import Claimer, EqualShares
from tidings.engine.queue.claim_store import SCAN_MAX, AccountJobs

# Fairness


async def test_one_large_account_does_not_delay_the_others(house: House) -> None:
    await house.fill(1, 20_000)
    for account in range(2, 22):
        await house.fill(account, 1, after=-SECOND)
    claimed = Counter(job.account_id.int for job in await house.claim(100))
    assert set(claimed) == set(range(1, 22))
    assert claimed[1] == 80, "what the others leave is its own"


async def test_slots_that_free_up_one_by_one_go_to_all_accounts(house: House) -> None:
    """Otherwise the first account would take every slot, and the last never get one."""

    for account in range(1, 22):
        await house.fill(account, 50)
    for limit in (1, 4):
        served = {job.account_id for _ in range(30) for job in await house.claim(limit)}
        assert len(served) == 21


async def test_accounts_with_nothing_due_do_not_thin_out_a_claim(house: House) -> None:
    for account in range(1, 2 * SCAN_MAX):
        await house.fill(account, 1, after=HOUR)
    await house.fill(1_000, 1_000)
    assert [len(await house.claim(100)) for _ in range(5)] == [100] * 5


async def test_an_account_behind_many_with_nothing_due_is_not_starved(house: House) -> None:
    for account in range(1, 3 * SCAN_MAX):
        await house.fill(account, 1, after=HOUR)
    # The oldest due jobs are those of a large account: only the rotating scan finds the other.
    await house.fill(1, 5_000)
    await house.fill(2_000, 1, after=-SECOND)
    claimed = [job.account_id.int for _ in range(4) for job in await house.claim(100)]
    assert 2_000 in claimed


async def test_four_claimers_never_get_the_same_job(house: House) -> None:
    for account in range(1, 11):
        await house.fill(account, 200)
    claimed: list[int] = []

    async def work() -> None:
        claimer = new_claimer()
        while jobs := await house.claim(50, claimer):
            claimed.extend(job.id for job in jobs)

    await asyncio.gather(*(work() for _ in range(4)))
    # A claimer that finds all remaining jobs locked by the others stops early.
    await work()
    assert len(claimed) == len(set(claimed)) == 2_000


async def test_ordered_jobs_stay_in_order_under_four_claimers(house: House) -> None:
    keys = [f"message-{n}" for n in range(20)]
    await house.enqueue(*(house.job(f"{n}", ordering_key=key) for n in range(10) for key in keys))
    started: list[tuple[str, int]] = []
    left = {"jobs": 200}

    async def work() -> None:
        claimer = new_claimer()
        while left["jobs"]:
            jobs = await house.claim(10, claimer)
            rows = await house.db.rows(
                "SELECT ordering_key, subject FROM jobs WHERE id = ANY($1)", [j.id for j in jobs]
            )
            started.extend((row["ordering_key"], int(row["subject"])) for row in rows)
            await house.complete(*jobs)
            left["jobs"] -= len(jobs)

    await asyncio.gather(*(work() for _ in range(4)))
    for key in keys:
        assert [n for one, n in started if one == key] == list(range(10))


# Cost


@pytest.mark.parametrize("analysed", ["never", "when empty", "now"])
async def test_a_claim_reads_what_it_takes_and_not_all_that_waits(
    house: House, analysed: str
) -> None:
    """Whatever the planner knows: a queue can fill up just after its statistics were gathered."""

    if analysed == "when empty":
        await house.enqueue(*(house.job(pool="timers") for _ in range(500)))
        await house.db.rows("ANALYZE jobs")
    for account in range(1, 151):
        await house.fill(account, 200)
    if analysed == "now":
        await house.db.rows("ANALYZE jobs")
    async with house.db.transaction() as tx:
        before = await rows_read(tx, "jobs")
        assert len((await house.claimer.claim(tx, EqualShares(100))).jobs) == 100
        read = await rows_read(tx, "jobs") - before
    assert 100 <= read < 1_000, f"{read} rows were read to claim 100"


# Run now, clocks, wake-ups


async def test_nothing_is_claimed_while_run_now_is_not_committed(house: House) -> None:
    """It would read the state that the transaction changes, and wait again without being woken."""
    await house.enqueue(house.job("due", due_at=house.clock.now() - HOUR))
    async with house.db.transaction() as tx:
        await queue.run_now(tx, OURS, [POOL])
        assert await house.subjects() == []
    [job] = await house.claim()
    assert (job.subject, job.due_at) == ("due", house.clock.now() - HOUR), "it keeps its turn"


async def test_run_now_brings_forward_what_waits_in_the_accounts_pools(house: House) -> None:
    later = house.clock.now() + HOUR
    await house.enqueue(house.job("running"))
    [running] = await house.claim()
    await house.enqueue(
        house.job("held", due_at=later),
        house.job("other pool", due_at=later, pool="timers"),
        house.job("other account", due_at=later, account_id=THEIRS),
        house.job("due long since", due_at=house.clock.now() - HOUR),
    )
    async with house.db.transaction() as tx:
        await queue.run_now(tx, OURS, [POOL])
        assert tx.woken == {POOL}
    assert await house.subjects() == ["due long since", "held"]
    await house.complete(running)
    assert len(await house.rows()) == 4, "the lease of the running one was not touched"


async def test_a_running_job_that_should_run_now_runs_again_at_once_and_only_once(
    house: House,
) -> None:
    await house.enqueue(house.job("running"))
    [running] = await house.claim()
    await house.db.transact(lambda tx: queue.run_now(tx, OURS, [POOL]))
    assert await house.claim() == [], "it is still being run"
    await house.reschedule(Reschedule(running, house.clock.now() + HOUR))
    [again] = await house.claim()
    await house.reschedule(Reschedule(again, house.clock.now() + HOUR))
    assert await house.claim() == []


async def test_what_is_due_in_the_accounts_time_is_due_in_ours(house: House) -> None:
    now = house.clock.now()
    await house.enqueue(
        house.job("in an hour", due_at=now + HOUR),
        house.job("in two", due_at=now + 2 * HOUR, clock=timedelta(0)),
        house.job("theirs", due_at=now + HOUR, account_id=THEIRS),
        house.job("other pool", due_at=now + HOUR, pool="timers"),
    )

    async def move(clock: timedelta) -> None:
        await house.db.transact(lambda tx: queue.move_clock(tx, OURS, [POOL], clock))

    await move(HOUR)
    await move(HOUR)  # the offset is unchanged: nothing moves
    waits = {row["subject"]: row["due_at"] for row in await house.rows()}
    assert waits == {
        "in an hour": now,
        "in two": now + HOUR,
        "theirs": now + HOUR,
        "other pool": now + HOUR,
    }
    await house.enqueue(house.job("said under the new clock", due_at=now + HOUR, clock=HOUR))
    await move(2 * HOUR)
    assert await house.subjects() == ["in an hour", "in two", "said under the new clock"]


async def test_leased_and_dead_lettered_jobs_do_not_follow_the_clock(house: House) -> None:
    await house.enqueue(house.job("dead"))
    await house.dead_letter(*await house.claim())
    await house.enqueue(house.job("running"))
    await house.claim()
    before = await house.rows()
    await house.db.transact(lambda tx: queue.move_clock(tx, OURS, [POOL], HOUR))
    assert await house.rows() == before


async def test_enqueuing_a_job_wakes_its_pool_unless_its_caller_runs_it(house: House) -> None:
    async with house.db.transaction() as tx:
        await queue.lease_group(tx, [house.job()])
        assert tx.woken == set()
        await queue.enqueue(tx, [house.job(), house.job(pool="timers")])
        assert tx.woken == {POOL, "timers"}


# One account in all pools: how a sandbox clock advances


async def test_the_due_jobs_of_one_account_come_from_all_pools_in_order(house: House) -> None:
    now = house.clock.now()
    pools = [POOL, "timers", "webhooks"]
    await house.enqueue(
        house.job("second", pool="timers", due_at=now - SECOND),
        house.job("first", pool="webhooks", due_at=now - HOUR),
        house.job("third"),
        house.job("not asked for", pool="reports"),
        house.job("theirs", account_id=THEIRS),
        house.job("later", due_at=now + HOUR),
    )
    async with house.db.transaction() as tx:
        claimer = Claimer(AccountJobs(OURS, pools))
        claimed = await claimer.claim(tx, EqualShares(10))
        assert [job.subject for job in claimed.jobs] == ["first", "second", "third"]
        assert (await claimer.claim(tx, EqualShares(10))).jobs == []
        assert await stats.count_unfinished(tx, OURS, pools, timedelta(0)) == 3
        assert await stats.count_unfinished(tx, OURS, pools, HOUR) == 4
        assert await stats.count_unfinished(tx, THEIRS, pools, timedelta(0)) == 1
        assert await stats.next_due_of_account(tx, OURS, pools) == now + HOUR
        assert await stats.next_due_of_account(tx, THEIRS, pools) == now


async def test_a_claim_reports_the_next_due_time_and_counts_leases(house: House) -> None:
    now = house.clock.now()
    async with house.db.transaction() as tx:
        assert (await house.claimer.claim(tx, EqualShares(10))).next_due is None
        await queue.enqueue(tx, [house.job(), house.job(due_at=now + HOUR)])
        assert (await house.claimer.claim(tx, EqualShares(10))).next_due == now + HOUR
        assert (await house.claimer.claim(tx, EqualShares(10))).next_due == now + LEASE
        assert (await new_claimer("timers").claim(tx, EqualShares(10))).next_due is None


async def test_a_claim_that_is_rolled_back_leaves_no_trace(house: House) -> None:
    await house.enqueue(house.job())
    with suppress(ZeroDivisionError):
        async with house.db.transaction() as tx:
            await house.claimer.claim(tx, EqualShares(10))
            raise ZeroDivisionError
    [job] = await house.claim()
    assert (job.attempts, job.crashes) == (1, 0)
