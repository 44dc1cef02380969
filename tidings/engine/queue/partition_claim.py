"""Who gets which due jobs where jobs stand in lines: as many of each line as have their turn.

A line is an account's jobs of one priority. The index that serves claims is in the order of lines,
and of each its first entry tells when it falls due: one probe a line finds both who has work and
when there will be more. A line of ten thousand that waits for its turn costs that one probe.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tidings import limits
from tidings.engine.db.tx import Row, Tx
from tidings.engine.queue import Job
from tidings.engine.queue.claim import BY_INDEX, IN_ORDER, LEASE, NOBODY, read_jobs
from tidings.engine.queue.concurrency import ConcurrencyLimiter, Key

PARTITIONS_AT_ONCE = 256
START: Key = (NOBODY, 0)

_BY_LINE = f"{BY_INDEX.strip()}; SET LOCAL enable_incremental_sort = off"

_LINES = """
    WITH RECURSIVE walk AS (
        (SELECT account_id, priority, due_at, 1 AS n FROM jobs
          WHERE pool = $1 AND dead_lettered_at IS NULL AND (account_id, priority) > ($2, $3)
          ORDER BY account_id, priority, due_at LIMIT 1)
        UNION ALL
        (SELECT next.account_id, next.priority, next.due_at, n + 1 FROM walk CROSS JOIN LATERAL (
            SELECT account_id, priority, due_at FROM jobs
             WHERE pool = $1 AND dead_lettered_at IS NULL
               AND (account_id, priority) > (walk.account_id, walk.priority)
             ORDER BY account_id, priority, due_at LIMIT 1) next
          WHERE n < $4)
    )
    SELECT account_id, priority, due_at FROM walk
"""

_CLAIM = f"""
    WITH due AS (
        SELECT d.id, d.due_at FROM unnest($2::uuid[], $3::smallint[], $4::int[])
               AS w (account_id, priority, share) CROSS JOIN LATERAL (
            SELECT j.id, j.due_at FROM jobs j
             WHERE j.pool = $1 AND j.account_id = w.account_id AND j.priority = w.priority
               AND j.dead_lettered_at IS NULL AND j.due_at <= $5
               AND {IN_ORDER}
             ORDER BY j.due_at, j.id LIMIT w.share
             FOR UPDATE SKIP LOCKED) d
    ) {LEASE}
"""


@dataclass(slots=True)
class Claimed:
    """What a claim has found."""

    jobs: list[Job]
    next_due: datetime | None  # of the lines that have nothing due
    held_back: bool  # something is due, has its turn, and was not to be had
    passed_over: Key | None = None  # the first line for which no slot was left


@dataclass(slots=True)
class PartitionClaimer:
    """Claims due jobs of one pool, turning through its lines from claim to claim."""

    pool: str
    turns: ConcurrencyLimiter
    start: Key = START

    async def claim(self, tx: Tx) -> Claimed:
        """The jobs of lines that have their turn; the walk goes on until it finds some."""
        await tx.run(_BY_LINE)
        found = Claimed([], None, held_back=False)
        place, rounds = self.start, 1 if self.start == START else 2
        while not found.jobs and rounds:
            heads = await tx.rows(_LINES, self.pool, *place, PARTITIONS_AT_ONCE)
            self._note_next_due(heads, tx.now, found)
            due = [(row["account_id"], row["priority"]) for row in heads if row["due_at"] <= tx.now]
            await self._claim(tx, due, found)
            is_end = len(heads) < PARTITIONS_AT_ONCE
            rounds -= is_end
            place = START if is_end else (heads[-1]["account_id"], heads[-1]["priority"])
        self.start = place if found.passed_over is None else _just_before(found.passed_over)
        return found

    def _note_next_due(self, heads: Sequence[Row], now: datetime, found: Claimed) -> None:
        timestamps = [row["due_at"] for row in heads if row["due_at"] > now]
        if found.next_due is not None:
            timestamps.append(found.next_due)
        found.next_due = min(timestamps, default=None)

    async def _claim(self, tx: Tx, due: list[Key], found: Claimed) -> None:
        shares, passed_over = self.turns.shares(due)
        found.passed_over = found.passed_over or passed_over
        if not shares:
            return
        rows = await tx.rows(
            _CLAIM,
            self.pool,
            [account for account, _ in shares],
            [priority for _, priority in shares],
            list(shares.values()),
            tx.now,
            tx.now + limits.JOB_LEASE,
        )
        found.jobs = read_jobs(rows)
        served = {(job.account_id, job.priority) for job in found.jobs}
        found.held_back |= len(served) < len(shares)


def _just_before(key: Key) -> Key:
    return key[0], key[1] - 1
