"""The audit log by pages, the newest entries first."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

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


@dataclass(frozen=True, slots=True)
class LogPage:
    entries: list[Recorded]  # the newest first
    older: UUID | None  # `before` of the next page
    newer: UUID | None  # `after` of the previous one


async def load_page(
    tx: Tx, chosen: Filter, *, before: UUID | None = None, after: UUID | None = None
) -> LogPage:
    """Entries older than `before`, newer than `after`, or the newest of all."""
    found = await store.load_page(
        tx,
        (chosen.account_id, chosen.organisation_id),
        action=chosen.action,
        actor=chosen.actor,
        since=None if chosen.since is None else first_id(chosen.since),
        before=before,
        after=None if before is not None else after,
        limit=PAGE_ROWS + 1,
    )
    has_more = len(found) > PAGE_ROWS
    if before is None and after is not None:
        entries = found[:PAGE_ROWS][::-1]  # were read from the oldest
        return LogPage(entries, _edge(entries, -1), _edge(entries, 0) if has_more else None)
    entries = found[:PAGE_ROWS]
    newer = _edge(entries, 0) if before is not None else None
    return LogPage(entries, _edge(entries, -1) if has_more else None, newer)


def _edge(entries: list[Recorded], index: int) -> UUID | None:
    return entries[index].id if entries else None
