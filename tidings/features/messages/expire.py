"""Messages that were sent and never delivered expire after their time, and are refunded."""

from datetime import datetime
from functools import partial

import msgspec

from tidings import limits, times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.webhooks.publish import publish

from . import aftermath, counted, moves, news, store, timeouts


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `messages.timeout`."""
    for job in jobs:
        await ctx.db.transact(partial(_expire, ctx, job=job))


async def _expire(ctx: Context, tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    now = account.now(tx.now)
    since = None if job.payload is None else times.parse(msgspec.json.decode(job.payload))
    overdue = await store.timed_out(tx, account.id, since, now, limits.PURGE_PAGE_ROWS)
    told = [message for message in overdue if moves.expired(message, now)]
    await store.save(tx, overdue)
    await aftermath.follow(ctx, tx, {account.id: account}, overdue)
    await publish(tx, [news.status(account, message, now) for message in told])
    counted.count(ctx, tx, (message.status for message in told))
    await queue.finish(tx, [job])
    moment: datetime | None
    if len(overdue) == limits.PURGE_PAGE_ROWS:  # there may be more, of the last one's moment too
        seen = moment = overdue[-1].times_out_at
    else:
        seen, moment = now, await store.next_timeout(tx, account.id, now)
    if moment is not None:
        await queue.put(tx, [timeouts.job_at(account, moment, seen)])
