"""Messages that were sent and never delivered expire after their time, and are refunded."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.webhooks.publish import publish

from ..model import Message
from ..state import events as message_events
from ..state import side_effects, store, timers, transitions
from . import timeout_store


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `messages.timeout`."""
    for job in jobs:
        await ctx.db.transact(partial(expire, ctx, job=job))


async def expire(ctx: Context, tx: Tx, job: Job) -> None:
    """One page of what is overdue since the watermark; where there is more, it comes back."""
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    now = account.now(tx.now)
    watermark = await timeout_store.find_watermark(tx, account.id)
    page = await _load_page(tx, account.id, watermark.examined_until, now)
    expired = [message for message in page.overdue if transitions.expired(message, now)]
    await store.save(tx, page.overdue)
    await side_effects.apply(ctx, tx, {account.id: account}, page.overdue)
    await publish(tx, [message_events.status(account, message, now) for message in expired])
    side_effects.count_statuses(ctx, tx, (message.status for message in expired))
    await queue.complete(tx, [job])
    await timeout_store.advance(tx, account.id, watermark, page.examined_until)
    timestamp = now if page.is_more else await timeout_store.find_next(tx, account.id, now)
    if timestamp is not None:
        await queue.enqueue(tx, [timers.timeout_job(account, timestamp)])


@dataclass(frozen=True, slots=True)
class _Page:
    overdue: list[Message]
    examined_until: datetime  # the next page begins here
    is_more: bool


async def _load_page(tx: Tx, account_id: UUID, since: datetime | None, now: datetime) -> _Page:
    """Bounded in what is read too: of a long history most messages have been delivered."""
    end = await timeout_store.find_page_end(
        tx, account_id, since, now, limits.TIMEOUTS_EXAMINED_MAX
    )
    overdue = await timeout_store.find_overdue(
        tx, account_id, since, end or now, limits.PURGE_PAGE_ROWS
    )
    if len(overdue) == limits.PURGE_PAGE_ROWS:  # more may end at the last one's timestamp
        return _Page(overdue, overdue[-1].times_out_at, is_more=True)
    if end is not None:
        return _Page(overdue, end + timedelta.resolution, is_more=True)
    return _Page(overdue, now, is_more=False)
