"""What messages and files have to do with each other: a file stays while a message needs it."""

from collections.abc import Iterable, Sequence

from tidings import limits
from tidings.engine.db.tx import Tx

from . import reference_store as use_store
from . import store
from .reference_store import NewUse, delete_messages, find_messages
from .store import Key

__all__ = ["Key", "NewUse", "assign", "delete_messages", "find_messages", "lock_kept"]


async def lock_kept(tx: Tx, keys: Iterable[Key]) -> frozenset[Key]:
    """Those of these files (account, media) that are there, and stay until this transaction ends.
    The ids of uploads among them are valid for longer now."""
    asked = sorted(set(keys))
    if not asked:
        return frozenset()
    found = await store.lock_kept(tx, asked)
    until = tx.now + limits.MEDIA_KEPT
    soon = until - limits.MEDIA_KEPT_STEP
    stale = [key for key, valid in found.items() if valid is not None and valid < soon]
    if stale:
        await store.extend(tx, stale, until)
    return frozenset(found)


async def assign(tx: Tx, uses: Sequence[NewUse]) -> None:
    """These messages need these files from now on."""
    if uses:
        await use_store.assign(tx, uses)
