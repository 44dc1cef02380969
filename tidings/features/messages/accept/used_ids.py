"""Forget clientMessageIds some time after their 48 hours; their messages stay.

The age of an id is that of its message by the machine's clock. A sandbox account's own clock only
moves ahead, so by that clock the id is at least as old.
"""

from tidings import limits
from tidings.context import Context
from tidings.engine.db.sweep import sweep
from tidings.engine.db.tx import Tx
from tidings.ids import first_id

from . import idempotency_store


async def purge(ctx: Context) -> int:
    """How many ids."""
    before = first_id(ctx.clock.now() - limits.USED_IDS_KEPT)

    async def step(tx: Tx, first: int, end: int) -> int:
        return await idempotency_store.delete_before(tx, before, first, end)

    return await sweep(ctx.db, idempotency_store.TABLE, step)
