"""Invitations that took their end from the event move with it (4.10, contract2.md section B).

`move` changes the invitations in the transaction that changes the event. What depends on their ends
(messages that still wait, the timers of unclear replies) belongs to slices above this one, which
follow by a job.
"""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account

from . import end_store, rules
from .model import Event, Unsent

POOL = "timers"
MOVED = "event.moved"  # handled by the slice of replies


async def move(tx: Tx, account: Account, before: Event, after: Event) -> bool:
    """Whether any invitation has another end now."""
    end = rules.moved_end(before, after)
    if end is None:
        return False
    event_id, now = after.event_id, account.now(tx.now)
    if not await end_store.move(tx, account.id, event_id, end, now):
        return False
    unique_key = f"{MOVED}:{event_id}"
    job = NewJob(account.id, POOL, MOVED, event_id, tx.now, account.clock, unique_key=unique_key)
    await queue.enqueue(tx, [job])
    return True


async def find_unsent(tx: Tx, account_id: UUID, event_id: str) -> Sequence[Unsent]:
    """The event's invitations that have not gone out, with their present ends."""
    return await end_store.find_unsent(tx, account_id, event_id)


async def find_unclear(tx: Tx, account_id: UUID, event_id: str) -> list[tuple[UUID, UUID]]:
    """The keys of those with a reply that was not understood, and no answer."""
    found = await end_store.find_unclear(tx, account_id, event_id)
    return [(account_id, message_id) for message_id in found]
