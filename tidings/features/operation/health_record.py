"""Every process writes what it counted since the last time, and that it is alive.

The counts are those of /metrics (engine/metrics). A few short rows every quarter of a minute:
the charts of the health page read these and no large table.
"""

import os
import socket
from collections import Counter
from datetime import timedelta

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.metrics import Metrics
from tidings.engine.queue import stats
from tidings.ids import new_id

from . import health_store

EVERY = timedelta(seconds=15)
KEPT = timedelta(days=1)
GONE_AFTER = 4 * EVERY  # a process that was not seen for this long has ended
MESSAGES = "tidings_messages_total"
COUNTED = {  # the counters of /metrics that are kept, and what their values are called here
    MESSAGES: "messages",
    "tidings_webhook_attempts_total": "webhooks",
    "tidings_callbacks_total": "callbacks",
    "tidings_syncs_total": "syncs",
}
API = "/api/"


class HealthRecorder:
    """One per process."""

    def __init__(self, ctx: Context, roles: frozenset[str]) -> None:
        self._ctx = ctx
        self._roles = ", ".join(sorted(roles))
        self._id = new_id()
        self._started_at = ctx.clock.now()
        self._counted = read_counts(ctx.metrics)

    async def tick(self) -> None:
        counted = read_counts(self._ctx.metrics)
        sums = {name: n - self._counted[name] for name, n in counted.items()}
        await self._ctx.db.transact(lambda tx: self._write(tx, sums))
        self._counted = counted

    async def _write(self, tx: Tx, sums: dict[str, int]) -> None:
        ages = await stats.oldest_due(tx, self._ctx.pools)
        peaks = {f"age.{pool}": int(age.total_seconds()) for pool, age in ages.items()}
        minute = tx.now.replace(second=0, microsecond=0)
        await health_store.add(tx, minute, {n: value for n, value in sums.items() if value}, peaks)
        host, pid = socket.gethostname(), os.getpid()
        await health_store.put_process(tx, self._id, host, pid, self._roles, self._started_at)
        await health_store.purge(tx, tx.now - KEPT, tx.now - KEPT)

    async def end(self) -> None:
        """The process stops: it is not listed as missing."""
        await self._ctx.db.transact(lambda tx: health_store.delete_process(tx, self._id))


def read_counts(metrics: Metrics) -> Counter[str]:
    """The counters of this process under the names of `health_minutes`."""
    counts: Counter[str] = Counter()
    for family in metrics.registry.collect():
        for sample in family.samples:
            name = _name(sample.name, sample.labels)
            if name is not None:
                counts[name] += int(sample.value)
    return counts


def _name(sample: str, labels: dict[str, str]) -> str | None:
    if sample in COUNTED:
        label = "status" if sample == MESSAGES else "outcome"
        return f"{COUNTED[sample]}.{labels[label]}"
    if sample == "tidings_http_requests_total" and labels["route"].startswith(API):
        return f"requests.{labels['status'][0]}xx"
    if sample == "tidings_http_request_seconds_bucket" and labels["route"].startswith(API):
        return f"latency.{labels['le']}"
    if sample == "tidings_job_failures_total":
        return "jobs.failed"
    return None
