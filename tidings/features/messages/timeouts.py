"""When messages that were sent and not delivered time out; `expire.py` is what happens then.

One job an account stands for all its messages; it wakes at the earliest time-out.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account

from . import timeout_store
from .model import Message
from .states import Status

POOL = "timers"
TIMEOUT = "messages.timeout"


def of(messages: Iterable[Message]) -> list[tuple[UUID, datetime]]:
    """When each of these times out (account, when), if it does."""
    return [(m.account_id, m.times_out_at) for m in messages if m.status is Status.SENT]


async def watch(
    tx: Tx, accounts: Mapping[UUID, Account], timestamps: Iterable[tuple[UUID, datetime]]
) -> None:
    """Make sure that somebody looks at the first of these times (account, when)."""
    earliest: dict[UUID, datetime] = {}
    for account_id, timestamp in timestamps:
        earliest[account_id] = min(timestamp, earliest.get(account_id, timestamp))
    near = {
        key: timestamp
        for key, timestamp in earliest.items()
        if timestamp <= accounts[key].now(tx.now) + limits.TIMEOUT_NEAR
    }
    await timeout_store.reopen(tx, near)
    await queue.enqueue(tx, [job_at(accounts[key], earliest[key]) for key in sorted(earliest)])


def job_at(account: Account, timestamp: datetime) -> NewJob:
    return NewJob(
        account_id=account.id,
        pool=POOL,
        kind=TIMEOUT,
        subject=TIMEOUT,
        due_at=timestamp - account.clock,
        clock=account.clock,
        unique_key=TIMEOUT,
    )
