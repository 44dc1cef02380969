"""What the batches slice, above this one, may ask of messages and is told by them.

Downwards by call, upwards by job: a message that leaves us puts `batch.moved`.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import claim
from tidings.features.accounts.model import Account
from tidings.features.senders import capacity
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.templates.lookup import has_passcodes, load_templates

from ..model import Message, Status
from ..read import lookup_store
from ..send import dispatch
from ..state import side_effects, store, transitions
from ..state.timers import batch_job

OTHERS_MAX = 5000


async def start(tx: Tx, account: Account, batch_id: UUID) -> None:
    """Look at a new batch for the first time in a minute, or when a message of it has left."""
    due = tx.now + limits.BATCH_PROGRESS_INTERVAL
    await queue.enqueue(tx, [batch_job(account, batch_id, due)])


async def count(tx: Tx, account_id: UUID, batch_id: UUID) -> dict[str, int]:
    """How many messages of the batch are in each status."""
    return await lookup_store.count_by_status(tx, account_id, batch_id)


async def find_last_sent_at(tx: Tx, account_id: UUID, batch_id: UUID) -> datetime | None:
    """Of the batch's messages that have gone."""
    return await lookup_store.find_last_sent_at(tx, account_id, batch_id)


async def find_others(tx: Tx, account: Account, batch_id: UUID) -> tuple[Sequence[Message], float]:
    """The account's messages that wait besides a batch, those due first; only what a forecast asks
    about is loaded. Of very many a part, and how many each of them stands for."""
    others = await lookup_store.find_waiting(tx, account.id, dispatch.POOL, batch_id, OTHERS_MAX)
    if len(others) < OTHERS_MAX:
        return others, 1.0
    waiting = await claim.count(tx, account.id, dispatch.POOL)
    return others, max(waiting / OTHERS_MAX, 1.0)


IN_FLIGHT = Status.SENDING.value


SENT = (Status.SENT.value, Status.DELIVERED.value, Status.READ.value)


async def lock_capacity(tx: Tx, account: Account) -> Capacity:
    """The rows of the account's numbers come first in the order of locks: before a batch's own."""
    accounts, numbers = {account.id: account}, await load_numbers(tx, [account.id])
    templates = await load_templates(tx, [account.id])
    with_passcodes = {key for key, named in templates.items() if has_passcodes(named)}
    return await capacity.load(tx, accounts, numbers, [], with_passcodes=with_passcodes)


async def cancel_waiting(
    ctx: Context, tx: Tx, account: Account, numbers: Capacity, batch_id: UUID, now: datetime
) -> dict[str, int]:
    """Cancel what has not been sent; how many are in each status then.

    A message is either cancelled or sent, never both: whoever locks its row first decides. Those on
    their way are asked first: what the platform gives back meanwhile is then found waiting. Nothing
    sets out meanwhile, because who sends needs the numbers that are held here.
    """
    await store.request_cancel(tx, account.id, batch_id)
    waiting = await store.lock_waiting(tx, account.id, batch_id)
    _release_turns(account, numbers, waiting)
    for message in waiting:
        transitions.cancelled(message, now)
    await numbers.save(tx)
    await store.save(tx, waiting)
    await side_effects.apply(ctx, tx, {account.id: account}, waiting)
    side_effects.count_statuses(ctx, tx, (message.status for message in waiting))
    return await lookup_store.count_by_status(tx, account.id, batch_id)


def _release_turns(account: Account, numbers: Capacity, waiting: Iterable[Message]) -> None:
    turns: dict[str, list[datetime]] = {}
    for message in waiting:
        if message.status is Status.QUEUED and message.number and message.planned_at:
            turns.setdefault(message.number, []).append(message.planned_at)
    for number, planned in turns.items():
        numbers.release_planned(account, number, min(planned), max(planned))
