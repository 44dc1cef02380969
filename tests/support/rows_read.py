"""How many rows of a table PostgreSQL has read, to show that a query stays small.

    before = await rows_read(tx, "jobs")
    ...
    assert await rows_read(tx, "jobs") - before < 200

Only the difference inside one transaction means anything: until PostgreSQL adds a session's counts
to the table's totals, about once a second, they include its earlier transactions, behind a pooler
those of other tests too.
"""

from tidings.engine.db.tx import Tx


async def rows_read(tx: Tx, table: str) -> int:
    read: int = await tx.value(
        """
        SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
          FROM pg_stat_xact_user_tables WHERE relname = $1
        """,
        table,
    )
    return read
