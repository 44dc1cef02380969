"""The audit log by pages."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.engine.db.log_pages import FIRST_PAGE, LogCursor, LogPage, page_of
from tidings.engine.db.tx import Tx
from tidings.ids import first_id

from . import store
from .model import Recorded

PAGE_ROWS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which entries. Without an account and an organisation: everybody's, for operators."""

    account_id: UUID | None = None
    organisation_id: UUID | None = None
    action: str = ""  # how it begins, such as `key.`
    actor: str = ""  # the whole name
    since: datetime | None = None


async def load_page(tx: Tx, chosen: Filter, cursor: LogCursor = FIRST_PAGE) -> LogPage[Recorded]:
    found = await store.load_page(
        tx,
        (chosen.account_id, chosen.organisation_id),
        action=chosen.action,
        actor=chosen.actor,
        since=None if chosen.since is None else first_id(chosen.since),
        cursor=cursor,
        limit=PAGE_ROWS + 1,
    )
    return page_of(found, cursor, PAGE_ROWS)
