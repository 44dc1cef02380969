"""What the batches slice, above this one, may ask of messages and is told by them.

Downwards by call, upwards by job: a message that leaves us puts `batch.moved`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob, claim
from tidings.features.accounts.model import Account

from . import batch_store, dispatch, store
from .model import Message
from .states import LEFT_US, Status

POOL = "timers"
MOVED = "batch.moved"
OTHERS_MAX = 5000


def moved(account: Account, batch_id: UUID, due: datetime) -> NewJob:
    key = f"{MOVED}:{batch_id.hex}"
    return NewJob(account.id, POOL, MOVED, batch_id.hex, due, account.clock, unique_key=key)


def left(messages: Iterable[Message]) -> list[tuple[UUID, UUID]]:
    """The batches (account, batch) of those messages that have left us."""
    return [
        (message.account_id, message.batch_id)
        for message in messages
        if message.batch_id is not None and message.status in LEFT_US
    ]


async def announce(
    tx: Tx, accounts: Mapping[UUID, Account], batches: Iterable[tuple[UUID, UUID]]
) -> None:
    """Let these batches be counted, once this has committed."""
    unique = sorted(set(batches))
    await queue.enqueue(tx, [moved(accounts[account], batch, tx.now) for account, batch in unique])


async def start(tx: Tx, account: Account, batch_id: UUID) -> None:
    """Look at a new batch for the first time in a minute, or when a message of it has left."""
    due = tx.now + limits.BATCH_PROGRESS_INTERVAL
    await queue.enqueue(tx, [moved(account, batch_id, due)])


async def count(tx: Tx, account_id: UUID, batch_id: UUID) -> dict[str, int]:
    """How many messages of the batch are in each status."""
    return await batch_store.count_by_status(tx, account_id, batch_id)


async def find_last_sent_at(tx: Tx, account_id: UUID, batch_id: UUID) -> datetime | None:
    """Of the batch's messages that have gone."""
    return await batch_store.find_last_sent_at(tx, account_id, batch_id)


async def find_others(tx: Tx, account: Account, batch_id: UUID) -> tuple[Sequence[Message], float]:
    """The account's messages that wait besides a batch, those due first; only what a forecast asks
    about is loaded. Of very many a part, and how many each of them stands for."""
    others = await store.find_waiting(tx, account.id, dispatch.POOL, batch_id, OTHERS_MAX)
    if len(others) < OTHERS_MAX:
        return others, 1.0
    waiting = await claim.count(tx, account.id, dispatch.POOL)
    return others, max(waiting / OTHERS_MAX, 1.0)


IN_FLIGHT = Status.SENDING.value
SENT = (Status.SENT.value, Status.DELIVERED.value, Status.READ.value)
