"""Delete old replies, events, batches and links of an account, and what the audit log has kept for
years."""

from datetime import datetime
from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.db.pages import repeat
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import rules, table_store


async def delete_old_rows(ctx: Context, account: Account, now: datetime) -> None:
    """All that the settings name; `now` is the account's time."""
    if ctx.settings.messages_months is not None:
        months = ctx.settings.messages_months
        before = rules.messages_before(now, months, account.retention_days)
        for delete in table_store.TABLES:
            await repeat(
                ctx.db, partial(_delete, delete, account, before), limits.RETENTION_PAGE_ROWS
            )
    if ctx.settings.audit_years is not None:
        before = rules.records_before(ctx.clock.now(), ctx.settings.audit_years)
        await repeat(
            ctx.db,
            partial(_delete, table_store.delete_erasures, account, before),
            limits.RETENTION_PAGE_ROWS,
        )


async def _delete(delete: table_store.Delete, account: Account, before: datetime, tx: Tx) -> int:
    return await delete(tx, account.id, before, limits.RETENTION_PAGE_ROWS)


async def delete_old_audit(ctx: Context) -> None:
    if ctx.settings.audit_years is not None:
        before = rules.records_before(ctx.clock.now(), ctx.settings.audit_years)
        await repeat(
            ctx.db,
            partial(table_store.delete_audit, before=before, limit=limits.RETENTION_PAGE_ROWS),
            limits.RETENTION_PAGE_ROWS,
        )
