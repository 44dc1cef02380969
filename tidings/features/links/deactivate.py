"""Deactivate a link: it redirects no longer. There is no way back; its opens are kept."""

from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.audit.record import Actor, Entry, record

from . import store
from .lookup import load_link


async def deactivate(tx: Tx, account_id: UUID, actor: Actor, code: str) -> bool:
    """False: it was deactivated before. Processes that cached it follow within `CACHE_TTL`."""
    link = await load_link(tx, account_id, code)
    if not await store.deactivate(tx, account_id, link.code):
        return False
    await record(
        tx,
        Entry(
            actor=actor,
            action="link.deactivated",
            subject=link.code,
            account_id=account_id,
            details={"url": link.url},
        ),
    )
    return True
