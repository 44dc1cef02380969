"""Erase the texts of messages and replies some time after they came (90 days): texts, variables of
templates, what guests wrote. All else of a message stays until its month goes.

A day's messages are read once: a watermark says from which message on nothing is erased yet. It
stays before a message that still waits to be sent.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine.db.pages import repeat
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.ids import FIRST_ID, first_id

from . import body_store, rules, run_store
from .body_store import Read


@dataclass(slots=True)
class _Progress:
    next_id: UUID
    waiting_id: UUID | None = None  # the first message that keeps its text for now


async def erase_bodies(ctx: Context, account: Account, now: datetime) -> None:
    """By the account's clock; its own `retentionDays` precede those of the installation."""
    before = rules.bodies_before(now, ctx.settings.bodies_days, account.retention_days)
    if before is None:
        return
    await _erase_messages(ctx, account.id, before)
    for erase in (body_store.erase_replies, body_store.erase_answers, body_store.drop_readings):
        rows = limits.RETENTION_PAGE_ROWS
        step = partial(erase, account_id=account.id, before=before, limit=rows)
        await repeat(ctx.db, step, rows)


async def _erase_messages(ctx: Context, account_id: UUID, before: datetime) -> None:
    found = await ctx.db.transact(partial(run_store.find_watermark, account_id=account_id))
    progress = _Progress(found or FIRST_ID)
    await repeat(
        ctx.db, partial(_erase_page, account_id, before, progress), limits.RETENTION_PAGE_ROWS
    )
    reached = progress.waiting_id or progress.next_id
    await ctx.db.transact(
        partial(run_store.save_watermark, account_id=account_id, first_id=reached)
    )


async def _erase_page(account_id: UUID, before: datetime, progress: _Progress, tx: Tx) -> int:
    """How many messages were read: fewer than a page at the end, or at one that is too new."""
    ids = (progress.next_id, first_id(before))
    read = await body_store.erase_messages(tx, account_id, ids, before, limits.RETENTION_PAGE_ROWS)
    old = [one for one in read if one.is_old]
    if old:
        tx.after_commit(partial(_go_on, progress, old))
    return len(read) if len(old) == len(read) else 0


def _go_on(progress: _Progress, old: list[Read]) -> None:
    progress.next_id = UUID(int=old[-1].id.int + 1)
    if progress.waiting_id is None:
        progress.waiting_id = next((one.id for one in old if not one.is_sent), None)
