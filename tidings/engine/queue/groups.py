"""One lease row for a group of jobs that this process runs from memory.

Jobs that run right after the commit which creates them need no row each: one row lists their
subjects, leased at birth. A member exists in memory only, as a `Job` that refers to its
`GroupLease`. The row is deleted together with its last member; a member that has to run again later
leaves the group for a row of its own (`lease.py`). If the process dies, the lease of the group
expires, and the next claim replaces it by one row per subject, each with an expired lease: from
there on they are jobs like any other. So members that had ended before the crash run once more,
and their handlers must find that there is nothing left to do.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tidings import limits
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx

from .model import MILLISECOND, GroupLease, Job, NewJob, Reschedule

GENERATION = 1  # of a group's row: it is claimed once, by those who insert it
IDS_RESERVED = 500  # of the sequence at once, so that a group's id needs no round trip

_INSERT = """
    INSERT INTO jobs (id, account_id, pool, kind, subject, subjects, due_at, clock_ms, priority,
                      partition_key, leased, generation, attempts)
    OVERRIDING SYSTEM VALUE
    SELECT id, account_id, pool, kind, split_part(subjects, ' ', 1),
           string_to_array(subjects, ' '), $1, clock_ms, priority, partition_key, true, 1, 1
      FROM unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[],
                  $8::smallint[], $9::text[])
           AS g (id, account_id, pool, kind, subjects, clock_ms, priority, partition_key)
"""

# Each member gets the state of a job whose lease has expired.
_EXPAND = """
    WITH expired AS (DELETE FROM jobs WHERE id = ANY($1::bigint[]) RETURNING *)
    INSERT INTO jobs (account_id, pool, kind, subject, due_at, clock_ms, priority, partition_key,
                      leased, generation, attempts, crashes)
    SELECT account_id, pool, kind, m.subject, $2, clock_ms, priority, partition_key,
           true, 1, 1, 0
      FROM expired CROSS JOIN LATERAL unnest(subjects) WITH ORDINALITY AS m (subject, n)
     ORDER BY id, n
"""

# Members get rows of their own, if the lease of their group is still held. One that is not listed
# has left before: the commit was lost on its way, and the result is recorded again. A group that
# has ended is deleted, the others keep the remaining subjects.
_LEAVE = """
    WITH held AS (
        SELECT id, account_id, pool, kind, priority, partition_key, rerun_requested, subjects
          FROM jobs WHERE id = ANY($1::bigint[]) AND generation = $2 ORDER BY id FOR UPDATE),
    gone AS (DELETE FROM jobs USING held WHERE jobs.id = held.id AND held.id = ANY($3::bigint[])),
    kept AS (
        UPDATE jobs SET subjects = ARRAY(
                   SELECT m FROM unnest(held.subjects) AS m
                   EXCEPT ALL SELECT subject FROM unnest($4::bigint[], $5::text[])
                       AS l (id, subject) WHERE l.id = held.id)
          FROM held WHERE jobs.id = held.id AND held.id <> ALL($3::bigint[]))
    INSERT INTO jobs (account_id, pool, kind, subject, due_at, clock_ms, priority, partition_key,
                      payload, generation, attempts)
    SELECT g.account_id, g.pool, g.kind, l.subject,
           CASE WHEN g.rerun_requested THEN least(l.due_at, $10) ELSE l.due_at END,
           l.clock_ms, g.priority, g.partition_key, l.payload, $2, l.attempts
      FROM unnest($4::bigint[], $5::text[], $6::timestamptz[], $7::bigint[], $8::jsonb[],
                  $9::int[])
           AS l (id, subject, due_at, clock_ms, payload, attempts)
      JOIN held AS g ON g.id = l.id AND l.subject = ANY(g.subjects)
     ORDER BY l.due_at, l.subject
"""


@dataclass(slots=True)
class GroupIds:
    """Ids for the rows of groups, reserved by this process."""

    _reserved: list[int] = field(default_factory=list)

    async def take(self, tx: Tx, count: int) -> list[int]:
        if len(self._reserved) < count:
            rows = await tx.rows(
                """
                SELECT nextval(pg_get_serial_sequence('jobs', 'id')) AS id
                  FROM generate_series(1, $1)
                """,
                max(count, IDS_RESERVED),
            )
            ids = [row["id"] for row in rows]
            # Kept only if this commits: what a sequence has given to a transaction that was lost in
            # a failover, the new primary gives again to another.
            tx.after_commit(partial(self._reserved.extend, ids[count:]))
            return ids[:count]
        taken, self._reserved = self._reserved[:count], self._reserved[count:]
        return taken


async def lease(tx: Tx, jobs: Sequence[NewJob]) -> list[Job]:
    """Jobs that the caller runs as soon as this transaction has committed, in their order. They
    have no payload, unique key or ordering key: a group's row stores none."""
    if not jobs:
        return []
    groups = _grouped(jobs)
    ids = await tx.of_process(GroupIds).take(tx, len(groups))
    leases = [
        GroupLease(row_id, {jobs[n].subject for n in members})
        for row_id, members in zip(ids, groups, strict=True)
    ]
    await _insert(tx, [[jobs[n] for n in members] for members in groups], ids)
    found: dict[int, Job] = {}
    for group, members in zip(leases, groups, strict=True):
        found |= {n: _member(jobs[n], group) for n in members}
    return [found[n] for n in range(len(jobs))]


