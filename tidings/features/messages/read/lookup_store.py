"""Queries on the table `messages` that change nothing."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.ids import FIRST_ID, LAST_ID, first_id
from tidings.platforms.content import Content

from ..model import Message, Status
from ..state.store import SELECTED, Key, Recipient, by_key, decode_content, read

RECENT = timedelta(days=7)
EVER = (FIRST_ID, LAST_ID)


async def find_sent_to(
    tx: Tx, account_id: UUID, phone: str, *, limit: int, bytes_max: int
) -> list[tuple[Message, Content]]:
    """The newest, limited in number and in bytes of content."""
    rows = await tx.rows(
        f"""
        WITH newest AS (
            SELECT id, sent_at, octet_length(content::text) AS size FROM messages
             WHERE account_id = $1 AND recipient = $2 AND sent_at IS NOT NULL
             ORDER BY sent_at DESC, id DESC LIMIT $3
        ), measured AS (
            SELECT id, sum(size) OVER (ORDER BY sent_at DESC, id DESC) AS held FROM newest
        )
        SELECT m.content, {SELECTED} FROM measured
          JOIN messages m ON m.account_id = $1 AND m.id = measured.id
         WHERE held <= $4 ORDER BY m.sent_at DESC, m.id DESC
        """,
        account_id,
        phone,
        limit,
        bytes_max,
    )
    return [(read(row), decode_content(row["content"])) for row in rows]


async def find_newest_recipients(tx: Tx, account_id: UUID) -> list[str]:
    """Of the newest messages, newest first; a person may be there several times."""
    rows = await tx.rows(
        "SELECT recipient FROM messages WHERE account_id = $1 ORDER BY id DESC LIMIT $2",
        account_id,
        LOOKBACK,
    )
    return [row["recipient"] for row in rows]


# Jobs in the order of their index, so that no more than the limit is read.
_WAITING_JOBS = """
    SELECT id FROM jobs
     WHERE pool = $2 AND account_id = $1 AND dead_lettered_at IS NULL AND subjects IS NULL
     ORDER BY partition_key, priority, due_at, id LIMIT $3
"""
_WAITING = """
    SELECT m.account_id, m.id, m.client_message_id, m.kind, m.recipient, m.status, m.created_at,
           m.times_out_at, m.number, m.scheduled_for, m.retry_at, m.reserved_at, m.planned_at
      FROM jobs j JOIN messages m ON m.account_id = j.account_id AND m.id = j.subject::uuid
     WHERE j.id = ANY($1::bigint[]) AND j.account_id = $2
       AND m.status IN ('scheduled', 'queued', 'deferred') AND m.batch_id IS DISTINCT FROM $3
"""


async def find_waiting_jobs(tx: Tx, account: UUID, pool: str, most: int) -> list[int]:
    """The jobs of waiting messages, those that go first, first."""
    return [row["id"] for row in await tx.rows(_WAITING_JOBS, account, pool, most)]


async def load_waiting(
    tx: Tx, account: UUID, job_ids: Sequence[int], besides: UUID
) -> list[Message]:
    """The messages of these jobs that are not in a batch; only the columns that determine when they
    are sent."""
    rows = await tx.rows(_WAITING, job_ids, account, besides)
    return [Message(**row | {"status": Status(row["status"])}) for row in map(dict, rows)]


async def find_unsent(tx: Tx, keys: Sequence[Key]) -> set[Key]:
    """Those of these messages that are not sent and have not ended."""
    rows = await tx.rows(
        """
        SELECT account_id, id FROM messages
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND id BETWEEN $3 AND $4 AND status IN ('scheduled', 'queued', 'deferred', 'sending')
        """,
        *by_key(keys),
    )
    return {(row["account_id"], row["id"]) for row in rows}


async def find_reserved(tx: Tx, account: UUID, pool: str, after: datetime, most: int) -> list[int]:
    """The jobs of messages with quota reserved for a time after this, earliest due first."""
    rows = await tx.rows(
        """
        SELECT j.id FROM jobs j JOIN messages m
            ON m.account_id = j.account_id AND m.id = j.subject::uuid
         WHERE j.account_id = $1 AND j.pool = $2 AND j.dead_lettered_at IS NULL AND NOT j.leased
           AND m.status = 'deferred' AND m.reserved_at > $3
         ORDER BY j.due_at, j.id LIMIT $4
        """,
        account,
        pool,
        after,
        most,
    )
    return [row["id"] for row in rows]


async def find_by_platform_id(
    tx: Tx, keys: Sequence[tuple[UUID, str]]
) -> dict[tuple[UUID, str], UUID]:
    """Our messages by platform id; unknown ids are absent. Most callbacks are about messages of the
    last days: the partitions of earlier months are searched only for what is not found there."""
    recent = (first_id(tx.now - RECENT), first_id(tx.now + RECENT))
    found = await _find_platform_ids(tx, keys, recent)
    missing = [key for key in keys if key not in found]
    return found | await _find_platform_ids(tx, missing, EVER) if missing else found


async def _find_platform_ids(
    tx: Tx, keys: Sequence[tuple[UUID, str]], within: tuple[UUID, UUID]
) -> dict[tuple[UUID, str], UUID]:
    """If two messages have the same platform id, it is the earlier one's."""
    rows = await tx.rows(
        """
        SELECT account_id, platform_id, message_id FROM platform_ids
         WHERE (account_id, platform_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
           AND message_id BETWEEN $3 AND $4 ORDER BY message_id DESC
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
        *within,
    )
    return {(row["account_id"], row["platform_id"]): row["message_id"] for row in rows}


async def count_by_status(tx: Tx, account_id: UUID, batch_id: UUID) -> dict[str, int]:
    return (await count_batches(tx, account_id, [batch_id])).get(batch_id, {})


async def count_batches(
    tx: Tx, account_id: UUID, batch_ids: Sequence[UUID]
) -> dict[UUID, dict[str, int]]:
    """The messages of each batch by status."""
    rows = await tx.rows(
        """
        SELECT batch_id, status, count(*) AS n FROM messages
         WHERE account_id = $1 AND batch_id = ANY($2::uuid[]) GROUP BY batch_id, status
        """,
        account_id,
        list(batch_ids),
    )
    found: dict[UUID, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["batch_id"], {})[row["status"]] = row["n"]
    return found


async def find_last_sent_at(tx: Tx, account_id: UUID, batch_id: UUID) -> datetime | None:
    at: datetime | None = await tx.value(
        "SELECT max(sent_at) FROM messages WHERE account_id = $1 AND batch_id = $2",
        account_id,
        batch_id,
    )
    return at


LOOKBACK = 200  # the newest messages of a person


async def find_by_id(tx: Tx, keys: Sequence[Key]) -> dict[Key, Message]:
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
          JOIN messages m USING (account_id, id) WHERE m.id BETWEEN $3 AND $4
        """,
        *by_key(keys),
    )
    return {(row["account_id"], row["id"]): read(row) for row in rows}


