"""The callbackUrl of a registered event, which its webhooks are posted to (4.10, 6.1).

It is read at every attempt, so that a corrected URL also applies to pending webhooks.
"""

from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store


async def set_address(tx: Tx, account_id: UUID, event_id: str, url: str) -> None:
    await store.set_address(tx, account_id, event_id, url)
