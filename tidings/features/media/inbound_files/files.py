"""Files that guests sent (4.13): we remember where the platform has them, and never keep them."""

from collections.abc import Sequence
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.platforms.port import InboundMessage

from . import store
from .model import GuestFile, of


async def keep(tx: Tx, inbound: Sequence[tuple[UUID, InboundMessage]]) -> None:
    """Remember the files of these messages; those without one are passed over."""
    found = [(account_id, of(item)) for account_id, item in inbound]
    files = [(account_id, file) for account_id, file in found if file is not None]
    if files:  # in the order of their keys: two that overlap wait for each other, in no circle
        await store.insert(tx, sorted(files, key=lambda one: (one[0], one[1].platform_id)))


async def find_file(tx: Tx, account_id: UUID, platform_id: str) -> GuestFile | None:
    return await store.find(tx, account_id, platform_id)


async def purge(tx: Tx) -> int:
    """Forget where files were that the platform no longer has; how many. A sandbox account's time
    may run ahead: its files stay for longer, and their links end by themselves.
    """
    return await store.purge(tx, tx.now - limits.INBOUND_MEDIA_KEPT, limits.PURGE_PAGE_ROWS)
