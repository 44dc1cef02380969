"""Take failed webhooks up again: one, all since a time, or when an endpoint answers again (4.12).

Each starts a new cycle: six new attempts, the same id and body. What was tried before stays on
record.
"""

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
from .destinations import OWN_LINE, authority, line_of

REVIVE = "webhook.revive"


class Revival(msgspec.Struct, frozen=True):
    """The payload of `webhook.revive`: an endpoint has answered again."""

    authority: str
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


async def _take(tx: Tx, account: Account, ids: list[str], *, revived: bool = False) -> int:
    taken = await failed_store.take(tx, account.id, ids, revived=revived)
    jobs = [
        publish.job(tx, account, one.id, one.message_id, line_of(account.webhook_url, one.url))
        for one in taken
    ]
    await queue.put(tx, jobs)
    return len(taken)


async def put_revival(tx: Tx, account: Account, place: str) -> None:
    """Have the account's failed webhooks to this host and port tried afresh, each once."""
    job = queue.NewJob(
        account_id=account.id,
        pool=publish.POOL,
        kind=REVIVE,
        subject=place,
        due_at=tx.now,
        clock=account.clock,
        priority=OWN_LINE - 1,
        once=f"{REVIVE}/{place}",
        payload=msgspec.json.encode(Revival(place)),
    )
    await queue.put(tx, [job])


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `webhook.revive`."""
    for job in jobs:
        await ctx.db.transact(partial(_revive, job=job))


async def _revive(tx: Tx, job: Job) -> None:
    revival = msgspec.json.decode(job.payload or "", type=Revival)
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    since = account.now(tx.now) - limits.WEBHOOK_REVIVED_WITHIN
    page = await failed_store.find_revivable(
        tx, account.id, since, revival.after, limits.WEBHOOK_RETRIES_AT_ONCE
    )
    ids = [id_ for id_, _, url in page if url is not None and authority(url) == revival.authority]
    await _take(tx, account, ids, revived=True)
    if len(page) == limits.WEBHOOK_RETRIES_AT_ONCE:
        rest = msgspec.structs.replace(revival, after=(page[-1][1], page[-1][0]))
        again = queue.Again(job, tx.now, account.clock, msgspec.json.encode(rest))
        await queue.again(tx, [again])
        tx.wake(publish.POOL)
    else:
        await queue.finish(tx, [job])
