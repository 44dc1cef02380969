"""Send an uploaded batch: its rows are accepted part by part, each in one transaction.

"Send" stores the batch, its rows and a job together. Every run of the job accepts one part and
deletes it in the same transaction, so that a row is accepted once, whatever is interrupted.
"""

import zlib
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import msgspec

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.errors import Conflict
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.messages.accept.accept import accept
from tidings.features.messages.model import MessageRequest, TemplateRequest
from tidings.features.messages.state.timers import POOL
from tidings.features.messages.track import batches

from . import draft_store, progress, store
from .drafts import Check, Draft
from .submit import BatchOutcome, add_result

KIND = "batch.part"


class Part(msgspec.Struct, frozen=True):
    """Rows as they are stored: clientMessageId, number and values."""

    template_name: str
    template_lang: str
    rows: list[tuple[str, str, tuple[str, ...]]]


async def send(tx: Tx, account: Account, draft: Draft, check: Check, actor: Actor) -> bool:
    """False: it was sent before. The rows of `check` are all accepted, or none is."""
    if await draft_store.find(tx, account.id, draft.id, lock=True) is None:
        return False
    fresh = (await load_accounts(tx, [account.id]))[account.id]
    requests = list(check.rows.requests.values())
    batch = store.Batch(account.id, draft.id, draft.name, None, 0, fresh.now(tx.now))
    batch.to_come = len(requests)
    batch.rejected = len(draft.sheet.rows) - len(requests)
    batch.estimated_at = check.finishes_at
    await store.insert(tx, batch)
    await draft_store.insert_parts(tx, account.id, draft.id, _parts(draft, requests))
    await draft_store.delete(tx, account.id, draft.id)
    await queue.enqueue(tx, [_job(tx, fresh, draft.id)])
    tx.wake(POOL)
    entry = Entry(actor=actor, action="batch.sent", subject=draft.name, account_id=account.id)
    await record(tx, entry)
    return True


def _parts(draft: Draft, requests: Sequence[MessageRequest]) -> list[bytes]:
    size, template = limits.BATCH_TEXT_MESSAGES_MAX, draft.template
    rows = [
        (one.client_message_id, one.to, one.template.params if one.template else ())
        for one in requests
    ]
    return [
        zlib.compress(
            msgspec.msgpack.encode(
                Part(template.name, template.language, rows[start : start + size])
            ),
            1,
        )
        for start in range(0, len(rows), size)
    ]


def _requests(account: Account, batch_id: UUID, content: bytes) -> list[MessageRequest]:
    part = msgspec.msgpack.decode(zlib.decompress(content), type=Part)
    return [
        MessageRequest(
            account.id,
            client_id,
            to,
            TemplateRequest(part.template_name, part.template_lang, params),
            batch_id=batch_id,
        )
        for client_id, to, params in part.rows
    ]


def _job(tx: Tx, account: Account, batch_id: UUID) -> NewJob:
    key = f"{KIND}:{batch_id.hex}"
    return NewJob(account.id, POOL, KIND, batch_id.hex, tx.now, account.clock, unique_key=key)


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `batch.part`."""
    for job in jobs:
        async with ctx.batch_writes.acquire(job.account_id):
            await ctx.db.transact(partial(_accept_part, ctx, job=job))


async def _accept_part(ctx: Context, tx: Tx, job: Job) -> None:
    batch_id = UUID(hex=job.subject)
    await queue.complete(tx, [job])
    batch = await store.find(tx, job.account_id, batch_id)
    part = await draft_store.find_part(tx, job.account_id, batch_id)
    if batch is None or part is None:
        return
    number, content = part
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    requests = _requests(account, batch_id, content)
    results = (await accept(ctx, tx, requests)).results
    outcome = BatchOutcome(account, batch, len(requests), account.now(tx.now))
    for index, (request, result) in enumerate(zip(requests, results, strict=True)):
        add_result(outcome, index, request, result)
    await _count(tx, outcome, number)
    await progress.publish_progress(tx, account.id, batch_id)
    await queue.enqueue(tx, [_job(tx, account, batch_id)])
    tx.wake(POOL)


async def _count(tx: Tx, outcome: BatchOutcome, part: int) -> None:
    """After the messages, as the order of locks wants it. A batch that was cancelled meanwhile has
    no parts any more: then none of this happens."""
    batch = await store.lock(tx, outcome.batch.account_id, outcome.batch.id)
    if batch is None or not await draft_store.delete_part(tx, batch.account_id, batch.id, part):
        raise Conflict("the batch was cancelled meanwhile")
    if batch.total == 0:
        await batches.start(tx, outcome.account, batch.id)
    batch.total += len(outcome.accepted)
    batch.rejected += len(outcome.rejected)
    batch.duplicates += len(outcome.duplicates)
    batch.to_come -= outcome.total
    await store.save(tx, batch)


async def discard(tx: Tx, batch: store.Batch) -> None:
    """Rows that are still to be accepted never will be; the caller saves the batch."""
    await draft_store.delete_parts(tx, batch.account_id, batch.id)
    batch.rejected += batch.to_come
    batch.to_come = 0
