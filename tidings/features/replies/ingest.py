"""The ingest lane: everything the platform tells us, in one grouped transaction."""

from collections.abc import Sequence
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.messages.progress import Report, progress
from tidings.platforms.port import Callback, Inbound, Status

from .receive import receive

Told = tuple[UUID, Callback]  # whose it is, and what it says


async def ingest(ctx: Context, told: list[Told]) -> list[Exception | None]:
    """The work of the lane; the platform is answered once it has committed."""
    await ctx.db.transact(lambda tx: apply(ctx, tx, told))
    return [None] * len(told)


async def apply(ctx: Context, tx: Tx, told: Sequence[Told]) -> None:
    """Statuses before replies: an answer presupposes that its question arrived."""
    reports = [Report(account, item) for account, item in told if isinstance(item, Status)]
    inbound = [(account, item) for account, item in told if isinstance(item, Inbound)]
    if reports:
        await progress(ctx, tx, reports)
    if inbound:
        await receive(tx, inbound)
