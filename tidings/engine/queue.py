"""The job queue: what must happen later, or again, kept in PostgreSQL.

A queue by visibility time. Claiming a job moves its `due_at` past the lease and raises its
`generation`; a worker that dies gives the job back by doing nothing, and its late result is refused
because the generation has moved on. `claims.py` says who gets which jobs.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from tidings import limits
from tidings.engine.db.spread import Spread
from tidings.engine.db.tx import Tx

MILLISECOND = timedelta(milliseconds=1)


class NewJob(msgspec.Struct, frozen=True):
    account_id: UUID
    pool: str
    kind: str
    subject: str  # the id of what it is about
    due_at: datetime  # real time
    clock: timedelta = timedelta(0)  # the account's offset when due_at was worked out
    priority: int = 5  # 0 goes first
    leased: bool = False  # born claimed: its maker runs it at once
    # A job of this key that waits already is kept, with the earlier due time. Claiming it frees the
    # key: what happens while it runs makes another, so nothing is overlooked.
    once: str | None = None
    ordered_by: str | None = None  # jobs of one key start in order
    payload: bytes | None = None  # JSON


class Job(msgspec.Struct, frozen=True):
    id: int
    account_id: UUID
    kind: str
    subject: str
    generation: int
    attempts: int = 1  # 1 on the first
    crashes: int = 0  # leases that ran out
    due_at: datetime | None = None  # when it was due, real time
    clock: timedelta = timedelta(0)  # the account's offset when that was worked out
    payload: str | None = None  # JSON
    priority: int = 5


_ADD = """
    INSERT INTO jobs (account_id, pool, kind, subject, due_at, clock_ms, priority, once, ordered_by,
                      payload, leased, generation, attempts)
    SELECT account_id, pool, kind, subject, due_at, clock_ms, priority, once, ordered_by,
           payload, leased, leased::int, leased::int
      FROM """
_UNLESS_ONE_WAITS = """
    ON CONFLICT (account_id, once) WHERE once IS NOT NULL
    DO UPDATE SET due_at = excluded.due_at, clock_ms = excluded.clock_ms
     WHERE jobs.due_at > excluded.due_at
"""
_RETURNING = " RETURNING id"
_SPREAD = Spread(
    {
        "account_id": "uuid", "due_at": "timestamptz", "clock_ms": "bigint",
        "priority": "smallint", "payload": "jsonb", "leased": "bool",
    },
    alike=(
        "account_id", "pool", "kind", "clock_ms", "priority", "once", "payload", "leased",
    ),
)  # fmt: skip


async def put(tx: Tx, jobs: Sequence[NewJob], *, returning: bool = False) -> list[int]:
    """Add jobs; `returning` their ids, which come in order when none of them is `once`."""
    if not jobs:
        return []
    once = any(job.once for job in jobs)
    if once:
        jobs = _merged(jobs)
    source, arguments = _SPREAD.source(
        {
            "account_id": [job.account_id for job in jobs],
            "pool": [job.pool for job in jobs],
            "kind": [job.kind for job in jobs],
            "subject": [job.subject for job in jobs],
            "due_at": [tx.now + limits.JOB_LEASE if job.leased else job.due_at for job in jobs],
            "clock_ms": [job.clock // MILLISECOND for job in jobs],
            "priority": [job.priority for job in jobs],
            "once": [job.once for job in jobs],
            "ordered_by": [job.ordered_by for job in jobs],
            "payload": [None if job.payload is None else msgspec.Raw(job.payload) for job in jobs],
            "leased": [job.leased for job in jobs],
        }
    )
    rival = _UNLESS_ONE_WAITS if once else ""  # looking for one costs, and most jobs have none
    rows = await tx.rows(_ADD + source + rival + (_RETURNING if returning else ""), *arguments)
    soon = tx.now + limits.QUEUE_IDLE_WAIT  # what is due later, the poll finds in time
    for job in jobs:
        if not job.leased and job.due_at <= soon:
            tx.wake(job.pool)
    return [row["id"] for row in rows]


def _merged(jobs: Sequence[NewJob]) -> list[NewJob]:
    """Of jobs of one key the earliest: one statement may not meet a row twice. The keys in order:
    two that wait for each other's rows would wait until one of them is made to give up."""
    kept: dict[object, NewJob] = {}
    for place, job in enumerate(jobs):
        key = place if job.once is None else (job.account_id, job.once)
        known = kept.get(key)
        if known is None or job.due_at < known.due_at:
            kept[key] = job
    return sorted(
        kept.values(), key=lambda job: (str(job.account_id), job.once) if job.once else ()
    )


async def finish(tx: Tx, jobs: Sequence[Job]) -> None:
    """Done: forget the jobs, unless somebody else has claimed them since."""
    if jobs:
        await tx.run(
            """
            DELETE FROM jobs USING unnest($1::bigint[], $2::int[]) AS d (id, generation)
             WHERE jobs.id = d.id AND jobs.generation = d.generation
            """,
            [job.id for job in jobs],
            [job.generation for job in jobs],
        )


class Again(msgspec.Struct, frozen=True):
    """Run the job again at a later time."""

    job: Job
    due_at: datetime  # real time
    clock: timedelta = timedelta(0)
    payload: bytes | None = None  # None keeps what it has
    uncounted: bool = False  # the attempt did not count: it found that it had to wait


