"""What the batches slice, above this one, asks of messages; and privacy, which cancels by person.

It learns of progress by the job `batch.moved`, which `state/timers.py` schedules.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import stats
from tidings.features.accounts.model import Account
from tidings.features.senders import capacity_reads
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.templates.lookup import has_passcodes, load_templates

from ..model import Message, Status
from ..read import lookup_store
from ..send import dispatch
from ..state import changes, store
from ..state.changes import Changes
from ..state.timers import batch_job

OTHERS_MAX = 250  # in a forecast
WAITING_READ_MAX = 20_000  # jobs from which these are taken
IN_FLIGHT = Status.SENDING.value
SENT = (Status.SENT.value, Status.DELIVERED.value, Status.READ.value)


async def start(tx: Tx, account: Account, batch_id: UUID) -> None:
    """Count a new batch for the first time in a minute, or when a message of it was sent."""
    due = tx.now + limits.BATCH_PROGRESS_INTERVAL
    await queue.enqueue(tx, [batch_job(account, batch_id, due)])


async def count(tx: Tx, account_id: UUID, batch_id: UUID) -> dict[str, int]:
    """How many messages of the batch are in each status."""
    return await lookup_store.count_by_status(tx, account_id, batch_id)


async def count_all(
    tx: Tx, account_id: UUID, batch_ids: Sequence[UUID]
) -> dict[UUID, dict[str, int]]:
    """`count` for several batches; one without messages is absent."""
    return await lookup_store.count_batches(tx, account_id, batch_ids) if batch_ids else {}


async def find_last_sent_at(tx: Tx, account_id: UUID, batch_id: UUID) -> datetime | None:
    return await lookup_store.find_last_sent_at(tx, account_id, batch_id)


async def find_others(tx: Tx, account: Account, batch_id: UUID) -> tuple[Sequence[Message], float]:
    """The waiting messages of the account that are not in the batch, with the fields that a
    forecast needs. If there are too many: every n-th in the order of the queue, so that times and
    numbers keep their shares, and how many messages each one represents."""
    jobs = await lookup_store.find_waiting_jobs(tx, account.id, dispatch.POOL, WAITING_READ_MAX)
    step = max(ceil(len(jobs) / OTHERS_MAX), 1)
    others = await lookup_store.load_waiting(tx, account.id, jobs[::step], batch_id)
    if len(jobs) < WAITING_READ_MAX:
        return others, float(step)
    waiting = await stats.count(tx, account.id, dispatch.POOL)
    return others, step * max(waiting / len(jobs), 1.0)


async def lock_capacity(tx: Tx, account: Account) -> Capacity:
    """Locks the rows of the account's numbers, which come before a batch in the order of locks."""
    accounts, numbers = {account.id: account}, await load_numbers(tx, [account.id])
    templates = await load_templates(tx, [account.id])
    with_passcodes = {key for key, named in templates.items() if has_passcodes(named)}
    return await capacity_reads.load(tx, accounts, numbers, [], with_passcodes=with_passcodes)


async def cancel_waiting(
    ctx: Context, tx: Tx, account: Account, numbers: Capacity, batch_id: UUID, now: datetime
) -> dict[str, int]:
    """Cancel the messages of a batch that have not been sent (4.9); the counts by status after it.

    Messages being sent are marked first: one that the platform refuses meanwhile is then either
    found waiting here or cancelled by its outcome. None is claimed meanwhile, because a claim needs
    the lock on the numbers that the caller holds.
    """
    await store.request_cancel(tx, account.id, batch_id)
    waiting = await store.lock_waiting(tx, account.id, batch_id)
    await _cancel(ctx, tx, account, numbers, waiting, now)
    return await lookup_store.count_by_status(tx, account.id, batch_id)


async def cancel_waiting_to(
    ctx: Context, tx: Tx, account: Account, recipient: str, limit: int
) -> int:
    """Cancel messages to a person that have not been sent, of a batch or not; how many. Below
    `limit`, none is left but those being sent, which are marked as above."""
    numbers = await lock_capacity(tx, account)
    await store.request_cancel_to(tx, account.id, recipient)
    waiting = await store.lock_waiting_to(tx, account.id, recipient, limit)
    await _cancel(ctx, tx, account, numbers, waiting, account.now(tx.now))
    return len(waiting)


async def _cancel(
    ctx: Context,
    tx: Tx,
    account: Account,
    numbers: Capacity,
    waiting: Sequence[Message],
    now: datetime,
) -> None:
    _release_slots(account, numbers, waiting)
    found = Changes({account.id: account})
    for message in waiting:
        found.add(message)
        found.cancel(message, now)
    await numbers.save(tx)
    await changes.apply(ctx, tx, found)


def _release_slots(account: Account, numbers: Capacity, waiting: Iterable[Message]) -> None:
    slots: dict[str, list[datetime]] = {}
    for message in waiting:
        if message.status is Status.QUEUED and message.number and message.planned_at:
            slots.setdefault(message.number, []).append(message.planned_at)
    for number, planned in slots.items():
        numbers.release_planned(account, number, min(planned), max(planned))
