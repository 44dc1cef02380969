"""The gauges of /metrics that are measured when it is read: queue, connections, clocks.

While the database is away or slow, those that need it keep their last values, and the page is
answered all the same: Prometheus would take a late answer for a dead process.
"""

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.db import skew
from tidings.engine.db.connections import Connections
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.tx import Tx
from tidings.engine.metrics.distribution import Timed
from tidings.engine.queue import stats
from tidings.engine.queue.handover import LocalWorkers
from tidings.features.callbacks import dead_letters
from tidings.features.messages.state.counts import show_faults
from tidings.features.webhooks.publish import POOL as WEBHOOKS

# Then the page has the last values. A supervisor waits a little longer for the whole page.
DATABASE_SECONDS_MAX = 0.75 * limits.PROCESS_ANSWER_MAX.total_seconds()


def prepare(ctx: Context) -> None:
    """Have the database count its outages, and the waits for its connections. Once, at startup.

    What may fail is shown as 0 before it does: Prometheus sees an increase only between two values.
    """
    metrics, outage = ctx.metrics, ctx.db.outage
    outage.on_begin = metrics.database_outages.inc
    outage.on_end = metrics.database_outage_seconds.inc
    show_faults(metrics)
    for kind in ctx.job_kinds:
        metrics.job_failures.labels(kind)
    for name, connections in _pools(ctx).items():
        metrics.database_wait_seconds.observe(0, (name,), count=0)
        connections.timed_wait = partial(Timed, ctx.clock, metrics.database_wait_seconds, (name,))


async def measure(ctx: Context) -> None:
    """Before each reading of the metrics."""
    ctx.metrics.flush()
    _measure_process(ctx)
    queue = asyncio.create_task(_measure_queue(ctx))
    await asyncio.wait({queue}, timeout=DATABASE_SECONDS_MAX)
    if queue.done():
        queue.result()
    else:
        queue.cancel()  # and not awaited: ending what it began takes time as well
    ctx.metrics.database_up.set(not ctx.db.outage.lasts)


def _measure_process(ctx: Context) -> None:
    workers = ctx.db.of_process(LocalWorkers).by_pool
    for pool in ctx.pools:
        running = workers[pool].running if pool in workers else 0
        ctx.metrics.jobs_running.labels(pool).set(running)
    ctx.metrics.webhook_destinations_throttled.set(ctx.limiters[WEBHOOKS].throttled)
    _measure_connections(ctx)


async def _measure_queue(ctx: Context) -> None:
    with suppress(*UNAVAILABLE_ERRORS):
        await ctx.db.transact(lambda tx: _read_queue(ctx, tx))


async def _read_queue(ctx: Context, tx: Tx) -> None:
    ages = await stats.oldest_due(tx, ctx.pools)
    due = await stats.count_due(tx, ctx.pools, limits.HEALTH_COUNT_MAX)
    dead = await stats.count_dead(tx)
    metrics = ctx.metrics
    for pool in ctx.pools:
        age = ages.get(pool, timedelta(0))  # an empty pool has no row
        metrics.jobs_due_age.labels(pool).set(age.total_seconds())
        metrics.jobs_due.labels(pool).set(min(due[pool], limits.HEALTH_COUNT_MAX))
        metrics.jobs_dead.labels(pool).set(dead.get(pool, 0))
    letters = await dead_letters.count(tx)
    metrics.callback_dead_letters.set(sum(one.count for one in letters))
    ahead = await skew.measure(ctx.clock, tx.value)
    metrics.clock_skew.set(ahead.total_seconds())


def _measure_connections(ctx: Context) -> None:
    metrics = ctx.metrics
    metrics.database_up.set(not ctx.db.outage.lasts)
    for name, connections in _pools(ctx).items():
        metrics.database_connections.labels(name, "in_use").set(connections.in_use)
        metrics.database_connections.labels(name, "idle").set(connections.idle)
        metrics.database_connections_max.labels(name).set(connections.size)
        metrics.database_waiting.labels(name).set(connections.waiting)


def _pools(ctx: Context) -> dict[str, Connections]:
    return {"main": ctx.db.connections, "reports": ctx.db.report_connections}
