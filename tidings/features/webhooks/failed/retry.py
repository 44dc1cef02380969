"""Retry failed webhooks: one, or all since a time (4.12). Where the account asked for it
(`resendWhenRecovered`, contract2 C) also automatically, once their URL answers again.

A retry starts a new cycle: six new attempts with the same id and body. Earlier attempts stay on
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
from tidings.wording import quote

from .. import destinations, publish
from . import store as failed_store

RESEND = "webhooks.resend"


class Recovered(msgspec.Struct, frozen=True):
    """The payload of a `RESEND` job: a URL has answered again."""

    url: str
    after: tuple[datetime, str] | None = None  # the last failed webhook of the previous page


async def retry(tx: Tx, account_id: UUID, webhook_id: str) -> None:
    """Of concurrent calls one starts the new cycle; the others find that it is not failed (404)."""
    account = (await load_accounts(tx, [account_id]))[account_id]
    if not await _start_cycle(tx, account, [webhook_id]):
        raise ApiError(
            Code.NOT_FOUND,
            f"no failed webhook has the id {quote(webhook_id)}; GET /webhooks/failed lists them",
        )


async def retry_since(tx: Tx, account_id: UUID, since: datetime) -> tuple[int, int]:
    """Retry one page of what failed since; how many were retried and how many are left."""
    account = (await load_accounts(tx, [account_id]))[account_id]
    ids = await failed_store.find_ids(tx, account_id, since, limits.WEBHOOK_RETRIES_AT_ONCE)
    retried = await _start_cycle(tx, account, ids)
    return retried, await failed_store.count(tx, account_id, since)


async def _start_cycle(tx: Tx, account: Account, ids: list[str]) -> int:
    retried = await failed_store.start_cycle(tx, account.id, ids)
    jobs = [
        publish.job(tx, account, one.id, destinations.partition_key(account.webhook_url, one.url))
        for one in retried
    ]
    await queue.enqueue(tx, jobs)
    return len(retried)


async def enqueue_resend(tx: Tx, recovered: Sequence[tuple[Account, str]]) -> None:
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
        unique_key=f"{RESEND}/{url}",
        payload=msgspec.json.encode(Recovered(url)),
        partition_key=destinations.RESEND,
    )


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `RESEND` jobs."""
    for job in jobs:
        await ctx.db.transact(partial(_resend, job=job))


async def _resend(tx: Tx, job: Job) -> None:
    """Retry those of a page of failed webhooks that go to this URL; reschedule for the next."""
    recovered = msgspec.json.decode(job.payload or "", type=Recovered)
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    if not account.resend_when_recovered:
        await queue.complete(tx, [job])
        return
    size = limits.WEBHOOK_RETRIES_AT_ONCE
    page = await failed_store.find_failed(tx, account.id, recovered.after, size)
    await _start_cycle(tx, account, [id_ for id_, _, url in page if url == recovered.url])
    if len(page) < size:
        await queue.complete(tx, [job])
        return
    rest = msgspec.structs.replace(recovered, after=(page[-1][1], page[-1][0]))
    again = queue.Reschedule(job, tx.now, account.clock, msgspec.json.encode(rest))
    await queue.reschedule(tx, [again])
    tx.wake(publish.POOL)
