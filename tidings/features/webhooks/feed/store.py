"""The webhooks table as a catch-up feed: every event of an account, in an order that never changes.

Ids and sequence numbers are assigned before a transaction commits, so a reader ordered by them
would skip rows that commit late. The feed is ordered by the writing transaction's id, and a reader
stops before the oldest transaction still running: rows that become visible later sort after what
has been read. Transactions in other databases of the server do not hold the feed back.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import limits
from tidings.engine.db.tx import Tx

SMALL_BYTES_MAX = 16 * limits.KIB  # of a body that is loaded for its summary
NAMING_READ_MAX = 10_000
Position = tuple[int, int]  # the transaction that wrote the event, and its sequence number


class FeedEvent(msgspec.Struct, frozen=True):
    id: str
    type: str
    created_at: datetime
    state: str
    body: bytes


async def find_position(tx: Tx, account_id: UUID, webhook_id: str) -> Position | None:
    row = await tx.row(
        """
        SELECT written_by::text::bigint AS written_by, seq FROM webhooks
         WHERE account_id = $1 AND id = $2
        """,
        account_id,
        webhook_id,
    )
    return None if row is None else (row["written_by"], row["seq"])


# The id of the oldest transaction running in this database. `backend_xid` holds the low 32 bits of
# an id; ids assigned after our snapshot (back > 2^31) are ignored.
_FINISHED_BEFORE = """
    WITH here AS (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next)
    SELECT next - coalesce((
        SELECT max(back) FROM (
            SELECT (next - backend_xid::text::bigint) & x'ffffffff'::bigint AS back
              FROM pg_stat_activity
             WHERE datname = current_database() AND backend_xid IS NOT NULL) AS running
         WHERE back <= x'7fffffff'::bigint), 0) FROM here
"""


async def load_newest(tx: Tx, account_id: UUID, limit: int) -> list[FeedEvent]:
    """The last events that the feed shows, newest first."""
    finished_before = await tx.value(_FINISHED_BEFORE)
    rows = await tx.rows(
        """
        SELECT id, type, created_at, state, body FROM webhooks
         WHERE account_id = $1 AND written_by < $2::text::xid8
         ORDER BY written_by DESC, seq DESC LIMIT $3
        """,
        account_id,
        str(finished_before),
        limit,
    )
    return [FeedEvent(*row) for row in rows]


async def load_naming(tx: Tx, account_id: UUID, words: str, limit: int) -> list[FeedEvent]:
    """Of the last NAMING_READ_MAX events, those with one of these words in the body, newest
    first."""
    finished_before = await tx.value(_FINISHED_BEFORE)
    rows = await tx.rows(
        """
        SELECT id, type, created_at, state, body FROM (
            SELECT id, type, created_at, state, body, written_by, seq FROM webhooks
             WHERE account_id = $1 AND written_by < $2::text::xid8
             ORDER BY written_by DESC, seq DESC LIMIT $5) AS newest
         WHERE position($3::bytea IN body) > 0 ORDER BY written_by DESC, seq DESC LIMIT $4
        """,
        account_id,
        str(finished_before),
        words.encode(),
        limit,
        NAMING_READ_MAX,
    )
    return [FeedEvent(*row) for row in rows]


async def load_after(tx: Tx, account_id: UUID, position: Position, limit: int) -> list[FeedEvent]:
    """One page; it ends when its payloads reach LIST_BYTES_MAX."""
    finished_before = await tx.value(
        _FINISHED_BEFORE
    )  # read first: rows that commit in between are seen
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
        str(position[0]),
        position[1],
        str(finished_before),
        limit,
        limits.LIST_BYTES_MAX,
    )
    return [FeedEvent(*row) for row in rows]


class NewEvent(msgspec.Struct, frozen=True):
    """An event and its place in the feed."""

    account_id: UUID
    id: str
    type: str
    created_at: datetime
    body: bytes  # empty where it is large
    position: Position


async def find_ends(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, Position]:
    """Where the feed of each account ends now; absent: it has no event."""
    finished_before = await tx.value(_FINISHED_BEFORE)
    rows = await tx.rows(
        """
        SELECT account_id, written_by::text::bigint AS written_by, seq
          FROM unnest($1::uuid[]) AS k (account_id) CROSS JOIN LATERAL (
            SELECT written_by, seq FROM webhooks w
             WHERE w.account_id = k.account_id AND written_by < $2::text::xid8
             ORDER BY written_by DESC, seq DESC LIMIT 1) AS newest
        """,
        list(account_ids),
        str(finished_before),
    )
    return {row["account_id"]: (row["written_by"], row["seq"]) for row in rows}


async def load_new(tx: Tx, after: Mapping[UUID, Position], limit: int) -> list[NewEvent]:
    """The events of several accounts after their positions, in order, at most `limit` of each."""
    finished_before = await tx.value(_FINISHED_BEFORE)
    rows = await tx.rows(
        """
        SELECT k.account_id, id, type, created_at, body, written_by::text::bigint AS by, seq
          FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS k (account_id, last_by, last_seq)
         CROSS JOIN LATERAL (
            SELECT id, type, created_at, written_by, seq,
                   CASE WHEN octet_length(body) <= $6 THEN body ELSE '' END AS body
              FROM webhooks w
             WHERE w.account_id = k.account_id
               AND (written_by, seq) > (last_by::text::xid8, last_seq)
               AND written_by < $4::text::xid8
             ORDER BY written_by, seq LIMIT $5) AS new
         ORDER BY k.account_id, new.written_by, seq
        """,
        list(after),
        [position[0] for position in after.values()],
        [position[1] for position in after.values()],
        str(finished_before),
        limit,
        SMALL_BYTES_MAX,
    )
    return [
        NewEvent(
            account_id=row["account_id"],
            id=row["id"],
            type=row["type"],
            created_at=row["created_at"],
            body=row["body"],
            position=(row["by"], row["seq"]),
        )
        for row in rows
    ]


async def find_foreign(tx: Tx) -> list[UUID]:
    """Accounts with events of transaction ids that this server has not reached (restored dump)."""
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
    """Position the events of another server, all of them, before those that this one writes."""
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
