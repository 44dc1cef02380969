"""Take up what a callback says: everything durable when it returns, whatever else happens.

All pieces go through the ingest lane, grouped with those of other callbacks. A piece that breaks
the work of the lane (it is halved until that piece stands alone) is put aside for the operator.
"""

from collections.abc import Sequence

import structlog

from tidings.context import Context
from tidings.engine.lane import AWAY
from tidings.platforms.whatsapp.callbacks import CallbackItem, Ignored, Unparsable, read

from . import parked

log = structlog.get_logger()

PAGE = 500


async def take(ctx: Context, pieces: Sequence[CallbackItem]) -> None:
    """Raises only where the database is away: then the platform calls again."""
    items = [piece for piece in pieces if not isinstance(piece, Unparsable | Ignored)]
    aside = [(piece.why, piece.raw) for piece in pieces if isinstance(piece, Unparsable)]
    results = await ctx.lanes.ingest.put_each(items) if items else []
    for item, result in zip(items, results, strict=True):
        if isinstance(result, AWAY) or not isinstance(result, Exception | None | str):
            raise result
        if isinstance(result, Exception):
            log.error("callback.broken", kind=type(item).__name__, exc_info=result)
            aside.append((f"it could not be taken: {type(result).__name__}", item.raw))
    if aside:
        await ctx.db.transact(lambda tx: parked.park(tx, aside))
        ctx.metrics.callbacks.labels("parked").inc(len(aside))
    ignored = sum(isinstance(piece, Ignored) for piece in pieces)
    if ignored:
        ctx.metrics.callbacks.labels("ignored").inc(ignored)


async def take_again(ctx: Context) -> int:
    """Everything that was put aside, afresh; how many bodies. What still is of no use is put aside
    anew. A body is forgotten only once it has been taken, and taking one twice does no harm.
    """
    ids = await ctx.db.transact(parked.load_ids)
    for start in range(0, len(ids), PAGE):
        await _take_again(ctx, ids[start : start + PAGE])
    return len(ids)


async def _take_again(ctx: Context, ids: Sequence[int]) -> None:
    for body in await ctx.db.transact(lambda tx: parked.load_bodies(tx, ids)):
        await take(ctx, read(body))
    await ctx.db.transact(lambda tx: parked.forget(tx, ids))
