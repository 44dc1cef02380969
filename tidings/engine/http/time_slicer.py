"""Work on large requests in slices of a few milliseconds, so that the event loop stays free (8).

A decoder holds the interpreter lock during one call, so a thread would not help: the work itself is
cut into short calls, and between two slices everything else that is ready runs.
"""

import asyncio
from typing import TypeVar

from tidings import limits
from tidings.engine.http.outline import Steps

T = TypeVar("T")

_SLICE_SECONDS = limits.LOOP_SLICE.total_seconds()


class TimeSlicer:
    """Runs steps to their end. Of several at once, one has a slice in each round of the loop: many
    large requests take longer together, and keep the loop no longer than one."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()  # first come, first served

    async def run(self, steps: Steps[T]) -> T:
        time = asyncio.get_running_loop().time
        try:
            while True:
                async with self._lock:
                    until = time() + _SLICE_SECONDS
                    while time() < until:
                        next(steps)
                await asyncio.sleep(0)
        except StopIteration as ended:
            value: T = ended.value
            return value
