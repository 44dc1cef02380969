"""The values of the queue: jobs, what becomes of them, their kinds, and pools of workers. Pure."""

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import msgspec

from tidings import limits

MILLISECOND = timedelta(milliseconds=1)


class Partition(NamedTuple):
    """The unit of fairness: the jobs of an account in a pool that have the same partition key."""

    pool: str
    account_id: UUID
    key: str


class NewJob(msgspec.Struct, frozen=True):
    account_id: UUID
    pool: str
    kind: str
    subject: str  # the id of what the job is about
    due_at: datetime  # real time
    clock: timedelta = timedelta(0)  # the account's clock offset that due_at was computed with
    priority: int = 5  # 0 runs first
    # At most one waiting job per key and account: a second one only moves the due time forward.
    # Claiming the job frees the key, so that a change made while it runs enqueues another job.
    unique_key: str | None = None
    ordering_key: str | None = None  # jobs of one key start in the order of their ids
    payload: bytes | None = None  # JSON
    partition_key: str = ""  # divides the jobs of an account, for example by destination
    memo: object = None  # what the handler needs if the job runs from memory; not stored


@dataclass(slots=True, eq=False)
class GroupLease:
    """The lease of jobs that run from memory and share one row (`groups.py`)."""

    id: int  # of the row
    members: set[str]  # the subjects of those that have not ended
    # The last transaction that ends some, and which.
    ending: tuple[object, frozenset[str]] = (None, frozenset())
    is_deleted: bool = False


class Job(msgspec.Struct, frozen=True):
    """A claimed job. `generation` fences it: results of an earlier claim are ignored."""

    id: int
    account_id: UUID
    kind: str
    subject: str
    generation: int
    attempts: int = 1  # including this one
    crashes: int = 0  # leases that expired
    due_at: datetime | None = None  # when it was due, real time
    clock: timedelta = timedelta(0)  # the account's clock offset that due_at was computed with
    payload: str | None = None  # JSON
    priority: int = 5
    pool: str = ""
    partition_key: str = ""
    group: GroupLease | None = None  # it has no row of its own; `id` is that of the group's
    memo: object = None  # what the handler need not load

    @property
    def key(self) -> Hashable:
        """Tells apart all claims of this process. A job that its handler has put back may be
        claimed again while the handler goes on with others: that is another claim."""
        return (self.id, self.generation if self.group is None else self.subject)

    @property
    def partition(self) -> Partition:
        return Partition(self.pool, self.account_id, self.partition_key)


class Reschedule(msgspec.Struct, frozen=True):
    """A result: run the job again later."""

    job: Job
    due_at: datetime  # real time
    clock: timedelta = timedelta(0)
    payload: bytes | None = None  # None keeps the payload
    count_attempt: bool = True  # False: the job only found that it has to wait


Handler = Callable[[list[Job]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class JobKind:
    """The handlers of one kind of job.

    `run` completes its jobs in the transaction of their effect. `on_dead_letter` runs before a job
    is dead-lettered, and settles what the job was about. `calls_out`: its handler calls other
    servers. Where others hold the rows for too long, only it knows whether a call was made, and
    so whether the jobs may be released; those of all other kinds are released by the executor.
    `crashes_max`: how many expired leases in a row dead-letter a job.
    """

    run: Handler
    on_dead_letter: Handler | None = None
    calls_out: bool = False
    crashes_max: int = limits.JOB_CRASHES_MAX


@dataclass(frozen=True, slots=True)
class PartitionLimits:
    """Bounds of adaptive concurrency (`concurrency.py`): jobs that run at once in one process."""

    total: int
    unproven: int  # in partitions whose last job did not succeed
    throttled: int  # in partitions that keep failing
    per_account: int
    initial: int  # in a partition of which nothing is known
    maximum: int  # in one partition
    per_unresponsive_host: int  # in all partitions that lead to a host that never answers
    failures_to_throttle: int  # in a row
    fast: timedelta  # a success within this time earns the partition another slot
    prefetch: timedelta  # how much work to claim ahead of a partition that succeeds
    prefetch_per_slot: int  # and how many jobs at most


@dataclass(frozen=True, slots=True)
class Pool:
    """Workers that share slots.

    `group`: how many jobs one handler call gets at most. `gather`: minimum seconds between two
    claims, so that jobs that fall due one by one run in groups. `limits`: concurrency adapts to the
    results of each partition, instead of equal shares. `interruptible`: running a job twice is
    harmless, so a shutdown does not wait for the end of its jobs.
    """

    name: str
    slots: int
    group: int
    gather: float = 0.0
    limits: PartitionLimits | None = None
    interruptible: bool = False
