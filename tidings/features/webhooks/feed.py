"""The catch-up feed: every event of an account, delivered or not, for 30 days (contract.md).

An account without a webhook URL reads its events here; one that was down for longer than the six
attempts finds here what it missed. Nothing is ever skipped: see feed_store.py.
"""

import asyncio
from datetime import timedelta
from uuid import UUID

import structlog

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code

from . import feed_store
from .feed_store import Entry, Place

log = structlog.get_logger()

START: Place = (0, 0)
LATEST = "latest"
LOOK_AGAIN = timedelta(milliseconds=250)


async def read(
    ctx: Context, account_id: UUID, after: str | None, limit: int, wait: timedelta
) -> list[Entry]:
    """What follows `after`; where that is nothing yet, it is waited for."""
    until = ctx.clock.monotonic() + wait.total_seconds()
    while True:
        found = await ctx.db.transact(lambda tx: load_page(tx, account_id, after, limit))
        if found or ctx.clock.monotonic() >= until or not ctx.is_ready:
            return found
        await asyncio.sleep(LOOK_AGAIN.total_seconds())


async def load_page(tx: Tx, account_id: UUID, after: str | None, limit: int) -> list[Entry]:
    place = await _load_place(tx, account_id, after)
    return await feed_store.load_after(tx, account_id, place, limit)


async def load_newest(tx: Tx, account_id: UUID) -> list[Entry]:
    """The newest event alone, or nothing: from there on one hears what comes."""
    newest = await feed_store.find_newest(tx, account_id)
    return [] if newest is None else [newest]


async def _load_place(tx: Tx, account_id: UUID, after: str | None) -> Place:
    if after is None:
        return START
    place = await feed_store.find_place(tx, account_id, after)
    if place is None:
        raise ApiError(
            Code.VALIDATION_ERROR,
            "after must be the id of an event of the last 30 days; leave it out to begin with the"
            " oldest that is kept",
            field="after",
        )
    return place


async def adopt(tx: Tx) -> None:
    """After a restore from a dump: let the events of the old server come before new ones."""
    accounts = await feed_store.find_foreign(tx)
    if accounts:
        count = await feed_store.adopt(tx, accounts)
        log.warning("webhooks.adopted", accounts=len(accounts), events=count)
