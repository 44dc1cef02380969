"""Messages that were sent and never delivered: after their time they expire and are refunded.

One job an account stands for all its messages; it wakes at the earliest time-out.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import limits, times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.webhooks.publish import Event, publish

from . import moves, present, store
from .model import Message
from .states import Status

POOL = "timers"
TIMEOUT = "messages.timeout"


def of(messages: Iterable[Message]) -> list[tuple[UUID, datetime]]:
    """When each of these times out (account, when), if it does."""
    return [(m.account_id, m.times_out_at) for m in messages if m.status is Status.SENT]


async def watch(
    tx: Tx, accounts: Mapping[UUID, Account], moments: Iterable[tuple[UUID, datetime]]
) -> None:
    """Make sure that somebody looks at the first of these moments (account, when)."""
    earliest: dict[UUID, datetime] = {}
    for account_id, moment in moments:
        earliest[account_id] = min(moment, earliest.get(account_id, moment))
    await queue.put(tx, [_job(accounts[key], earliest[key]) for key in sorted(earliest)])


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `messages.timeout`."""
    for job in jobs:
        await ctx.db.transact(lambda tx, job=job: _expire(tx, job))  # type: ignore[misc]


async def _expire(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    now = account.now(tx.now)
    since = None if job.payload is None else times.parse(msgspec.json.decode(job.payload))
    overdue = await store.timed_out(tx, account.id, since, now, limits.PURGE_PAGE_ROWS)
    told = [message for message in overdue if moves.expired(message, now)]
    await store.save(tx, overdue)
    await publish(
        tx,
        [
            Event(account, "message.status", now, present.status_event(message, now), message.id)
            for message in told
        ],
    )
    await queue.finish(tx, [job])
    seen = overdue[-1].times_out_at if len(overdue) == limits.PURGE_PAGE_ROWS else now
    moment = await store.next_timeout(tx, account.id, seen)
    if moment is not None:
        await queue.put(tx, [_job(account, moment, seen)])


def _job(account: Account, moment: datetime, seen: datetime | None = None) -> NewJob:
    """`seen`: up to when everything has been looked at."""
    return NewJob(
        account_id=account.id,
        pool=POOL,
        kind=TIMEOUT,
        subject=TIMEOUT,
        due_at=moment - account.clock,
        clock=account.clock,
        once=TIMEOUT,
        payload=None if seen is None else msgspec.json.encode(times.to_wire(seen)),
    )
