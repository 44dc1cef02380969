"""Publish `batch.progress` and, exactly once, `batch.completed` (6.2).

The handler of the job that the messages slice enqueues when a message of a batch was processed.
"""

from datetime import datetime
from functools import partial
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.messages.state import timers
from tidings.features.messages.track import batches
from tidings.features.webhooks.publish import Event, publish

from . import events, read, rules, store
from .store import Batch

log = structlog.get_logger()


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `batch.moved`."""
    for job in jobs:
        await ctx.db.transact(partial(_check, job=job))


async def _check(tx: Tx, job: Job) -> None:
    await queue.complete(tx, [job])
    await publish_progress(tx, job.account_id, UUID(hex=job.subject))


async def publish_progress(tx: Tx, account_id: UUID, batch_id: UUID) -> None:
    """Count under the batch's lock, publish progress, and check again in a minute if needed.

    While all remaining messages are scheduled or held, there is nothing to publish; the next
    message that is processed enqueues this job again.
    """
    batch = await store.lock(tx, account_id, batch_id)
    if batch is None or batch.completed_at is not None:
        return
    account = (await load_accounts(tx, [account_id]))[account_id]
    now = account.now(tx.now)
    progress = read.progress_of(batch, await batches.count(tx, account_id, batch_id))
    published_at = batch.published_at or batch.created_at
    decision = rules.decide_publication(
        progress, published_percent=batch.published_percent, published_at=published_at, now=now
    )
    check_again = progress.should_publish(batch.published_percent)
    if not isinstance(decision, rules.NoPublication):
        check_again = progress.in_progress
        at = await _publish_time(tx, account, batch, now)
        batch.published_percent, batch.published_at = progress.percent, at
        batch.completed_at = at if isinstance(decision, rules.PublishCompleted) else None
        await store.save(tx, batch)
        kind = events.COMPLETED if batch.completed_at else events.PROGRESS
        data = events.progress_data(batch, progress)
        await publish(tx, [Event(account, kind, at, data, event_id=batch.event_id)])
        if batch.completed_at is not None:
            tx.after_commit(partial(_log_completed, batch))
    if check_again and not progress.is_complete:
        await _schedule_check(tx, account, batch)


def _log_completed(batch: Batch) -> None:
    log.info(
        "batch.completed",
        account=batch.account_id,
        batch=batch.id,
        total=batch.total,
        cancelled=batch.cancelled_at is not None,
    )


async def _publish_time(tx: Tx, account: Account, batch: Batch, now: datetime) -> datetime:
    """The sandbox dates a message at its slot, which may be slightly in the future: an event that
    counts it must not be dated earlier."""
    if not account.is_sandbox:
        return now
    return max(now, await batches.find_last_sent_at(tx, account.id, batch.id) or now)


async def _schedule_check(tx: Tx, account: Account, batch: Batch) -> None:
    assert batch.published_at is not None, "a batch is created with published_at"
    due = batch.published_at + limits.BATCH_PROGRESS_INTERVAL - account.clock
    await queue.enqueue(tx, [timers.batch_job(account, batch.id, max(due, tx.now))])
