"""Drop the events of months that have left the catch-up feed, a partition at a time.

This keeps pace with any number of events. Rows of a month that the feed still reaches into
are deleted by `publish.purge` as far as it gets; whatever it has not reached goes with its month.
"""

from datetime import timedelta

from tidings.context import Context
from tidings.engine.db import partitions
from tidings.ids import time_of_webhook

from . import store
from .publish import POOL

TABLE = "webhooks"


async def drop_old_months(ctx: Context) -> list[str]:
    """Names of the dropped partitions. A month that still has an event to deliver stays."""
    before = ctx.clock.now() - timedelta(days=ctx.settings.webhook_feed_days)
    if not await partitions.find_ended(ctx.db, TABLE, before):
        return []
    owed = await ctx.db.transact(lambda tx: store.find_first_owed(tx, POOL))
    if owed is not None:
        before = min(before, time_of_webhook(owed))
    return await partitions.drop_ended(ctx.db, TABLE, before)
