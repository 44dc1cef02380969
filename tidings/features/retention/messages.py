"""Delete old messages of an account in pages, with everything that belongs to them.

For sandbox accounts with an advanced clock, and for months that cannot be dropped as a whole.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine.db.pages import repeat
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.features.billing.charging import old_charges
from tidings.ids import Month

from . import message_store, rules
from .message_store import Ids
from .month_store import DroppedMonth


@dataclass(slots=True)
class _Progress:
    """How far the deleting of one account's messages has come."""

    last_id: UUID
    deleted: int = 0


async def delete_of_month(ctx: Context, month: Month, months: int, held: Collection[UUID]) -> int:
    """Of all accounts but those in `held`, which keep the whole month; how many messages."""
    deleted = 0
    for account in await ctx.db.transact(load_all_accounts):
        if account.id not in held:
            deleted += await delete_old(ctx, account, months, month.ids)
    return deleted


async def delete_old(ctx: Context, account: Account, months: int, ids: Ids) -> int:
    """Those of these ids that may go by the account's clock; how many messages."""
    now = account.now(ctx.clock.now())
    before = rules.messages_before(now, months, account.retention_days)
    progress = _Progress(ids[0])
    step = partial(_delete_page, ctx, account.id, ids[1], before, progress)
    await repeat(ctx.db, step, limits.RETENTION_PAGE_ROWS)
    return progress.deleted


async def _delete_page(
    ctx: Context, account_id: UUID, end: UUID, before: datetime, progress: _Progress, tx: Tx
) -> int:
    """How many messages were read: fewer than a page at the end, or at one that is too new."""
    page = await message_store.lock_page(
        tx, account_id, (progress.last_id, end), before, limits.RETENTION_PAGE_ROWS
    )
    gone = [message_id for message_id, may_go in page.messages if may_go]
    if gone:
        await old_charges.delete(tx, account_id, gone)
        await message_store.delete(tx, account_id, gone)
    if page.messages:
        tx.after_commit(partial(_go_on, ctx, account_id, progress, page.messages[-1][0], gone))
    return len(page.messages) if page.goes_on else 0


def _go_on(
    ctx: Context, account_id: UUID, progress: _Progress, last_id: UUID, gone: list[UUID]
) -> None:
    progress.last_id = UUID(int=last_id.int + 1)
    progress.deleted += len(gone)
    ctx.recent_messages.forget((account_id, message_id) for message_id in gone)


async def delete_belongings(ctx: Context, month: DroppedMonth) -> None:
    """Of all messages of a month that was dropped."""
    for account in await ctx.db.transact(load_all_accounts):
        for delete in message_store.BELONGINGS:
            step = partial(
                delete, account_id=account.id, ids=month, limit=limits.RETENTION_PAGE_ROWS
            )
            await repeat(ctx.db, step, limits.RETENTION_PAGE_ROWS)