async def again(tx: Tx, later: Sequence[Again]) -> None:
    if later:
        await tx.run(
            """
            UPDATE jobs SET leased = false, clock_ms = a.clock_ms, crashes = 0, hastened = false,
                   due_at = CASE WHEN hastened THEN least(a.due_at, $7) ELSE a.due_at END,
                   payload = coalesce(a.payload, jobs.payload),
                   attempts = jobs.attempts - a.uncounted::int
              FROM unnest($1::bigint[], $2::int[], $3::timestamptz[], $4::bigint[], $5::jsonb[],
                          $6::bool[]) AS a (id, generation, due_at, clock_ms, payload, uncounted)
             WHERE jobs.id = a.id AND jobs.generation = a.generation
            """,
            [item.job.id for item in later],
            [item.job.generation for item in later],
            [item.due_at for item in later],
            [item.clock // MILLISECOND for item in later],
            [item.payload and item.payload.decode() for item in later],
            [item.uncounted for item in later],
            tx.now,
        )


async def put_back(tx: Tx, jobs: Sequence[Job], due_at: datetime) -> None:
    """As if they had not been claimed, but for their due time; what is held against them stays."""
    if jobs:
        await tx.run(
            """
            UPDATE jobs SET leased = false, due_at = $3, attempts = jobs.attempts - 1
              FROM unnest($1::bigint[], $2::int[]) AS b (id, generation)
             WHERE jobs.id = b.id AND jobs.generation = b.generation
            """,
            [job.id for job in jobs],
            [job.generation for job in jobs],
            due_at,
        )


async def lock_held(tx: Tx, jobs: Sequence[Job]) -> set[int]:
    """The ids of those whose lease is still ours: of a job given up by us, our word is void."""
    rows = await tx.rows(
        """
        SELECT jobs.id FROM jobs JOIN unnest($1::bigint[], $2::int[]) AS h (id, generation)
            ON jobs.id = h.id AND jobs.generation = h.generation
         ORDER BY jobs.id FOR UPDATE OF jobs
        """,
        [job.id for job in jobs],
        [job.generation for job in jobs],
    )
    return {row["id"] for row in rows}


async def park(tx: Tx, jobs: Sequence[Job]) -> None:
    """Poison: keep the jobs for the operator to see, and claim them no more."""
    await tx.run(
        """
        UPDATE jobs SET parked_at = $3, leased = false, once = NULL
          FROM unnest($1::bigint[], $2::int[]) AS p (id, generation)
         WHERE jobs.id = p.id AND jobs.generation = p.generation
        """,
        [job.id for job in jobs],
        [job.generation for job in jobs],
        tx.now,
    )


async def call_off(tx: Tx, pools: Sequence[str], about: Sequence[tuple[UUID, str]]) -> None:
    """What these jobs (account, subject) were for has settled by itself. One that runs just now
    finds out on its own. Rare: it looks through all that waits in those accounts' pools."""
    if about:
        await tx.run(
            """
            DELETE FROM jobs USING unnest($1::uuid[], $2::text[]) AS s (account_id, subject)
             WHERE jobs.pool = ANY($3::text[]) AND jobs.account_id = s.account_id
               AND jobs.subject = s.subject AND NOT leased AND parked_at IS NULL
            """,
            [account_id for account_id, _ in about],
            [subject for _, subject in about],
            list(pools),
        )


async def run_by(
    tx: Tx, pools: Sequence[str], account_id: UUID, due: Sequence[tuple[str, datetime]]
) -> None:
    """These jobs (subject, real time) run at that time at the latest. A job that is running finds
    out on its own. Rare: it looks through all that waits in the account's pools."""
    if due:
        await tx.run(
            """
            UPDATE jobs SET due_at = d.due_at
              FROM unnest($3::text[], $4::timestamptz[]) AS d (subject, due_at)
             WHERE jobs.account_id = $1 AND jobs.pool = ANY($2::text[])
               AND jobs.subject = d.subject AND jobs.due_at > d.due_at
               AND NOT leased AND parked_at IS NULL
            """,
            account_id,
            list(pools),
            [subject for subject, _ in due],
            [at for _, at in due],
        )
        for pool in pools:
            tx.wake(pool)


async def hasten(tx: Tx, account_id: UUID, pools: Sequence[str]) -> None:
    """What held the account's jobs back is gone: let them look again now. One that is looking just
    now may not have seen it yet, and does so once more when it is put back."""
    await tx.run(
        """
        UPDATE jobs SET due_at = CASE WHEN leased THEN due_at ELSE $3 END, hastened = leased
         WHERE account_id = $1 AND pool = ANY($2::text[]) AND due_at > $3 AND parked_at IS NULL
        """,
        account_id,
        list(pools),
        tx.now,
    )
    for pool in pools:
        tx.wake(pool)


async def hasten_these(tx: Tx, pool: str, job_ids: Sequence[int]) -> None:
    """Let those of these jobs that wait look again now."""
    if job_ids:
        await tx.run(
            """
            UPDATE jobs SET due_at = $2 WHERE id = ANY (ARRAY(
                SELECT id FROM jobs
                 WHERE id = ANY($1::bigint[]) AND due_at > $2 AND NOT leased AND parked_at IS NULL
                   FOR UPDATE SKIP LOCKED))
            """,
            list(job_ids),
            tx.now,
        )
        tx.wake(pool)


async def move_clock(tx: Tx, account_id: UUID, pools: Sequence[str], clock: timedelta) -> None:
    """Bring the account's jobs to its present offset: what is due in its time is due in ours.

    But for those that somebody is changing: to wait for them while holding the others would be
    waiting for each other. Whoever moved the clock asks again until all are there.
    """
    await tx.run(
        """
        UPDATE jobs SET due_at = due_at - ($3 - clock_ms) * interval '1 millisecond', clock_ms = $3
         WHERE id = ANY (ARRAY(
             SELECT id FROM jobs
              WHERE account_id = $1 AND pool = ANY($2::text[]) AND clock_ms <> $3
                AND NOT leased AND parked_at IS NULL FOR UPDATE SKIP LOCKED))
        """,
        account_id,
        list(pools),
        clock // MILLISECOND,
    )
