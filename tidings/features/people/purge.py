"""Delete what is over: idle sessions, old links, attempts that no limit counts any more."""

from tidings import limits
from tidings.engine.db.tx import Tx

from . import attempts, session_store, welcome_store


async def purge(tx: Tx) -> int:
    """How many rows."""
    gone = await attempts.purge(tx)
    gone += await session_store.delete_idle(tx, tx.now - limits.SESSION_IDLE)
    return gone + await welcome_store.delete_before(tx, tx.now - limits.WELCOME_VALIDITY)
