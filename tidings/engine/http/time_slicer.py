"""Processes large requests in slices of a few milliseconds, so the event loop is not blocked (8).

A decoder holds the interpreter lock during a call, so a thread would not help: the work is divided
into short calls, and other ready tasks run between two slices.
"""

import asyncio
from typing import TypeVar

from tidings import limits
from tidings.engine.http.outline import Steps

T = TypeVar("T")

_SLICE_SECONDS = limits.LOOP_SLICE.total_seconds()


class TimeSlicer:
    """Runs generators of steps to completion. Of several, only one gets a slice per iteration of
    the event loop, so many large requests block the loop no longer than a single one."""

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
