"""Jobs in the `timers` pool that message changes schedule: time-outs, batch progress, quota."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account
from tidings.features.senders.capacity import HeldQuota

from ..model import LEFT_US, Message, Status
from ..track import timeout_store

POOL = "timers"


TIMEOUT = "messages.timeout"


def timeouts_of(messages: Iterable[Message]) -> list[tuple[UUID, datetime]]:
    """When each of these times out (account, when), if it does."""
    return [(m.account_id, m.times_out_at) for m in messages if m.status is Status.SENT]


async def schedule_timeouts(
    tx: Tx, accounts: Mapping[UUID, Account], timestamps: Iterable[tuple[UUID, datetime]]
) -> None:
    """Make sure that somebody looks at the first of these timestamps (account, when)."""
    earliest: dict[UUID, datetime] = {}
    for account_id, timestamp in timestamps:
        earliest[account_id] = min(timestamp, earliest.get(account_id, timestamp))
    near = {
        key: timestamp
        for key, timestamp in earliest.items()
        if timestamp <= accounts[key].now(tx.now) + limits.TIMEOUT_NEAR
    }
    await timeout_store.reopen(tx, near)
    await queue.enqueue(tx, [timeout_job(accounts[key], earliest[key]) for key in sorted(earliest)])


def timeout_job(account: Account, timestamp: datetime) -> NewJob:
    return NewJob(
        account_id=account.id,
        pool=POOL,
        kind=TIMEOUT,
        subject=TIMEOUT,
        due_at=timestamp - account.clock,
        clock=account.clock,
        unique_key=TIMEOUT,
    )


POOL = "timers"


MOVE_UP = "limits.move_up"


async def schedule_move_up(
    tx: Tx, accounts: Mapping[UUID, Account], freed: Iterable[HeldQuota]
) -> None:
    """Not at once: what ends together is looked at together."""
    due = tx.now + limits.MOVE_UP_WAIT
    owners = {place.account_id for place in freed}
    jobs = [
        NewJob(owner, POOL, MOVE_UP, MOVE_UP, due, accounts[owner].clock, unique_key=MOVE_UP)
        for owner in sorted(owners)
    ]
    await queue.enqueue(tx, jobs)


POOL = "timers"


BATCH_MOVED = "batch.moved"


def batch_job(account: Account, batch_id: UUID, due: datetime) -> NewJob:
    key = f"{BATCH_MOVED}:{batch_id.hex}"
    return NewJob(account.id, POOL, BATCH_MOVED, batch_id.hex, due, account.clock, unique_key=key)


def batches_left(messages: Iterable[Message]) -> list[tuple[UUID, UUID]]:
    """The batches (account, batch) of those messages that have left us."""
    return [
        (message.account_id, message.batch_id)
        for message in messages
        if message.batch_id is not None and message.status in LEFT_US
    ]


async def schedule_batch_progress(
    tx: Tx, accounts: Mapping[UUID, Account], batches: Iterable[tuple[UUID, UUID]]
) -> None:
    """Let these batches be counted, once this has committed."""
    unique = sorted(set(batches))
    await queue.enqueue(
        tx, [batch_job(accounts[account], batch, tx.now) for account, batch in unique]
    )
