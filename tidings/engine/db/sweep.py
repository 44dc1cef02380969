"""Purge a table by reading it from its first block to its last, some blocks in each transaction.

For tables that are small because they are purged, but whose rows come and go by the million: this
needs no index by age, which every insert would have to write, and reads the disk in order.
"""

from collections.abc import Awaitable, Callable

from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx

BLOCKS = 1000  # 8 MB: some hundred thousand rows at most
WITHIN_BLOCKS = (
    "ctid >= format('(%s,0)', $1::bigint)::tid AND ctid < format('(%s,0)', $2::bigint)::tid"
)

Step = Callable[[Tx, int, int], Awaitable[int]]  # deletes from one block to before another


async def sweep(db: Database, table: str, step: Step) -> int:
    """Run `step`, which uses WITHIN_BLOCKS, over the whole table; how many rows in all."""
    size = "SELECT pg_relation_size($1::text::regclass) / current_setting('block_size')::int"
    blocks: int = await db.value(size, table)
    gone = 0
    for first in range(0, blocks, BLOCKS):
        gone += await db.transact(_step_at(step, first))
    return gone


def _step_at(step: Step, first: int) -> Callable[[Tx], Awaitable[int]]:
    return lambda tx: step(tx, first, first + BLOCKS)
