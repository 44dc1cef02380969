"""The job queue, in PostgreSQL: work that has to happen later, or again.

    model.py          NewJob, Job, Reschedule, JobKind, Partition, Pool
    enqueue.py        insert jobs; unique keys
    groups.py         one lease row for jobs that run from memory
    handover.py       new jobs go to the worker of this process, without a claim
    claim.py          which due jobs a worker gets: a share of each partition
    claim_store.py    the SQL of claims
    lease.py          complete, reschedule, release, dead-letter; fencing by generation
    schedule.py       cancel waiting jobs, or run them earlier
    concurrency.py    how many jobs of a partition run at once, learned from their results
    executor.py       run claimed jobs; dead-letter those that keep crashing
    worker.py         the loop: claim, execute, sleep
    dead_letters.py   what the operator does with dead-lettered jobs
    stats.py          how many jobs wait, and since when
    notifications.py  LISTEN/NOTIFY between processes
    periodic.py       tasks that repeat in every worker process

The functions that features call are exported here: `queue.enqueue(tx, jobs)`.
"""

from .enqueue import enqueue
from .groups import lease as lease_group
from .handover import enqueue_here, runs_here
from .lease import complete, dead_letter, lock_held, release, reschedule
from .model import Handler, Job, JobKind, NewJob, Partition, PartitionLimits, Pool, Reschedule
from .schedule import cancel, move_clock, run_by, run_jobs_now, run_now

__all__ = [
    "Handler",
    "Job",
    "JobKind",
    "NewJob",
    "Partition",
    "PartitionLimits",
    "Pool",
    "Reschedule",
    "cancel",
    "complete",
    "dead_letter",
    "enqueue",
    "enqueue_here",
    "lease_group",
    "lock_held",
    "move_clock",
    "release",
    "reschedule",
    "run_by",
    "run_jobs_now",
    "run_now",
    "runs_here",
]