async def find_by_client_id(
    tx: Tx, keys: Sequence[tuple[UUID, str]]
) -> dict[tuple[UUID, str], Message]:
    """The newest message of each clientMessageId, in any month."""
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM unnest($1::uuid[], $2::text[]) AS k (account_id, client_message_id)
         CROSS JOIN LATERAL (
            SELECT * FROM messages
             WHERE account_id = k.account_id AND client_message_id = k.client_message_id
             ORDER BY client_message_id DESC, id DESC LIMIT 1) m
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["client_message_id"]): read(row) for row in rows}


async def find_quoted(tx: Tx, keys: Sequence[tuple[UUID, str]]) -> dict[tuple[UUID, str], Message]:
    """By the platform's ids."""
    quoted = await find_by_platform_id(tx, keys)
    messages = await find_by_id(tx, [(key[0], quoted[key]) for key in keys if key in quoted])
    found = {key: messages.get((key[0], message_id)) for key, message_id in quoted.items()}
    return {key: message for key, message in found.items() if message is not None}


async def find_last_sent(tx: Tx, people: Sequence[Recipient]) -> list[Message]:
    """The last message of each kind that was sent to each person; without our own prompts."""
    rows = await tx.rows(
        f"""
        SELECT DISTINCT ON (m.account_id, m.recipient, m.kind) {SELECTED}
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, phone)
         CROSS JOIN LATERAL (
            SELECT * FROM messages WHERE account_id = k.account_id AND recipient = k.phone
             ORDER BY id DESC LIMIT $3) m
         WHERE m.sent_at IS NOT NULL AND m.kind <> 'prompt'
         ORDER BY m.account_id, m.recipient, m.kind, m.sent_at DESC, m.id DESC
        """,
        [person[0] for person in people],
        [person[1] for person in people],
        LOOKBACK,
    )
    return [read(row) for row in rows]


async def find_charged(tx: Tx, keys: Sequence[Recipient]) -> set[Recipient]:
    """Those of these people who have had a message that was not refunded."""
    rows = await tx.rows(
        """
        SELECT k.account_id, k.phone FROM unnest($1::uuid[], $2::text[]) AS k (account_id, phone)
         WHERE EXISTS (SELECT FROM messages m WHERE m.account_id = k.account_id
                          AND m.recipient = k.phone AND m.refunded_at IS NULL)
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["phone"]) for row in rows}


async def find_named(
    tx: Tx, account_id: UUID, message_ids: Sequence[UUID]
) -> dict[UUID, tuple[str, str]]:
    """The clientMessageId and the recipient of each, as the caller wrote it."""
    rows = await tx.rows(
        """
        SELECT id, client_message_id, coalesce(recipient_given, recipient) FROM messages
         WHERE account_id = $1 AND id = ANY($2::uuid[])
        """,
        account_id,
        list(message_ids),
    )
    return {row[0]: (row[1], row[2]) for row in rows}
