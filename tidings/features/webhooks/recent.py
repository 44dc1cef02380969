"""The newest events about a person with the headers that sign them, for people to look at."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx
from tidings.features.accounts import credentials
from tidings.secrets import Sealer

from . import rules
from .feed import store as feed_store
from .feed.store import FeedEvent

SIGNED_EVERY = timedelta(minutes=1)  # so that the headers on a page stay for a while


@dataclass(frozen=True, slots=True)
class SignedEvent:
    """An event as a delivery now would be posted; `data` is that of its body."""

    event: FeedEvent
    data: dict[str, Any]
    headers: dict[str, str]


async def load_recent(
    tx: Tx, sealer: Sealer, account_id: UUID, number: str, limit: int
) -> list[SignedEvent]:
    """Those that name this number, the newest first."""
    events = await feed_store.load_naming(tx, account_id, number, limit)
    found = await credentials.signing_secrets(tx, sealer, [account_id]) if events else {}
    if account_id not in found:
        return []
    current, previous = found[account_id]
    timestamp = int(tx.now.timestamp()) // SIGNED_EVERY.seconds * SIGNED_EVERY.seconds
    return [
        SignedEvent(
            event,
            msgspec.json.decode(event.body)["data"],
            rules.signed_headers(
                event.id,
                event.body,
                attempt=1,
                timestamp=timestamp,
                secret=current.reveal(),
                previous=previous.reveal() if previous else None,
            ),
        )
        for event in events
    ]
