"""Receive the pieces of a callback: when `receive` returns, all of them are durable.

The pieces go through the ingest lane, grouped with those of other callbacks. A piece that makes the
lane's transaction fail (the lane halves the batch until it stands alone) becomes a dead letter.
After a conflict that outlasts all retries the platform is answered 503 instead, and calls again.
"""

from collections.abc import Sequence

import structlog

from tidings.context import Context
from tidings.engine.db.errors import RETRIED
from tidings.engine.lane import SHARED_ERRORS
from tidings.engine.metrics.distribution import Timed
from tidings.features.messages.spans import link_request
from tidings.platforms.whatsapp.callbacks import CallbackItem, Ignored, Unparsable, read

from . import dead_letters
from .forward import ingest_anywhere
from .settled import messages_of

log = structlog.get_logger()

PAGE = 500
_TRANSIENT = (*SHARED_ERRORS, *RETRIED)


async def receive(ctx: Context, pieces: Sequence[CallbackItem]) -> None:
    """Raises only transient errors, such as an unavailable database: the platform calls again."""
    items = [piece for piece in pieces if not isinstance(piece, Unparsable | Ignored)]
    rejected = [(piece.why, piece.raw) for piece in pieces if isinstance(piece, Unparsable)]
    results: list[str | BaseException] = []
    if items:
        with Timed(ctx.clock, ctx.metrics.callback_seconds):
            results = await ingest_anywhere(ctx, items)
    if ctx.tracer is not None:
        link_request(messages_of(items))
    for item, result in zip(items, results, strict=True):
        if isinstance(result, _TRANSIENT) or not isinstance(result, Exception | str):
            raise result
        if isinstance(result, Exception):
            log.error("callback.failed", kind=type(item).__name__, exc_info=result)
            rejected.append((f"processing failed: {type(result).__name__}", item.raw))
    if rejected:
        await ctx.db.transact(lambda tx: dead_letters.add(tx, rejected))
        ctx.metrics.callbacks.labels("dead_lettered").inc(len(rejected))
    ignored = sum(isinstance(piece, Ignored) for piece in pieces)
    if ignored:
        ctx.metrics.callbacks.labels("ignored").inc(ignored)


async def retry_dead_letters(ctx: Context, only: int | None = None) -> int:
    """Process every dead letter again, or one; how many. One that fails again becomes a new one.

    A body is deleted only after it was processed, and processing one twice has no effect.
    """
    ids = [only] if only is not None else await ctx.db.transact(dead_letters.load_ids)
    for start in range(0, len(ids), PAGE):
        await _retry(ctx, ids[start : start + PAGE])
    return len(ids)


async def _retry(ctx: Context, ids: Sequence[int]) -> None:
    for body in await ctx.db.transact(lambda tx: dead_letters.load_bodies(tx, ids)):
        await receive(ctx, read(body))
    await ctx.db.transact(lambda tx: dead_letters.delete(tx, ids))
