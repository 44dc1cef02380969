"""Drop months of messages that nobody needs any more, with their charges and platform ids.

Dropping a partition frees its disk at once, whatever its size. Where something has to stay, the
other rows are deleted in pages instead.
"""

import asyncio
from datetime import datetime
from functools import partial

import asyncpg
import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine.db import partitions
from tidings.engine.db.connections import Connection
from tidings.features.billing.charging import old_charges
from tidings.ids import Month

from . import messages, month_store, rules
from .rules import Hold, MonthDecision

TABLES = ("messages", "platform_ids", "lost_messages", "charges")  # in the order of locking

log = structlog.get_logger()


async def drop_old_months(ctx: Context, connection: Connection, months: int) -> list[Month]:
    """Drop every month that ended more than `months` ago and that nothing holds; which they were.
    The connection has no time limits, and the lock of `month_store.try_lock`."""
    dropped, now = [], ctx.clock.now()
    before = rules.messages_before(now, months)
    may_drop = await partitions.may_drop(connection, TABLES[0])
    for name in await partitions.find_ended(ctx.db, TABLES[0], before):
        month = partitions.month_of_partition(name)
        holds = await _load_holds(connection, month, now, months)
        found = await partitions.find_tables_of(connection, month, TABLES)
        is_whole = len(found) == len(TABLES)
        decision = rules.decide_month(month, now, months, holds, is_whole=is_whole)
        if decision is MonthDecision.DROP and not may_drop:
            decision = MonthDecision.DELETE_ROWS
        if decision is MonthDecision.DROP and await _drop_month(connection, month, now):
            dropped.append(month)
        elif decision is MonthDecision.DELETE_ROWS:
            held = {hold.account_id for hold in holds if not hold.by_row}
            await messages.delete_of_month(ctx, month, months, held)
    await _sweep(ctx)
    return dropped


async def _load_holds(
    connection: Connection, month: Month, now: datetime, months: int
) -> list[Hold]:
    """The first of these that hold anything: the later ones read more."""
    before = rules.messages_before(now, months)
    found = [Hold(*each) for each in await month_store.find_longer_kept(connection, month, now)]
    events = await month_store.find_events(connection, month.ids, before)
    found += [Hold(account, rules.may_go_at(at, months), by_row=True) for account, at in events]
    owed = await month_store.find_owed(connection, month)
    found += [Hold(account, by_row=True) for account in owed]
    with_jobs = await month_store.find_with_jobs(connection, month.ids)
    found += [Hold(account) for account in with_jobs]
    if found:
        return found
    unended = await month_store.find_unended(connection, month.ids, before)
    found = [Hold(account, by_row=True) for account in unended]
    if found:
        return found
    unresolved = await old_charges.find_unresolved(connection, month.ids)
    return [Hold(account) for account in unresolved]


async def _drop_month(connection: Connection, month: Month, now: datetime) -> bool:
    """False: others hold the tables, so it is tried again an hour later. All messages have ended,
    so the sums cannot change between the adding up, which locks nothing, and the drop."""
    try:
        async with connection.transaction():
            await old_charges.add_up_month(connection, month.ids)
            await month_store.insert_dropped(connection, month.ids, now)
            await _drop_patiently(connection, month)
    except asyncpg.LockNotAvailableError:
        log.warning("month.drop_postponed", month=str(month.begins_at.date()))
        return False
    log.info("month.dropped", month=str(month.begins_at.date()))
    return True


async def _drop_patiently(connection: Connection, month: Month) -> None:
    for _ in range(limits.DROP_MONTH_TRIES - 1):
        try:
            return await partitions.drop_month(connection, month, TABLES)
        except asyncpg.LockNotAvailableError:
            await asyncio.sleep(limits.DROP_MONTH_RETRIED_AFTER.total_seconds())
    return await partitions.drop_month(connection, month, TABLES)


async def _sweep(ctx: Context) -> None:
    """Delete what belongs to messages that were dropped, in tables without months."""
    for month in await ctx.db.transact(month_store.find_unswept):
        await messages.delete_belongings(ctx, month)
        await ctx.db.transact(partial(month_store.save_swept, month=month))
