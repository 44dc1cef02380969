"""What can wait runs once the process is idle, or after a while all the same."""

import asyncio
from collections.abc import Iterator

from tidings.engine.idle import LOOKS_MAX, when_idle

LOOK = 0.001


async def _run(used: Iterator[float]) -> int:
    """How often the processor time was read before the work ran."""
    reads = 0
    ran = asyncio.Event()
    loop = asyncio.get_running_loop()

    def read() -> float:
        nonlocal reads
        reads += 1
        return next(used)

    def work() -> None:
        loop.call_soon_threadsafe(ran.set)

    await when_idle(work, used=read, look_seconds=LOOK)
    await ran.wait()
    return reads


async def test_an_idle_process_prepares_after_the_first_look() -> None:
    assert await _run(iter([5.0, 5.0])) == 2


async def test_a_busy_one_once_it_is_idle() -> None:
    assert await _run(iter([0.0, LOOK, 2 * LOOK, 2.1 * LOOK])) == 4


async def test_one_that_is_never_idle_prepares_all_the_same() -> None:
    assert await _run(n * LOOK for n in range(1_000)) == LOOKS_MAX + 1
