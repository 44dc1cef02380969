"""`tidings doctor` when the tables have grown: how long all questions take, and the slowest.

The rows are copies (`rows.py`) that keep all invariants, so that every question looks as far as it
does in a real installation. What is said to be broken all the same is counted.
"""

import asyncio
import time
from typing import Any

from bench.growth.fill import Dsn
from bench.growth.measure import FINISHED, TENANTS, WAITING_MIN
from bench.growth.world import world
from tidings.clock import DatabaseClock
from tidings.doctor import examine
from tidings.doctor.model import Report
from tidings.engine.db.pool import Database

SLOWEST = 8


def measure(finished: int = FINISHED, tenants: int = TENANTS) -> dict[str, Any]:
    waiting = max(finished // 10, WAITING_MIN)
    with world(tenants, finished, waiting) as full:
        began = time.perf_counter()
        report, size = asyncio.run(ask(full.dsn))
        seconds = time.perf_counter() - began
    slowest = sorted(report.seconds.items(), key=lambda one: -one[1])[:SLOWEST]
    return {
        "messages": finished + waiting,
        "gigabytes": round(size / 1e9, 1),
        "fillSeconds": full.fill_seconds,
        "seconds": round(seconds, 1),
        "slowest": {title: round(taken, 1) for title, taken in slowest},
        "broken": {one.invariant.name: one.count for one in report.broken},
    }


async def ask(dsn: Dsn) -> tuple[Report, int]:
    db = await Database.open(dsn, DatabaseClock(), 1)
    try:
        size: int = await db.value("SELECT pg_database_size(current_database())")
        return await examine(db), size
    finally:
        await db.close()
