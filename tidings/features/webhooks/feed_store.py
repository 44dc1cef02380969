"""The webhooks table as a catch-up feed: every event of an account, in an order that never changes.

Ids and sequences are drawn before a transaction commits, so a reader that goes by them skips what
commits late. The order here is that of the writing transactions, and a reader stops before the
oldest one that still runs: whatever appears later comes after what has been read. Transactions in
other databases of the same server, however long they run, do not matter.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from tidings import limits
from tidings.engine.db.tx import Tx

Place = tuple[int, int]  # the transaction that wrote it, and its place therein


class Entry(msgspec.Struct, frozen=True):
    id: str
    type: str
    created_at: datetime
    state: str
    body: bytes


async def find_place(tx: Tx, account_id: UUID, webhook_id: str) -> Place | None:
    row = await tx.row(
        """
        SELECT written_by::text::bigint AS written_by, seq FROM webhooks
         WHERE account_id = $1 AND id = $2
        """,
        account_id,
        webhook_id,
    )
    return None if row is None else (row["written_by"], row["seq"])


# How many transactions back the oldest one lies that runs in this database. `backend_xid` has 32
# bits of the number; one that was given out after our snapshot is not behind it at all.
_FINISHED_BEFORE = """
    WITH here AS (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next)
    SELECT next - coalesce((
        SELECT max(back) FROM (
            SELECT (next - backend_xid::text::bigint) & x'ffffffff'::bigint AS back
              FROM pg_stat_activity
             WHERE datname = current_database() AND backend_xid IS NOT NULL) AS running
         WHERE back <= x'7fffffff'::bigint), 0) FROM here
"""


async def find_newest(tx: Tx, account_id: UUID) -> Entry | None:
    """The last event that the feed shows."""
    finished_before = await tx.value(_FINISHED_BEFORE)
    row = await tx.row(
        """
        SELECT id, type, created_at, state, body FROM webhooks
         WHERE account_id = $1 AND written_by < $2::text::xid8
         ORDER BY written_by DESC, seq DESC LIMIT 1
        """,
        account_id,
        str(finished_before),
    )
    return None if row is None else Entry(*row)


async def load_after(tx: Tx, account_id: UUID, place: Place, limit: int) -> list[Entry]:
    """A page. It ends where its payloads reach LIST_BYTES_MAX."""
    finished_before = await tx.value(_FINISHED_BEFORE)  # asked first: what ends meanwhile is seen
    rows = await tx.rows(
        """
        SELECT id, type, created_at, state, body FROM (
            SELECT page.*, sum(octet_length(body)) OVER (ORDER BY written_by, seq)
                           - octet_length(body) AS before
              FROM (
                SELECT id, type, created_at, state, body, written_by, seq FROM webhooks
                 WHERE account_id = $1 AND (written_by, seq) > ($2::text::xid8, $3)
                   AND written_by < $4::text::xid8
                 ORDER BY written_by, seq LIMIT $5) AS page) AS measured
         WHERE before < $6 ORDER BY written_by, seq
        """,
        account_id,
        str(place[0]),
        place[1],
        str(finished_before),
        limit,
        limits.LIST_BYTES_MAX,
    )
    return [Entry(*row) for row in rows]


async def find_foreign(tx: Tx) -> list[UUID]:
    """Accounts with events that no transaction of this server can have written."""
    rows = await tx.rows(
        """
        SELECT a.id FROM accounts a CROSS JOIN LATERAL (
            SELECT written_by FROM webhooks WHERE account_id = a.id
             ORDER BY written_by DESC, seq DESC LIMIT 1) AS newest
         WHERE newest.written_by >= pg_snapshot_xmax(pg_current_snapshot())
        """
    )
    return [row["id"] for row in rows]


async def adopt(tx: Tx, account_ids: list[UUID]) -> int:
    """Place the events of another server, all of them, before those that this one writes."""
    await tx.run("SET LOCAL statement_timeout = '10min'")
    return await tx.run(
        """
        UPDATE webhooks w SET written_by = '0' FROM (
            SELECT account_id, max(seq) AS last FROM webhooks
             WHERE account_id = ANY($1::uuid[])
               AND written_by >= pg_snapshot_xmax(pg_current_snapshot())
             GROUP BY account_id) AS foreign_ones
         WHERE w.account_id = foreign_ones.account_id AND w.seq <= foreign_ones.last
        """,
        account_ids,
    )
