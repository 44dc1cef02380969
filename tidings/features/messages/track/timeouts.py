"""Messages that were sent and not delivered in time expire, and are refunded.

One `messages.timeout` job for each account is due at its earliest time-out (`state/timers.py`).
"""

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

from ..model import Message
from ..state import changes, timers
from ..state.changes import Changes
from . import timeout_store


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `messages.timeout`."""
    for job in jobs:
        await ctx.db.transact(partial(expire, ctx, job=job))


async def expire(ctx: Context, tx: Tx, job: Job) -> None:
    """One page of overdue messages from the watermark on; the job runs again if there are more."""
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    now = account.now(tx.now)
    watermark = await timeout_store.find_watermark(tx, account.id)
    page = await _load_page(tx, account.id, watermark.examined_until, now)
    found = Changes({account.id: account}, completed=[job])
    for message in page.overdue:
        found.add(message)
        found.expire(message, now)
    await changes.apply(ctx, tx, found)
    await timeout_store.advance(tx, account.id, watermark, page.examined_until)
    due = now if page.is_more else await timeout_store.find_next(tx, account.id, now)
    if due is not None:
        await queue.enqueue(tx, [timers.timeout_job(account, due)])


@dataclass(frozen=True, slots=True)
class _Page:
    overdue: list[Message]
    examined_until: datetime  # the next page begins here
    is_more: bool


async def _load_page(tx: Tx, account_id: UUID, since: datetime | None, now: datetime) -> _Page:
    """Bounded by the rows examined too: of a long history most messages were delivered."""
    end = await timeout_store.find_page_end(
        tx, account_id, since, now, limits.TIMEOUTS_EXAMINED_MAX
    )
    overdue = await timeout_store.find_overdue(
        tx, account_id, since, end or now, limits.PURGE_PAGE_ROWS
    )
    if len(overdue) == limits.PURGE_PAGE_ROWS:  # more may have the last one's time-out
        return _Page(overdue, overdue[-1].times_out_at, is_more=True)
    if end is not None:
        return _Page(overdue, end + timedelta.resolution, is_more=True)
    return _Page(overdue, now, is_more=False)
