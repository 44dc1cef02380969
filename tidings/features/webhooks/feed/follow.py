"""Follow the feeds of several accounts at once, for pages that show events as they happen."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store
from .read import START
from .store import NewEvent, Position

__all__ = ["NewEvent", "Position", "find_position", "load_end", "load_new"]


@dataclass(frozen=True, slots=True)
class News:
    """What is new in an account's feed, in order, and where to go on."""

    events: list[NewEvent]
    position: Position


async def load_end(tx: Tx, account_id: UUID) -> Position:
    """Where the account's feed ends now."""
    return (await store.find_ends(tx, [account_id])).get(account_id, START)


async def find_position(tx: Tx, account_id: UUID, webhook_id: str) -> Position | None:
    """Of an event that the account still has."""
    return await store.find_position(tx, account_id, webhook_id)


async def load_new(tx: Tx, after: Mapping[UUID, Position], limit: int) -> dict[UUID, News]:
    """What came after these positions, at most `limit` events of each account.

    An account with more than that goes on at the end of its feed: the reader learns that something
    happened, not everything that did.
    """
    found: dict[UUID, list[NewEvent]] = {}
    for event in await store.load_new(tx, after, limit):
        found.setdefault(event.account_id, []).append(event)
    behind = [account_id for account_id, events in found.items() if len(events) == limit]
    ends = await store.find_ends(tx, behind) if behind else {}
    return {
        account_id: News(events, max(events[-1].position, ends.get(account_id, START)))
        for account_id, events in found.items()
    }
