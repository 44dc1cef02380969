"""How long the event loop of a service is kept by one piece of work, in processor time.

Wall time would say how busy the machine is. What the loop's own thread has used of a processor
between two rounds of the loop is what others had to wait for, whatever else runs. A virtual
machine counts as used what its host took away meanwhile, so the work is done up to three times, and
the shortest of the pauses counts: what the code itself takes is in all of them.
"""

import asyncio
import time
from collections.abc import Callable

from tests.support.threaded import Threaded

_LOOK_SECONDS = 0.001
_TRIES_MAX = 3


def keeps_the_loop(server: Threaded, work: Callable[[], object], seconds: float) -> bool:
    """Whether a round of the server's loop takes so long each time that `work` runs here."""
    return all(_longest_pause(server, work) >= seconds for _ in range(_TRIES_MAX))


def _longest_pause(server: Threaded, work: Callable[[], object]) -> float:
    watch = _Watch()
    server.call(watch.start)
    try:
        work()
    finally:
        longest = server.call(watch.stop)
    return longest


class _Watch:
    def __init__(self) -> None:
        self._longest = 0.0

    async def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._look())

    async def stop(self) -> float:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        return self._longest

    async def _look(self) -> None:
        last = time.thread_time()
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            now = time.thread_time()
            self._longest = max(self._longest, now - last)
            last = now
