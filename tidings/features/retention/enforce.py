"""Delete what has been kept for long enough: the hourly task. One process at a time runs it."""

from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.db.connections import Connection
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.ids import FIRST_ID, first_id

from . import bodies, messages, month_store, months, rules, run_store, tables


async def enforce(ctx: Context) -> None:
    connection = await ctx.db.dedicated()
    try:
        if await month_store.try_lock(connection):
            await _enforce(ctx, connection)
    finally:
        await connection.close()


async def _enforce(ctx: Context, connection: Connection) -> None:
    """Messages first: a batch or an event goes after its last message."""
    kept = ctx.settings.messages_months
    if kept is not None:
        await months.drop_old_months(ctx, connection, kept)
        await _delete_apart(ctx, kept)
    for account in await ctx.db.transact(load_all_accounts):
        await _enforce_daily(ctx, account)
    await tables.delete_old_audit(ctx)


async def _enforce_daily(ctx: Context, account: Account) -> None:
    """Unless it was done less than a day ago, by the account's clock."""
    now = account.now(ctx.clock.now())
    last = await ctx.db.transact(partial(run_store.find_last_run, account_id=account.id))
    if last is not None and now - last < limits.RETENTION_EVERY:
        return
    await bodies.erase_bodies(ctx, account, now)
    await tables.delete_old_rows(ctx, account, now)
    await ctx.db.transact(partial(run_store.save_run, account_id=account.id, at=now))


async def _delete_apart(ctx: Context, kept: int) -> None:
    """Messages that are not dropped with a month: of sandbox accounts with an advanced clock, by
    which they are older than their ids say; and of months without a partition."""
    end = first_id(rules.messages_before(ctx.clock.now(), kept))
    has_strays = await ctx.db.transact(lambda tx: month_store.has_strays(tx, end))
    for account in await ctx.db.transact(load_all_accounts):
        if account.clock:
            now = account.now(ctx.clock.now())
            last = first_id(rules.messages_before(now, kept, account.retention_days))
            await messages.delete_old(ctx, account, kept, (FIRST_ID, last))
        elif has_strays:
            await messages.delete_old(ctx, account, kept, (FIRST_ID, end))
