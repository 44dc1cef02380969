"""What guests send us: kept once, and their conversation window opens (4.10, 6.2)."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.recipients import contacts
from tidings.platforms.port import Inbound

from . import store

NO_CONTENT = frozenset({"system"})  # the platform speaking, not the guest: opens no window


async def receive(tx: Tx, inbound: Sequence[tuple[UUID, Inbound]]) -> None:
    fresh = await store.insert(tx, inbound)
    heard = [
        (account_id, item.from_, item.sender, item.at)
        for account_id, item in inbound
        if (account_id, item.platform_id) in fresh and item.type not in NO_CONTENT and item.from_
    ]
    if heard:
        await contacts.mark_heard(tx, heard)
