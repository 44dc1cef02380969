"""Fair queueing: round robin over waiting owners, and no state of others."""

import asyncio

from tidings.engine.fair_queue import (
    OWNER,
    Admission,
    ContentionDetector,
    FairQueue,
    FairSemaphore,
)


def queue_of(*items: str) -> FairQueue[str]:
    """The owner of an item is its first letter."""
    queue: FairQueue[str] = FairQueue()
    for item in items:
        queue.put(item[0], item)
    return queue


def test_owners_are_served_round_robin():
    queue = queue_of("a1", "a2", "a3", "b1", "c1", "b2")
    assert [queue.pop() for _ in range(6)] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert len(queue) == 0 and not queue._queues


def test_a_share_of_each_is_taken_and_the_rest_waits_behind_the_others():
    queue = queue_of("a1", "a2", "a3", "b1", "c1")
    assert [item for _, item in queue.take(4, 2)] == ["a1", "a2", "b1", "c1"]
    queue.put("d", "d1")
    assert [item for _, item in queue.take(1, 2)] == ["a3"]
    assert [item for _, item in queue.take(9, 2, busy={"d"})] == []
    assert queue.has_others({"a"}) and not queue.has_others({"d"})
    assert len(queue) == 1


def test_contention_ends_after_a_while():
    contention = ContentionDetector()
    for _ in range(5000):
        contention.observe("a")
    assert not contention.is_contended, "one owner alone is no contention"
    contention.observe("b")
    contention.observe("a")
    assert contention.is_contended
    for _ in range(5000):
        contention.observe("a")
    assert not contention.is_contended


async def _in_order(semaphore: FairSemaphore, owners: str) -> list[str]:
    order: list[str] = []

    async def use(owner: str) -> None:
        OWNER.set(owner)
        await semaphore.acquire()
        order.append(owner)
        await asyncio.sleep(0)
        semaphore.release()

    await asyncio.gather(*map(use, owners))
    return order


async def test_permits_are_granted_round_robin():
    assert "".join(await _in_order(FairSemaphore(1), "aaaaabc")) == "aabcaaa"


async def test_a_permit_granted_to_a_cancelled_waiter_is_not_lost():
    semaphore = FairSemaphore(1)
    await semaphore.acquire()
    gone = asyncio.create_task(semaphore.acquire())
    late = asyncio.create_task(semaphore.acquire())
    await asyncio.sleep(0)
    gone.cancel()
    semaphore.release()  # granted to the second: the first is cancelled
    late.cancel()  # which is cancelled too, after the grant
    await asyncio.gather(gone, late, return_exceptions=True)
    assert semaphore.locked() is False


async def _begun(admission: Admission, owners: str) -> list[str]:
    """The order in which simultaneous requests are started; a | per loop iteration."""
    begun: list[str] = []
    left = len(owners)

    async def begin(owner: str) -> None:
        nonlocal left
        admitted = admission.request(owner)
        if admitted is not None:
            await admitted
        begun.append(owner)
        left -= 1

    tasks = [asyncio.create_task(begin(owner)) for owner in owners]
    while left:
        await asyncio.sleep(0)
        begun.append("|")
    await asyncio.gather(*tasks)
    return begun


async def test_of_several_accounts_a_few_requests_are_started_per_iteration_one_of_each():
    admission = Admission(per_iteration=2)
    admission.request("z")  # another owner is active too
    order = "".join(await _begun(admission, "aaaaaaab"))
    assert order.replace("|", "").index("b") <= 3, order
    assert max(len(part) for part in order.split("|")) <= 2, order


async def test_an_account_alone_is_never_held_back():
    assert "".join(await _begun(Admission(per_iteration=2), "a" * 50)).startswith("a" * 50)
