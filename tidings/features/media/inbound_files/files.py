"""Files that guests sent (4.13): only their platform ids are stored, never their content."""

from collections.abc import Sequence
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.platforms.port import InboundMessage

from . import store
from .model import GuestFile, guest_file


async def record_files(tx: Tx, inbound: Sequence[tuple[UUID, InboundMessage]]) -> None:
    """Record the files of these messages; messages without a file are skipped."""
    found = [(account_id, guest_file(item)) for account_id, item in inbound]
    files = [(account_id, file) for account_id, file in found if file is not None]
    if files:  # in key order, so that overlapping inserts cannot deadlock
        await store.insert(tx, sorted(files, key=lambda one: (one[0], one[1].platform_id)))


async def find_file(tx: Tx, account_id: UUID, platform_id: str) -> GuestFile | None:
    return await store.find(tx, account_id, platform_id)


async def purge(tx: Tx) -> int:
    """Delete records of files that the platform no longer has; returns how many. The clock of a
    sandbox account may be ahead: its records stay longer, but their links expire in time.
    """
    return await store.purge(tx, tx.now - limits.INBOUND_MEDIA_KEPT, limits.PURGE_PAGE_ROWS)
