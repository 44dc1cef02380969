"""The values of the queue: jobs, what becomes of them, their kinds, and pools of workers. Pure."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

MILLISECOND = timedelta(milliseconds=1)


class NewJob(msgspec.Struct, frozen=True):
    account_id: UUID
    pool: str
    kind: str
    subject: str  # the id of what the job is about
    due_at: datetime  # real time
    clock: timedelta = timedelta(0)  # the account's clock offset that due_at was computed with
    priority: int = 5  # 0 runs first
    leased: bool = False  # inserted as claimed: the caller runs it right away
    # At most one waiting job per key and account: a second one only moves the due time forward.
    # Claiming the job frees the key, so that a change made while it runs enqueues another job.
    unique_key: str | None = None
    ordering_key: str | None = None  # jobs of one key start in the order of their ids
    payload: bytes | None = None  # JSON


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
    is dead-lettered, and settles what the job was about.
    """

    run: Handler
    on_dead_letter: Handler | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """Workers that share slots.

    `group`: how many jobs one handler call gets. `gather`: minimum seconds between two claims, so
    that jobs that fall due one by one are run in groups. `by_partition`: concurrency is limited per
    partition (`concurrency.py`), and a handler call gets jobs of one partition.
    """

    name: str
    slots: int
    group: int
    by_partition: bool = False
    gather: float = 0.0
