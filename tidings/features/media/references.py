"""References from messages to files: a referenced file is not removed."""

from collections.abc import Iterable, Sequence

from tidings import limits
from tidings.engine.db.tx import Tx

from . import reference_store as use_store
from . import store
from .reference_store import NewUse, delete_messages, find_messages
from .store import Key

__all__ = ["Key", "NewUse", "assign", "delete_messages", "find_messages", "lock_existing"]


async def lock_existing(tx: Tx, keys: Iterable[Key]) -> frozenset[Key]:
    """The files among these (account, media) that exist, locked against removal until the end of
    this transaction. Extends the validity of uploads among them."""
    ordered = sorted(set(keys))
    if not ordered:
        return frozenset()
    found = await store.lock_existing(tx, ordered)
    until = tx.now + limits.MEDIA_KEPT
    threshold = until - limits.MEDIA_KEPT_STEP  # at most one write per step
    stale = [key for key, valid in found.items() if valid is not None and valid < threshold]
    if stale:
        await store.extend(tx, stale, until)
    return frozenset(found)


async def assign(tx: Tx, uses: Sequence[NewUse]) -> None:
    """Reference these files from these messages."""
    if uses:
        await use_store.assign(tx, uses)
