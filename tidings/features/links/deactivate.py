"""Deactivate a link: it redirects no longer. There is no way back; its opens are kept."""

from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store
from .lookup import load_link


async def deactivate(tx: Tx, account_id: UUID, code: str) -> bool:
    """False: it was deactivated before. Processes that cached it follow within `CACHE_TTL`."""
    link = await load_link(tx, account_id, code)
    return await store.deactivate(tx, account_id, link.code)
