"""What the slices above may do with invitations: messages open and mark them, replies answer."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import invitation_store as store
from .model import Invitation

Key = store.Key
Fate = tuple[Key, datetime | None, bool]  # when its message was sent, whether it is lost

OF_ONE_GUEST_MAX = 50  # the last to end: a reply costs the same however long the history


async def open_all(tx: Tx, invitations: Sequence[Invitation]) -> None:
    """With their messages, in the transaction that accepts them."""
    if invitations:
        await store.insert(tx, invitations)


async def mark(tx: Tx, fates: Sequence[Fate]) -> None:
    """Their messages went out, or never will."""
    if fates:
        await store.mark(tx, fates)


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


async def find_all(tx: Tx, keys: Sequence[Key]) -> dict[Key, Invitation]:
    """As they stand; nobody is kept from changing them."""
    return await store.find(tx, keys) if keys else {}


async def find(tx: Tx, account_id: UUID, message_id: UUID) -> Invitation | None:
    return (await store.find(tx, [(account_id, message_id)])).get((account_id, message_id))


async def save(tx: Tx, invitations: Sequence[Invitation]) -> None:
    await store.save(tx, invitations)
