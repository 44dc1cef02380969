"""A lane: a lone caller does not wait, concurrent callers share one call of the work."""

import asyncio
from collections.abc import Callable
from typing import Any

import asyncpg
import pytest

from tidings.engine.db.connections import Unavailable
from tidings.engine.db.errors import CommitUnknown, Conflict
from tidings.engine.lane import Lane
from tidings.engine.log import REQUEST_ID
from tidings.errors import ApiError, Code
from tidings.features.billing.rules import BillingCode
from tidings.limits import LANE_SHARE

BATCH_MAX = 500


class Works:
    """A lane's work that records its batches, and ends when a test releases it."""

    def __init__(self, answer: Callable[[int], Any] = lambda item: item * 10) -> None:
        self.batches: list[list[int]] = []
        self.released = asyncio.Event()
        self.released.set()
        self.running = self.most_at_once = 0
        self._answer = answer

    async def __call__(self, items: list[int]) -> list[Any]:
        self.batches.append(items)
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        try:
            await self.released.wait()
            return [self._answer(item) for item in items]
        finally:
            self.running -= 1


def lane_of(works: Works, **options: Any) -> Lane[int, Any]:
    return Lane(works, **{"batch_max": BATCH_MAX} | options)


async def run_loop(count: int = 5) -> None:
    """Run some iterations of the event loop, so that every ready task has run."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_lone_item_is_worked_at_once() -> None:
    works = Works()
    waiting = asyncio.create_task(lane_of(works).put(7))
    await run_loop()
    assert waiting.done(), "no timer stands between a lone caller and its result"
    assert waiting.result() == 70
    assert works.batches == [[7]]


async def test_those_who_come_together_travel_together() -> None:
    works = Works()
    lane = lane_of(works)
    assert await asyncio.gather(*map(lane.put, range(100))) == [n * 10 for n in range(100)]
    assert works.batches == [list(range(100))]


async def test_those_who_come_during_a_batch_share_the_next() -> None:
    works = Works()
    lane = lane_of(works)
    works.released.clear()
    first = asyncio.create_task(lane.put(0))
    await run_loop()
    callers = [asyncio.create_task(lane.put(n)) for n in range(1, 301)]
    await run_loop()
    assert works.batches == [[0]]
    works.released.set()
    assert await first == 0
    assert await asyncio.gather(*callers) == [n * 10 for n in range(1, 301)]
    assert works.batches == [[0], list(range(1, 301))]


async def test_several_items_of_one_caller_travel_together_in_order() -> None:
    works = Works()
    assert await lane_of(works).put_each([3, 1, 2]) == [30, 10, 20]
    assert works.batches == [[3, 1, 2]]


async def test_an_error_may_stand_in_the_place_of_the_result_it_cost() -> None:
    def answer(item: int) -> int:
        if item == 2:
            raise ValueError(item)
        return item * 10

    first, broken, last = await lane_of(Works(answer)).put_each([1, 2, 3])
    assert (first, last) == (10, 30)
    assert isinstance(broken, ValueError)


async def test_a_batch_is_never_larger_than_its_limit() -> None:
    works = Works()
    lane = lane_of(works, batch_max=40)
    assert await lane.put_each(list(range(100))) == [n * 10 for n in range(100)]
    assert [len(batch) for batch in works.batches] == [40, 40, 20]


def owned(works: Works, **options: Any) -> Lane[int, Any]:
    """Items of owner 0 are below 1,000, of owner 1 below 2,000, and so on."""
    return lane_of(works, owner=lambda item: item // 1000, **options)


async def test_while_several_have_work_a_batch_takes_a_few_of_each_round_robin() -> None:
    works = Works()
    lane = owned(works)
    works.released.clear()
    first = asyncio.create_task(lane.put(0))
    await run_loop()
    callers = [asyncio.create_task(lane.put(n)) for n in range(1, 101)]
    others = [asyncio.create_task(lane.put(n)) for n in (1000, 2000)]
    await run_loop()
    works.released.set()
    await asyncio.gather(first, *callers, *others)
    second = works.batches[1]
    assert {1000, 2000} <= set(second), "who came last is served with the first"
    assert sum(item < 1000 for item in second) == LANE_SHARE
    assert [item for batch in works.batches for item in batch if item < 1000] == [*range(101)]


async def test_who_is_alone_has_the_whole_batch() -> None:
    works = Works()
    lane = owned(works)
    works.released.clear()
    first = asyncio.create_task(lane.put(0))
    await run_loop()
    callers = [asyncio.create_task(lane.put(n)) for n in range(1, 301)]
    await run_loop()
    works.released.set()
    await asyncio.gather(first, *callers)
    assert [len(batch) for batch in works.batches] == [1, 300]


async def test_an_owner_that_is_in_no_batch_at_work_does_not_wait_for_one() -> None:
    works = Works()
    lane = owned(works, extra_batches=1)
    works.released.clear()
    slow = asyncio.create_task(lane.put(1))
    await run_loop()
    others = [asyncio.create_task(lane.put(n)) for n in (1000, 2, 2000, 1001)]
    await run_loop()
    assert works.batches == [[1], [1000, 1001, 2000]], "the second of owner 0 waits"
    works.released.set()
    await asyncio.gather(slow, *others)
    await lane.idle()
    assert works.most_at_once == 2
    assert sorted(item for batch in works.batches for item in batch) == [1, 2, 1000, 1001, 2000]
    assert await lane.put(3000) == 30_000


async def test_one_batch_at_a_time() -> None:
    works = Works()
    lane = lane_of(works, batch_max=1)
    works.released.clear()
    callers = [asyncio.create_task(lane.put(n)) for n in range(10)]
    await run_loop(20)
    works.released.set()
    assert await asyncio.gather(*callers) == [n * 10 for n in range(10)]
    assert works.most_at_once == 1
    assert sorted(item for batch in works.batches for item in batch) == list(range(10))


async def test_an_exception_in_a_result_goes_to_its_caller_alone() -> None:
    refusal = ApiError(BillingCode.QUOTA_EXHAUSTED)
    works = Works(lambda item: refusal if item == 2 else item)
    lane = lane_of(works)
    results = await asyncio.gather(*map(lane.put, [1, 2, 3]), return_exceptions=True)
    assert results == [1, refusal, 3]
    assert works.batches == [[1, 2, 3]], "a refusal is no reason to work again"


def broken_by(*bad: int, fault: type[Exception] = ZeroDivisionError) -> Callable[[int], int]:
    def answer(item: int) -> int:
        if item in bad:
            raise fault("broken")
        return item

    return answer


async def test_an_item_that_breaks_the_work_is_isolated_and_its_neighbours_succeed() -> None:
    works = Works(broken_by(41))
    lane = lane_of(works)
    results = await asyncio.gather(*map(lane.put, range(100)), return_exceptions=True)
    assert [n for n in range(100) if results[n] != n] == [41]
    assert isinstance(results[41], ZeroDivisionError)
    assert len(works.batches) <= 15, "halving, not one by one"


async def test_two_that_break_it_are_both_found() -> None:
    lane = lane_of(Works(broken_by(0, 63)))
    results = await asyncio.gather(*map(lane.put, range(64)), return_exceptions=True)
    assert [n for n in range(64) if isinstance(results[n], Exception)] == [0, 63]


async def test_a_lane_goes_on_after_a_break() -> None:
    lane = lane_of(Works(broken_by(1)))
    with pytest.raises(ZeroDivisionError):
        await lane.put(1)
    assert await lane.put(2) == 2


async def test_a_conflict_that_stays_is_isolated_too() -> None:
    """Retries are exhausted: a conflict of one item must not fail the others with 503."""

    lane = lane_of(Works(broken_by(5, fault=Conflict)))
    results = await asyncio.gather(*map(lane.put, range(16)), return_exceptions=True)
    assert [n for n in range(16) if isinstance(results[n], Conflict)] == [5]
    assert sum(not isinstance(result, Exception) for result in results) == 15


@pytest.mark.parametrize(
    "fault",
    [
        ApiError(Code.SERVICE_UNAVAILABLE, retry_after=1),
        Unavailable("away"),
        CommitUnknown("lost during COMMIT"),
        asyncpg.ConnectionDoesNotExistError("lost"),
        asyncpg.DiskFullError("full"),
        asyncpg.QueryCanceledError("too slow"),
        ConnectionResetError("reset"),
    ],
    ids=lambda fault: type(fault).__name__,
)
async def test_with_the_database_away_everyone_gets_the_error_and_the_work_is_not_run_again(
    fault,
) -> None:
    """Halving would ask a dead database a thousand times, and redo what may have committed."""

    works = Works(lambda _: (_ for _ in ()).throw(fault))
    lane = lane_of(works)
    results = await asyncio.gather(*map(lane.put, range(64)), return_exceptions=True)
    assert results == [fault] * 64
    assert len(works.batches) == 1


async def test_work_that_loses_count_of_its_results_fails_its_callers_and_not_the_lane() -> None:
    async def work(items: list[int]) -> list[Any]:
        return items if len(items) == 1 else items[:-1]

    lane: Lane[int, Any] = Lane(work, batch_max=BATCH_MAX)
    results = await asyncio.gather(*map(lane.put, range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [AssertionError] * 3
    assert await lane.put(9) == 9


async def test_a_caller_that_went_away_affects_no_other_caller() -> None:
    works = Works()
    lane = lane_of(works)
    works.released.clear()
    callers = [asyncio.create_task(lane.put(n)) for n in range(3)]
    await run_loop()
    callers[1].cancel()
    await run_loop()
    works.released.set()
    results = await asyncio.gather(*callers, return_exceptions=True)
    assert results[0] == 0
    assert isinstance(results[1], asyncio.CancelledError)
    assert results[2] == 20
    assert await lane.put(4) == 40


async def test_an_item_is_processed_even_if_its_caller_has_gone_away() -> None:
    """An outcome of the platform must be written down, whoever still waits for it."""

    works = Works()
    lane = lane_of(works)
    works.released.clear()
    first = asyncio.create_task(lane.put(0))
    await run_loop()
    gone = asyncio.create_task(lane.put(1))
    await run_loop()
    gone.cancel()
    works.released.set()
    await first
    await lane.idle()
    assert works.batches == [[0], [1]]


async def test_idle_waits_for_all_that_is_in_the_lane() -> None:
    works = Works()
    lane = lane_of(works, batch_max=2)
    await lane.idle()
    works.released.clear()
    callers = [asyncio.create_task(lane.put(n)) for n in range(5)]
    await run_loop()
    resting = asyncio.create_task(lane.idle())
    await run_loop()
    assert not resting.done()
    works.released.set()
    await resting
    await run_loop()
    assert all(task.done() for task in callers)


async def test_the_work_of_many_is_not_logged_as_one_callers_request() -> None:
    seen: list[str | None] = []

    async def work(items: list[int]) -> list[Any]:
        seen.append(REQUEST_ID.get())
        return items

    lane: Lane[int, Any] = Lane(work, batch_max=BATCH_MAX)
    REQUEST_ID.set("req_of_the_first")
    await lane.put(1)
    assert seen == [None]
