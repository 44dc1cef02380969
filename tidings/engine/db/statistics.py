"""Keep the planner's picture of fast-growing young tables true.

Plans are kept, and a plan made for an empty table reads all of it once it is full: 32 messages were
found by reading six thousand. PostgreSQL's own analysis comes a minute late for a table that grows
by thousands of rows a second; ours comes when a table has outgrown tenfold what was known of it,
and a fresh analysis makes every connection plan afresh.
"""

from tidings.engine.db.tx import Tx

OUTGROWN = 10
ROWS_MIN = 500


async def refresh(tx: Tx) -> list[str]:
    """Analyse the tables that have outgrown their statistics; their names."""
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
