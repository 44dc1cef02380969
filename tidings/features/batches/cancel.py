"""Cancel a batch: what has not been sent is cancelled and refunded (4.9)."""

from uuid import UUID

import structlog

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.track import batches as waiting

from . import parts, progress, read, responses, store

log = structlog.get_logger()


async def cancel(
    ctx: Context, tx: Tx, account_id: UUID, batch_id: UUID | None
) -> responses.Cancelled:
    """Idempotent: the counts of a repeated call include what an earlier one did."""
    account = (await load_accounts(tx, [account_id]))[account_id]
    numbers = await waiting.lock_capacity(tx, account)
    batch = await store.lock(tx, account_id, batch_id) if batch_id is not None else None
    if batch is None:
        raise read.unknown()
    now = account.now(tx.now)
    counts = await waiting.cancel_waiting(ctx, tx, account, numbers, batch.id, now)
    if batch.cancelled_at is None:
        batch.cancelled_at = now
        await parts.discard(tx, batch)
        await store.save(tx, batch)
        tx.after_commit(lambda: log.info("batch.cancelled", account=account_id, batch=batch_id))
    await progress.publish_progress(tx, account_id, batch.id)
    return responses.cancelled(batch.id, counts)
