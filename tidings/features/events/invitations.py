"""Invitations, for the slices above: messages create and mark them, replies answer them.

Invitations that took their end from the event move with it (4.10, contract2.md section B), in the
transaction that changes the event (`move_ends`). What depends on their ends (messages that still
wait, the timers of unclear replies) belongs to slices above this one, which follow by a job.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account

from . import invitation_store as store
from . import rules
from .model import Event, Invitation, Unsent

Key = store.Key
Outcome = tuple[Key, datetime | None, bool]  # when its message was sent, whether it is lost

OF_ONE_GUEST_MAX = 50  # the last to end: bounds the cost of a reply


async def open_all(tx: Tx, invitations: Sequence[Invitation]) -> None:
    """Create them in the transaction that accepts their messages."""
    if invitations:
        await store.insert(tx, invitations)


async def mark(tx: Tx, outcomes: Sequence[Outcome]) -> None:
    """Record that their messages were sent, or never will be."""
    if outcomes:
        await store.mark(tx, outcomes)


async def lock_of_guests(
    tx: Tx, guests: Sequence[tuple[UUID, str]]
) -> dict[tuple[UUID, str], list[Invitation]]:
    """(account, phone): the invitations that a reply may be about, ended ones too."""
    if not guests:
        return {}
    found: dict[tuple[UUID, str], list[Invitation]] = {}
    for invitation in await store.lock_of_guests(tx, guests, OF_ONE_GUEST_MAX):
        found.setdefault((invitation.account_id, invitation.phone), []).append(invitation)
    return found


async def lock(tx: Tx, keys: Sequence[Key]) -> dict[Key, Invitation]:
    return await store.lock(tx, sorted(set(keys))) if keys else {}


async def lock_of_event(tx: Tx, account_id: UUID, event_id: str, phone: str) -> list[Invitation]:
    """The invitations of a guest to an event, oldest first."""
    return await store.lock_of_event(tx, account_id, event_id, phone)


async def find_all(tx: Tx, keys: Sequence[Key]) -> dict[Key, Invitation]:
    """Without locking them."""
    return await store.find(tx, keys) if keys else {}


async def find(tx: Tx, account_id: UUID, message_id: UUID) -> Invitation | None:
    return (await store.find(tx, [(account_id, message_id)])).get((account_id, message_id))


async def save(tx: Tx, invitations: Sequence[Invitation]) -> None:
    await store.save(tx, invitations)


POOL = "timers"
MOVED = "event.moved"  # handled by the replies slice


async def move_ends(tx: Tx, account: Account, before: Event, after: Event) -> bool:
    """Move the ends of the event's invitations. Whether any has changed."""
    end = rules.moved_end(before, after)
    if end is None:
        return False
    event_id, now = after.event_id, account.now(tx.now)
    if not await store.move_ends(tx, account.id, event_id, end, now):
        return False
    unique_key = f"{MOVED}:{event_id}"
    job = NewJob(account.id, POOL, MOVED, event_id, tx.now, account.clock, unique_key=unique_key)
    await queue.enqueue(tx, [job])
    return True


async def find_unsent(tx: Tx, account_id: UUID, event_id: str) -> Sequence[Unsent]:
    """The event's invitations that were not sent yet, with their current ends."""
    return await store.find_unsent(tx, account_id, event_id)


async def find_unclear(tx: Tx, account_id: UUID, event_id: str) -> list[tuple[UUID, UUID]]:
    """The keys of those with a reply that was not understood, and no answer."""
    found = await store.find_unclear(tx, account_id, event_id)
    return [(account_id, message_id) for message_id in found]
