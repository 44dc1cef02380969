"""Insert jobs, in the transaction of whatever they follow from."""

from collections.abc import Sequence

import msgspec

from tidings import limits
from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.tx import Tx

from .model import MILLISECOND, NewJob

_INSERT = """
    INSERT INTO jobs (account_id, pool, kind, subject, due_at, clock_ms, priority,
                      partition_key, unique_key, ordering_key, payload)
    SELECT account_id, pool, kind, subject, due_at, clock_ms, priority, partition_key, unique_key,
           ordering_key, payload
      FROM """
_UNLESS_ONE_WAITS = """
    ON CONFLICT (account_id, unique_key) WHERE unique_key IS NOT NULL
    DO UPDATE SET due_at = excluded.due_at, clock_ms = excluded.clock_ms
     WHERE jobs.due_at > excluded.due_at
"""
_RETURNING = " RETURNING id"
_COLUMNS = BulkRows(
    {
        "account_id": "uuid", "due_at": "timestamptz", "clock_ms": "bigint",
        "priority": "smallint", "payload": "jsonb",
    },
    constant=(
        "account_id", "pool", "kind", "clock_ms", "priority", "partition_key", "unique_key",
        "payload",
    ),
)  # fmt: skip


async def enqueue(tx: Tx, jobs: Sequence[NewJob], *, returning: bool = False) -> list[int]:
    """Insert jobs. `returning` their ids, in the order of `jobs` unless some have a unique key."""
    if not jobs:
        return []
    has_unique = any(job.unique_key for job in jobs)
    if has_unique:
        jobs = _deduplicated(jobs)
    source, arguments = _COLUMNS.source(
        {
            "account_id": [job.account_id for job in jobs],
            "pool": [job.pool for job in jobs],
            "kind": [job.kind for job in jobs],
            "subject": [job.subject for job in jobs],
            "due_at": [job.due_at for job in jobs],
            "clock_ms": [job.clock // MILLISECOND for job in jobs],
            "priority": [job.priority for job in jobs],
            "partition_key": [job.partition_key for job in jobs],
            "unique_key": [job.unique_key for job in jobs],
            "ordering_key": [job.ordering_key for job in jobs],
            "payload": [None if job.payload is None else msgspec.Raw(job.payload) for job in jobs],
        }
    )
    on_conflict = _UNLESS_ONE_WAITS if has_unique else ""  # checking costs; most jobs have no key
    if returning:
        rows = await tx.rows(_INSERT + source + on_conflict + _RETURNING, *arguments)
    else:
        rows = []
        # Only jobs with a unique key can meet one that the same transaction has inserted.
        apart = not has_unique or not tx.writes.contain(_UNLESS_ONE_WAITS)
        await tx.write(_INSERT + source + on_conflict, *arguments, apart=apart)
    soon = tx.now + limits.QUEUE_IDLE_WAIT  # polling finds what is due later in time
    for job in jobs:
        if job.due_at <= soon:
            tx.wake(job.pool)
    return [row["id"] for row in rows]


def _deduplicated(jobs: Sequence[NewJob]) -> list[NewJob]:
    """The earliest job of each unique key: ON CONFLICT must not touch a row twice. Sorted by key,
    so that concurrent transactions lock the rows in the same order and cannot deadlock."""
    kept: dict[object, NewJob] = {}
    for index, job in enumerate(jobs):
        key = index if job.unique_key is None else (job.account_id, job.unique_key)
        known = kept.get(key)
        if known is None or job.due_at < known.due_at:
            kept[key] = job
    return sorted(
        kept.values(),
        key=lambda job: (str(job.account_id), job.unique_key) if job.unique_key else (),
    )
