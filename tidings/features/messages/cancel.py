"""Cancel the waiting messages of a batch (4.9), on behalf of the batches slice above."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.senders import capacity
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.templates.lookup import has_passcodes, load_templates

from . import aftermath, batch_store, counted, moves, store
from .model import Message
from .states import Status


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
    await batch_store.ask_to_cancel(tx, account.id, batch_id)
    waiting = await batch_store.lock_waiting(tx, account.id, batch_id)
    _give_back_turns(account, numbers, waiting)
    for message in waiting:
        moves.cancelled(message, now)
    await numbers.save(tx)
    await store.save(tx, waiting)
    await aftermath.follow(ctx, tx, {account.id: account}, waiting)
    counted.count(ctx, tx, (message.status for message in waiting))
    return await batch_store.count_by_status(tx, account.id, batch_id)


def _give_back_turns(account: Account, numbers: Capacity, waiting: Iterable[Message]) -> None:
    turns: dict[str, list[datetime]] = {}
    for message in waiting:
        if message.status is Status.QUEUED and message.number and message.planned_at:
            turns.setdefault(message.number, []).append(message.planned_at)
    for number, planned in turns.items():
        numbers.release_planned(account, number, min(planned), max(planned))
