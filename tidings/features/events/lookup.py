"""What other slices may ask of events."""

from collections.abc import Iterable
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code

from . import store
from .model import Event

Key = store.Key


async def load_events(tx: Tx, keys: Iterable[Key]) -> dict[Key, Event]:
    """Those of them that are registered. Nothing is asked where no event is named."""
    wanted = sorted(set(keys))
    return await store.load(tx, wanted) if wanted else {}


async def require_event(tx: Tx, account_id: UUID, event_id: str | None) -> None:
    if event_id is not None and not await store.load(tx, [(account_id, event_id)]):
        raise unknown_event()


def unknown_event() -> ApiError:
    problem = "eventId names no event of the account; register it with POST /events first"
    return ApiError(Code.EVENT_NOT_FOUND, problem, field="eventId")
