"""Registered events, for other slices."""

from collections.abc import Iterable
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError

from . import store
from .model import Event
from .rules import EventCode

Key = store.Key


async def load_events(tx: Tx, keys: Iterable[Key], *, for_share: bool = False) -> dict[Key, Event]:
    """Those of them that are registered. Without keys there is no query.

    `for_share`: their settings cannot change before this transaction ends, so that an invitation
    which takes its end from the event is either moved with it or has the new end.
    """
    unique_keys = sorted(set(keys))
    return await store.load(tx, unique_keys, for_share=for_share) if unique_keys else {}


async def require_event(tx: Tx, account_id: UUID, event_id: str | None) -> None:
    if event_id is not None and not await store.load(tx, [(account_id, event_id)]):
        raise unknown_event()


def unknown_event() -> ApiError:
    problem = "eventId names no event of the account; register it with POST /events first"
    return ApiError(EventCode.EVENT_NOT_FOUND, problem, field="eventId")