def _grouped(jobs: Sequence[NewJob]) -> list[list[int]]:
    """The positions of the members of each group."""
    together: dict[tuple[Any, ...], list[int]] = {}
    for n, job in enumerate(jobs):
        key = (job.account_id, job.pool, job.kind, job.clock, job.priority, job.partition_key)
        together.setdefault(key, []).append(n)
    size = limits.JOB_GROUP_MAX
    return [
        members[start : start + size]
        for members in together.values()
        for start in range(0, len(members), size)
    ]


async def _insert(tx: Tx, groups: list[list[NewJob]], ids: list[int]) -> None:
    heads = [members[0] for members in groups]
    await tx.write(
        _INSERT,
        tx.now + limits.JOB_LEASE,
        ids,
        [head.account_id for head in heads],
        [head.pool for head in heads],
        [head.kind for head in heads],
        [" ".join(job.subject for job in members) for members in groups],
        [head.clock // MILLISECOND for head in heads],
        [head.priority for head in heads],
        [head.partition_key for head in heads],
        apart=True,
    )


def _member(job: NewJob, group: GroupLease) -> Job:
    return Job(
        id=group.id,
        account_id=job.account_id,
        kind=job.kind,
        subject=job.subject,
        generation=GENERATION,
        due_at=job.due_at,
        clock=job.clock,
        priority=job.priority,
        pool=job.pool,
        partition_key=job.partition_key,
        group=group,
        memo=job.memo,
    )


def end(tx: Tx, jobs: Iterable[Job]) -> list[GroupLease]:
    """These members end with this transaction; the groups of which no other member is left, whose
    rows the caller deletes.

    A member counts as ended once its transaction has committed. If two transactions end the last
    members at the same time, neither deletes the row, and the worker does it later.
    """
    ended: list[GroupLease] = []
    for group, subjects in _by_group(jobs).items():
        earlier = group.ending[1] if group.ending[0] is tx else frozenset()
        ending = earlier | subjects
        group.ending = (tx, ending)
        is_last = ending >= group.members
        tx.after_commit(partial(_ended, tx, group, subjects, is_deleted=is_last))
        if is_last:
            ended.append(group)
    return ended


async def leave(tx: Tx, later: Sequence[Reschedule]) -> None:
    """Members of groups that run again later."""
    if not later:
        return
    ended = end(tx, [item.job for item in later])
    await tx.run(
        _LEAVE,
        list({item.job.id for item in later}),
        GENERATION,
        [group.id for group in ended],
        [item.job.id for item in later],
        [item.job.subject for item in later],
        [item.due_at for item in later],
        [item.clock // MILLISECOND for item in later],
        [item.payload and item.payload.decode() for item in later],
        [item.job.attempts - (not item.count_attempt) for item in later],
        tx.now,
    )


def _by_group(jobs: Iterable[Job]) -> dict[GroupLease, set[str]]:
    found: dict[GroupLease, set[str]] = {}
    for job in jobs:
        if job.group is not None:
            found.setdefault(job.group, set()).add(job.subject)
    return found


def _ended(tx: Tx, group: GroupLease, subjects: set[str], *, is_deleted: bool) -> None:
    group.members -= subjects
    group.is_deleted |= is_deleted
    if not group.members and not group.is_deleted:
        tx.of_process(Leftovers).groups.add(group)


@dataclass(slots=True)
class Leftovers:
    """Groups whose members have all ended but whose rows are still there."""

    groups: set[GroupLease] = field(default_factory=set)


def has_leftovers(db: Database) -> bool:
    return bool(db.of_process(Leftovers).groups)


async def delete_leftovers(tx: Tx) -> None:
    leftovers = tx.of_process(Leftovers)
    if leftovers.groups:
        found = set(leftovers.groups)
        await tx.run("DELETE FROM jobs WHERE id = ANY($1::bigint[])", [one.id for one in found])
        tx.after_commit(partial(leftovers.groups.difference_update, found))


async def expand(tx: Tx, group_ids: Collection[int]) -> None:
    """Replace groups whose lease has expired by their members, which are due now."""
    await tx.run(_EXPAND, list(group_ids), tx.now)
