"""Take failed webhooks up again: one, or all since a time (4.12). Where the account asked for it
(`resendWhenRecovered`, contract2 C) also when their own URL answers again.

Each starts a new cycle: six new attempts, the same id and body. What was tried before stays on
record.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

import msgspec

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import failed_store, publish
from .destinations import OWN_LINE, line_of

RESEND = "webhook.revive"


class Recovered(msgspec.Struct, frozen=True):
    """The payload of a `RESEND` job: a URL has answered again."""

    url: str | None = None  # None: queued by a version that went by the host
    after: tuple[datetime, str] | None = None  # how far earlier pages have come


async def retry(tx: Tx, account_id: UUID, webhook_id: str) -> None:
    """Of many calls at once, one starts the new cycle; to the others it is not failed any more."""
    account = (await load_accounts(tx, [account_id]))[account_id]
    if not await _take(tx, account, [webhook_id]):
        raise ApiError(
            Code.NOT_FOUND,
            f"no failed webhook has the id {webhook_id}; GET /webhooks/failed lists them",
        )


async def retry_since(tx: Tx, account_id: UUID, since: datetime) -> tuple[int, int]:
    """All that failed since, a page at a time; how many were taken up and how many are left."""
    account = (await load_accounts(tx, [account_id]))[account_id]
    ids = await failed_store.find_ids(tx, account_id, since, limits.WEBHOOK_RETRIES_AT_ONCE)
    taken = await _take(tx, account, ids)
    return taken, await failed_store.count(tx, account_id, since)


async def _take(tx: Tx, account: Account, ids: list[str]) -> int:
    taken = await failed_store.take(tx, account.id, ids)
    jobs = [
        publish.job(tx, account, one.id, one.message_id, line_of(account.webhook_url, one.url))
        for one in taken
    ]
    await queue.enqueue(tx, jobs)
    return len(taken)


async def put_resend(tx: Tx, recovered: Sequence[tuple[Account, str]]) -> None:
    """Have the failed webhooks of these accounts and URLs queued again."""
    await queue.enqueue(tx, [_resend_job(tx, account, url) for account, url in recovered])


def _resend_job(tx: Tx, account: Account, url: str) -> queue.NewJob:
    return queue.NewJob(
        account_id=account.id,
        pool=publish.POOL,
        kind=RESEND,
        subject=url,
        due_at=tx.now,
        clock=account.clock,
        priority=OWN_LINE - 1,
        unique_key=f"{RESEND}/{url}",
        payload=msgspec.json.encode(Recovered(url)),
    )


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `RESEND` jobs."""
    for job in jobs:
        await ctx.db.transact(partial(_resend, job=job))


async def _resend(tx: Tx, job: Job) -> None:
    """A page of the account's failed webhooks at a time, those that lead to this very URL."""
    recovered = msgspec.json.decode(job.payload or "", type=Recovered)
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    if recovered.url is None or not account.resend_when_recovered:
        await queue.complete(tx, [job])
        return
    size = limits.WEBHOOK_RETRIES_AT_ONCE
    page = await failed_store.find_failed(tx, account.id, recovered.after, size)
    await _take(tx, account, [id_ for id_, _, url in page if url == recovered.url])
    if len(page) < size:
        await queue.complete(tx, [job])
        return
    rest = msgspec.structs.replace(recovered, after=(page[-1][1], page[-1][0]))
    again = queue.Reschedule(job, tx.now, account.clock, msgspec.json.encode(rest))
    await queue.reschedule(tx, [again])
    tx.wake(publish.POOL)
