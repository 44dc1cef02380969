"""Erase, once a day, what is older than each account wants to keep (`retentionDays`).

By the account's own clock. Each page is a transaction of its own; a run that was interrupted begins
again, and finds what is left.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine.db.pages import repeat
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.features.media import remove as files
from tidings.features.messages.request import attachments
from tidings.ids import FIRST_ID

from . import message_store, retention_store, rules, store
from .erase import erase_messages

log = structlog.get_logger()
Step = Callable[[Tx], Awaitable[int]]


@dataclass(slots=True)
class Run:
    """One account's erasing of one day."""

    account: Account
    key: bytes
    now: datetime
    before: datetime
    last_id: UUID = FIRST_ID

    def mask(self, phones: Iterable[str]) -> dict[str, str]:
        """What stands in the place of numbers: of this day, so that days cannot be linked."""
        day = f"retention {self.now.date().isoformat()}"
        return {phone: rules.pseudonym(self.key, self.account.id, phone, day) for phone in phones}


async def enforce(ctx: Context) -> int:
    """For every account that is due; how many messages were erased."""
    erased = 0
    for account in await ctx.db.transact(load_all_accounts):
        await _drop_platform_ids(ctx, account)
        if account.retention_days is not None:
            erased += await _enforce(ctx, account, timedelta(days=account.retention_days))
    return erased


async def _enforce(ctx: Context, account: Account, kept: timedelta) -> int:
    now = account.now(ctx.clock.now())
    last = await ctx.db.transact(partial(store.find_last_run, account_id=account.id))
    if last is not None and now - last < limits.RETENTION_EVERY:
        return 0
    run = Run(account, ctx.sealer.signing_key(rules.PURPOSE), now, now - kept)
    messages = await _repeat(ctx, partial(_erase_messages, run))
    await _repeat(ctx, partial(_erase_replies, run))
    for drop in (
        retention_store.drop_comments,
        retention_store.drop_readings,
        retention_store.drop_events,
        retention_store.drop_links,
        retention_store.drop_contacts,
    ):
        await _repeat(ctx, partial(_drop, run, drop))
    await _repeat(ctx, partial(_end_files, run))
    await _repeat(ctx, partial(_mask_numbers, run))
    await attachments.sweep(ctx)
    await ctx.db.transact(partial(store.save_run, account_id=account.id, at=now))
    if messages:
        log.info("privacy.texts_erased", account=account.id, messages=messages)
    return messages


async def _repeat(ctx: Context, step: Step) -> int:
    return await repeat(ctx.db, step, limits.ERASURE_PAGE_ROWS)


async def _erase_messages(run: Run, tx: Tx) -> int:
    found = await message_store.lock_old_messages(
        tx, run.account.id, rules.MARK, run.before, run.now, run.last_id, limits.ERASURE_PAGE_ROWS
    )
    masks = run.mask(phone for _, phone in found)
    names = {message_id: (phone, masks[phone]) for message_id, phone in found}
    await erase_messages(tx, run.account.id, names)
    if found:
        tx.after_commit(partial(_go_on, run, found[-1][0]))
    return len(found)


def _go_on(run: Run, last_id: UUID) -> None:
    run.last_id = last_id


async def _erase_replies(run: Run, tx: Tx) -> int:
    found = await retention_store.lock_old_replies(
        tx, run.account.id, rules.MARK, run.before, limits.ERASURE_PAGE_ROWS
    )
    masks = run.mask(phone for _, phone in found)
    by_id = {platform_id: masks[phone] for platform_id, phone in found}
    await retention_store.erase_replies(tx, run.account.id, by_id)
    return len(found)


async def _drop(run: Run, drop: Callable[[Tx, UUID, datetime, int], Awaitable[int]], tx: Tx) -> int:
    return await drop(tx, run.account.id, run.before, limits.ERASURE_PAGE_ROWS)


async def _end_files(run: Run, tx: Tx) -> int:
    found = await retention_store.find_old_files(
        tx, run.account.id, run.before, limits.ERASURE_PAGE_ROWS
    )
    if found:
        await files.end_validity(tx, run.account.id, found)
    return len(found)


async def _mask_numbers(run: Run, tx: Tx) -> int:
    found = await retention_store.lock_old_numbers(
        tx, run.account.id, rules.MARK, run.before, limits.ERASURE_PAGE_ROWS
    )
    await retention_store.mask_numbers(tx, run.account.id, run.mask(found), run.before)
    return len(found)


async def _drop_platform_ids(ctx: Context, account: Account) -> None:
    """Of people who were erased while the status of a message was still awaited."""
    await _repeat(
        ctx,
        partial(
            message_store.drop_platform_ids,
            account_id=account.id,
            mark=rules.MARK,
            limit=limits.ERASURE_PAGE_ROWS,
        ),
    )
