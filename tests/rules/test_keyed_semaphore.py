"""A limit per key and a limit in total."""

import asyncio
from collections import Counter

from tidings.engine.keyed_semaphore import KeyedSemaphore


async def _pass(semaphore, key, inside: Counter, seen: list):
    async with semaphore.acquire(key):
        inside[key] += 1
        seen.append((inside[key], inside.total()))
        await asyncio.sleep(0)
        inside[key] -= 1


async def _crowd(semaphore, keys):
    inside, seen = Counter(), []
    await asyncio.gather(*(_pass(semaphore, key, inside, seen) for key in keys))
    return seen


async def test_the_limits_per_key_and_in_total_hold():
    seen = await _crowd(KeyedSemaphore(3), [n % 10 for n in range(200)])
    assert len(seen) == 200
    assert max(alone for alone, _ in seen) == 1
    assert max(together for _, together in seen) == 3


async def test_unused_keys_are_forgotten():
    semaphore = KeyedSemaphore(2)
    await _crowd(semaphore, range(50))
    assert not semaphore._semaphores and not semaphore._users


async def test_a_cancelled_waiter_blocks_nobody():
    semaphore, inside, seen = KeyedSemaphore(1), Counter(), []
    async with semaphore.acquire("a"):
        waiting = asyncio.create_task(_pass(semaphore, "a", inside, seen))
        await asyncio.sleep(0)
        waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await _pass(semaphore, "a", inside, seen)
    assert seen == [(1, 1)]
