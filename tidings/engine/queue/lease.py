"""What the holder of a lease may do with its jobs, and how leases end.

Claiming a job moves its `due_at` to the end of the lease and increments `generation`. A worker that
crashes needs no clean-up: the job falls due again when the lease expires, and the next claim counts
a crash. Fencing: every result is applied only if the job's generation is unchanged.
"""

from collections.abc import Hashable, Sequence
from datetime import datetime

from tidings import limits
from tidings.engine.db.tx import Tx

from . import groups
from .model import MILLISECOND, Job, Reschedule


async def complete(tx: Tx, jobs: Sequence[Job]) -> None:
    """The jobs are done: delete them, and the groups of which these were the last members.

    Only while they are leased: if the commit that rescheduled one was lost on its way, and its
    handler records the result again, the job must not go.
    """
    rows = [(job.id, job.generation) for job in jobs if job.group is None]
    rows += [(group.id, groups.GENERATION) for group in groups.end(tx, jobs)]
    if rows:
        await tx.write(
            """
            DELETE FROM jobs USING unnest($1::bigint[], $2::int[]) AS d (id, generation)
             WHERE jobs.id = d.id AND jobs.generation = d.generation AND jobs.leased
            """,
            [row_id for row_id, _ in rows],
            [generation for _, generation in rows],
            apart=True,
        )


async def reschedule(tx: Tx, later: Sequence[Reschedule]) -> None:
    """Run jobs again later, or at once if `run_now` asked for it while they were running."""
    await groups.leave(tx, [item for item in later if item.job.group is not None])
    later = [item for item in later if item.job.group is None]
    if later:
        await tx.run(
            """
            UPDATE jobs SET leased = false, clock_ms = a.clock_ms, crashes = 0,
                   rerun_requested = false,
                   due_at = CASE WHEN rerun_requested THEN least(a.due_at, $7) ELSE a.due_at END,
                   payload = coalesce(a.payload, jobs.payload),
                   attempts = jobs.attempts - (NOT a.count_attempt)::int
              FROM unnest($1::bigint[], $2::int[], $3::timestamptz[], $4::bigint[], $5::jsonb[],
                          $6::bool[])
                   AS a (id, generation, due_at, clock_ms, payload, count_attempt)
             WHERE jobs.id = a.id AND jobs.generation = a.generation
            """,
            [item.job.id for item in later],
            [item.job.generation for item in later],
            [item.due_at for item in later],
            [item.clock // MILLISECOND for item in later],
            [item.payload and item.payload.decode() for item in later],
            [item.count_attempt for item in later],
            tx.now,
        )


async def release(tx: Tx, jobs: Sequence[Job], due_at: datetime) -> None:
    """Undo the claim: neither an attempt nor a success. The jobs keep their crash count. Those that
    their handler has rescheduled stay so."""
    members = [job for job in jobs if job.group is not None]
    await groups.leave(
        tx, [Reschedule(job, due_at, job.clock, count_attempt=False) for job in members]
    )
    jobs = [job for job in jobs if job.group is None]
    if jobs:
        await tx.run(
            """
            UPDATE jobs SET leased = false, due_at = $3, attempts = jobs.attempts - 1
              FROM unnest($1::bigint[], $2::int[]) AS b (id, generation)
             WHERE jobs.id = b.id AND jobs.generation = b.generation AND jobs.leased
            """,
            [job.id for job in jobs],
            [job.generation for job in jobs],
            due_at,
        )


async def dead_letter(tx: Tx, jobs: Sequence[Job]) -> None:
    """Keep the jobs for the operator to inspect, and never claim them again."""
    await tx.run(
        """
        UPDATE jobs SET dead_lettered_at = $3, leased = false, unique_key = NULL
          FROM unnest($1::bigint[], $2::int[]) AS p (id, generation)
         WHERE jobs.id = p.id AND jobs.generation = p.generation
        """,
        [job.id for job in jobs],
        [job.generation for job in jobs],
        tx.now,
    )


async def lock_held(tx: Tx, jobs: Sequence[Job]) -> set[Hashable]:
    """Lock those jobs whose lease is still ours; their keys. The others were claimed again since.
    Members of a group are held as long as the group is."""
    rows = await tx.rows(
        """
        SELECT jobs.id, jobs.generation
          FROM jobs JOIN unnest($1::bigint[], $2::int[]) AS h (id, generation)
            ON jobs.id = h.id AND jobs.generation = h.generation
         ORDER BY jobs.id FOR UPDATE OF jobs
        """,
        [job.id for job in jobs],
        [job.generation for job in jobs],
    )
    held = {(row["id"], row["generation"]) for row in rows}
    return {job.key for job in jobs if (job.id, job.generation) in held}


async def release_orphaned(tx: Tx, pools: Sequence[str], before: datetime) -> int:
    """Expire leases taken before this time, whose holders are known to be gone; how many.

    Only for an embedded database, where a lock file proves that no other process uses it. Without
    this, a restarted process would wait a minute for its own old leases. It counts as a crash,
    like a lease that expires. Jobs that have crashed before keep their lease: they may be what
    crashes workers, and if not, quick restarts must not dead-letter them.
    """
    return await tx.run(
        """
        UPDATE jobs SET due_at = $3
         WHERE pool = ANY($1::text[]) AND dead_lettered_at IS NULL AND leased AND crashes = 0
           AND due_at > $3 AND due_at <= $2
        """,
        list(pools),
        before + limits.JOB_LEASE,
        tx.now,
    )


async def end_all(tx: Tx) -> int:
    """Of a restored database, which no worker holds a lease of: what was running is due now; how
    many. Fencing: the next generation. A group keeps its lease, which has expired: the next claim
    replaces it by its members."""
    return await tx.run(
        """
        UPDATE jobs SET due_at = $1, leased = subjects IS NOT NULL,
               generation = generation + (subjects IS NULL)::int
         WHERE leased
        """,
        tx.now,
    )
