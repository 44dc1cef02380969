"""What other slices may ask of events."""

from collections.abc import Iterable
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError

from . import store
from .model import Event
from .rules import EventCode

Key = store.Key


async def load_events(tx: Tx, keys: Iterable[Key], *, for_share: bool = False) -> dict[Key, Event]:
    """Those of them that are registered. Nothing is asked where no event is named.

    `for_share`: their settings do not change before this transaction has ended, so that an
    invitation which takes its end from the event is either moved with it or has the new end.
    """
    wanted = sorted(set(keys))
    return await store.load(tx, wanted, for_share=for_share) if wanted else {}


async def require_event(tx: Tx, account_id: UUID, event_id: str | None) -> None:
    if event_id is not None and not await store.load(tx, [(account_id, event_id)]):
        raise unknown_event()


def unknown_event() -> ApiError:
    problem = "eventId names no event of the account; register it with POST /events first"
    return ApiError(EventCode.EVENT_NOT_FOUND, problem, field="eventId")
