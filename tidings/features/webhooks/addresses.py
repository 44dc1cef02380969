"""Where the events of a registered event are posted: its callbackUrl (4.10, 6.1).

The address is looked up at every attempt, so that a repaired one helps what is already waiting.
"""

from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store


async def set_address(tx: Tx, account_id: UUID, event_id: str, url: str) -> None:
    await store.set_address(tx, account_id, event_id, url)
