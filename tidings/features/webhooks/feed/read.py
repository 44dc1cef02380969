"""The catch-up feed: every event of an account, delivered or not, for 30 days (contract.md).

An account without a webhook URL reads its events here; one whose receiver was down for longer than
the six attempts finds what it missed. No event is ever skipped (feed/store.py).
"""

import asyncio
from datetime import timedelta
from uuid import UUID

import structlog

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code

from . import store as feed_store
from .store import FeedEvent, Position

log = structlog.get_logger()

START: Position = (0, 0)
LATEST = "latest"
POLL_INTERVAL = timedelta(milliseconds=250)


async def read(
    ctx: Context, account_id: UUID, after: str | None, limit: int, wait: timedelta
) -> list[FeedEvent]:
    """The events after `after`; waits up to `wait` for the first if there are none (long poll)."""
    until = ctx.clock.monotonic() + wait.total_seconds()
    while True:
        found = await ctx.db.transact(lambda tx: load_page(tx, account_id, after, limit))
        if found or ctx.clock.monotonic() >= until or not ctx.is_ready:
            return found
        await asyncio.sleep(POLL_INTERVAL.total_seconds())


async def load_page(tx: Tx, account_id: UUID, after: str | None, limit: int) -> list[FeedEvent]:
    position = await _load_position(tx, account_id, after)
    return await feed_store.load_after(tx, account_id, position, limit)


async def load_newest(tx: Tx, account_id: UUID) -> list[FeedEvent]:
    """The newest event alone, if any: a reader that starts there gets only what follows."""
    return await feed_store.load_newest(tx, account_id, 1)


async def _load_position(tx: Tx, account_id: UUID, after: str | None) -> Position:
    if after is None:
        return START
    position = await feed_store.find_position(tx, account_id, after)
    if position is None:
        raise ApiError(
            Code.VALIDATION_ERROR,
            "after must be the id of an event of the last 30 days; leave it out to begin with the"
            " oldest that is kept",
            field="after",
        )
    return position


async def adopt(tx: Tx) -> None:
    """After a restore from a dump: order the events of the old server before new ones."""
    accounts = await feed_store.find_foreign(tx)
    if accounts:
        count = await feed_store.adopt(tx, accounts)
        log.warning("webhook.adopted", accounts=len(accounts), events=count)
