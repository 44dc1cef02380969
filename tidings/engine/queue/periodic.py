"""Housekeeping: short tasks that repeat in every process that has workers.

Each must be safe to run concurrently with itself. A task that fails is logged and runs again at its
next time.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

import structlog

from tidings.engine.db.errors import HELD_ERRORS, OUTAGE_ERRORS

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    name: str
    every: timedelta
    run: Callable[[], Awaitable[object]]


async def repeat(task: PeriodicTask) -> None:
    """Until cancelled. The first run is delayed at random, so that processes spread out."""
    await asyncio.sleep(random.uniform(0, task.every.total_seconds()))  # noqa: S311
    while True:
        try:
            # The database logs its own outage, once. While it is silent, connections run out first.
            with suppress(*OUTAGE_ERRORS, *HELD_ERRORS):
                await task.run()
        except Exception:
            log.exception("periodic.failed", task=task.name)
        await asyncio.sleep(task.every.total_seconds())
