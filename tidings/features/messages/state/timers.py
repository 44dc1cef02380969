"""Jobs in the `timers` pool that follow from changes of messages.

Each has a unique key, so that one job stands for all messages of an account or batch: the time-out
of sent messages, the progress of a batch, and waiting messages that may use released quota.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account
from tidings.features.senders.capacity import HeldQuota

from ..model import DONE_SENDING, Message, MessageKind, Status
from ..track import timeout_store

POOL = "timers"
TIMEOUT = "messages.timeout"
BATCH_MOVED = "batch.moved"
MOVE_UP = "limits.move_up"
RECOUNT = "feedback.recount"


async def schedule(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    messages: Iterable[Message],
    jobs: Sequence[NewJob] = (),
) -> None:
    """Enqueue the time-outs and the batch progress that these messages need, and other `jobs`."""
    timeouts: dict[UUID, datetime] = {}
    batches: set[tuple[UUID, UUID]] = set()
    for message in messages:
        account_id = message.account_id
        if message.status is Status.SENT:
            earliest = timeouts.get(account_id, message.times_out_at)
            timeouts[account_id] = min(message.times_out_at, earliest)
        if message.batch_id is not None and message.status in DONE_SENDING:
            batches.add((account_id, message.batch_id))
    await _reopen_watermarks(tx, accounts, timeouts)
    new = [timeout_job(accounts[owner], at) for owner, at in timeouts.items()]
    new += [batch_job(accounts[owner], batch, tx.now) for owner, batch in batches]
    await queue.enqueue(tx, [*jobs, *new])


async def _reopen_watermarks(
    tx: Tx, accounts: Mapping[UUID, Account], timeouts: Mapping[UUID, datetime]
) -> None:
    """A sweep may already have passed a time-out that is near: let the next one examine it."""
    near = {
        owner: at
        for owner, at in timeouts.items()
        if at <= accounts[owner].now(tx.now) + limits.TIMEOUT_NEAR
    }
    await timeout_store.reopen(tx, near)


def timeout_job(account: Account, at: datetime) -> NewJob:
    """`track/timeouts.py` runs it."""
    return NewJob(
        account_id=account.id,
        pool=POOL,
        kind=TIMEOUT,
        subject=TIMEOUT,
        due_at=at - account.clock,
        clock=account.clock,
        unique_key=TIMEOUT,
    )


def batch_job(account: Account, batch_id: UUID, due: datetime) -> NewJob:
    """The batches slice, above this one, runs it: it counts the batch and notifies the customer."""
    key = f"{BATCH_MOVED}:{batch_id.hex}"
    return NewJob(account.id, POOL, BATCH_MOVED, batch_id.hex, due, account.clock, unique_key=key)


def move_up_jobs(
    tx: Tx, accounts: Mapping[UUID, Account], released: Iterable[HeldQuota]
) -> list[NewJob]:
    """`send/reschedule.py` runs them, a little later: messages that end together share one run."""
    due = tx.now + limits.MOVE_UP_WAIT
    return [
        NewJob(owner, POOL, MOVE_UP, MOVE_UP, due, accounts[owner].clock, unique_key=MOVE_UP)
        for owner in sorted({one.account_id for one in released})
    ]


def recount_jobs(
    tx: Tx, accounts: Mapping[UUID, Account], messages: Iterable[Message]
) -> list[NewJob]:
    """The feedback slice, above this one, runs them: a form that failed does not count as sent,
    until it arrives after all. In order, so that the last one sees the last status."""
    return [
        NewJob(
            m.account_id, POOL, RECOUNT, m.id.hex, tx.now, accounts[m.account_id].clock,
            ordering_key=f"{RECOUNT}:{m.id.hex}",
        )
        for m in messages
        if m.kind == MessageKind.FEEDBACK and m.refunded_at is not None
    ]  # fmt: skip
