"""Files of messages that have left us are needed no more (contract2 A, "Files").

Looked up from time to time and not as messages go, so that sending pays nothing for it.
"""

from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.media import remove, uses

from . import store

START = (UUID(int=0), UUID(int=0))


async def sweep(ctx: Context) -> int:
    """Every file that nothing refers to any more; how many were removed."""
    after: uses.Key | None = START
    while after is not None:
        after = await ctx.db.transact(partial(_drop_ended, after=after))
    return await remove.sweep(ctx)


async def _drop_ended(tx: Tx, after: uses.Key) -> uses.Key | None:
    """One page of the messages that need files; the last of it, None at the end."""
    keys = await uses.find_messages(tx, after, limits.PURGE_PAGE_ROWS)
    still_here = await store.find_unsent(tx, keys) if keys else set()
    await uses.delete_messages(tx, [key for key in keys if key not in still_here])
    return keys[-1] if len(keys) == limits.PURGE_PAGE_ROWS else None
