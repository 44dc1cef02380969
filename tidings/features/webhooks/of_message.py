"""The events of one message and how each was delivered, for people to look at."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx

from . import store
from .store import Attempt

EVENTS_MAX = 100


@dataclass(frozen=True, slots=True)
class DeliveredEvent:
    """An event; `url` is where it goes now, None: nowhere, so that it waits in the feed."""

    id: str
    type: str
    created_at: datetime
    state: str  # of its delivery
    url: str | None
    attempts: list[Attempt]
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.body)["data"]
        return found


async def load_events(tx: Tx, account_id: UUID, message_id: UUID) -> list[DeliveredEvent]:
    """In the order in which they happened."""
    rows = await store.find_of_message(tx, account_id, message_id, EVENTS_MAX)
    return [
        DeliveredEvent(
            id=row["id"],
            type=row["type"],
            created_at=row["created_at"],
            state=row["state"],
            url=row["url"],
            attempts=msgspec.json.decode(row["attempts"], type=list[Attempt]),
            body=row["body"],
        )
        for row in rows
    ]
