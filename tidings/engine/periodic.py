"""Housekeeping: small tasks that come round again and again, in every process that works.

Each must be harmless to run twice at once. One that fails is logged and comes round again.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

import structlog

from tidings.engine.db.pool import OUTAGE_ERRORS

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Periodic:
    name: str
    every: timedelta
    run: Callable[[], Awaitable[object]]


async def repeat(task: Periodic) -> None:
    """Until cancelled. The first turn comes at a random time, so that processes spread out."""
    await asyncio.sleep(random.uniform(0, task.every.total_seconds()))  # noqa: S311
    while True:
        try:
            with suppress(*OUTAGE_ERRORS):  # the database tells of its own outage, once
                await task.run()
        except Exception:
            log.exception("periodic.failed", task=task.name)
        await asyncio.sleep(task.every.total_seconds())
