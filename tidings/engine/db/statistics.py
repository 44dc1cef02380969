"""Keep planner statistics of fast-growing tables up to date.

Plans are cached, and a plan made for an empty table scans all of it once it is full: 32 messages
were found by reading six thousand. Autovacuum analyses a minute late for a table that grows by
thousands of rows a second. This module runs ANALYZE when a table has ten times the rows of its last
analysis; that invalidates the cached plans of every connection.
"""

from tidings.engine.db.tx import Tx

OUTGROWN = 10
ROWS_MIN = 500


async def refresh(tx: Tx) -> list[str]:
    """Analyse the tables with outdated statistics; returns their names."""
    rows = await tx.rows(
        """
        SELECT s.relid::regclass::text AS name
          FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
         WHERE s.n_live_tup >= $1 AND s.n_live_tup > $2 * greatest(c.reltuples, 1)
        """,
        ROWS_MIN,
        OUTGROWN,
    )
    names = [row["name"] for row in rows]
    for name in names:
        await tx.run(f"ANALYZE {name}")
    return names
