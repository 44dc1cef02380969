"""What `tidings doctor --repair` mends: where a repair is provably safe, and nothing else.

A missing job is safe to add, because its handler looks again whether there is something to do; a
sum is safe to compute again from its rows; an entry that follows from a row is safe to write. Each
statement has its condition in itself and is serialized with other repairs by an advisory lock, so
running it twice, or beside the service, changes nothing that is right.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

from tidings.engine import queue
from tidings.engine.db.tx import Row, Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.batches import parts
from tidings.features.billing.invoices import due
from tidings.features.billing.subscriptions import renew
from tidings.features.messages.read.lookup import find_messages
from tidings.features.messages.send import dispatch
from tidings.features.messages.state import timers
from tidings.features.webhooks import publish
from tidings.features.webhooks.destinations import partition_key

from .batches import BATCHES_TO_COUNT, UPLOADS_WITHOUT_JOB
from .charging import TERMS_WITHOUT_JOB
from .events import TALLIED
from .invoices import INVOICES_WITHOUT_JOB
from .messages import LATE_JOBS, UNFINISHED
from .webhooks import LATE_ATTEMPTS

Repair = Callable[[Tx], Awaitable[list[str]]]  # the ids of what it mended

_WITHOUT_JOB = """NOT EXISTS (SELECT FROM jobs j WHERE j.account_id = {0}.account_id
    AND j.kind = '{1}' AND j.dead_lettered_at IS NULL
    AND {2} = ANY (coalesce(j.subjects, ARRAY[j.subject])))"""
_HAS_NO_SEND = _WITHOUT_JOB.format("m", dispatch.SEND, "replace(m.id::text, '-', '')")
_JOBLESS = f"""
    WITH sends AS MATERIALIZED (
        SELECT account_id, unnest(coalesce(subjects, ARRAY[subject]))::uuid AS id FROM jobs
         WHERE kind = '{dispatch.SEND}' AND dead_lettered_at IS NULL)
    SELECT m.account_id, m.id FROM messages m LEFT JOIN sends s USING (account_id, id)
     WHERE m.status IN {UNFINISHED} AND s.id IS NULL
"""
_LOCK = f"""
    SELECT m.account_id, m.id FROM messages m
     WHERE (m.account_id, m.id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
       AND m.status IN {UNFINISHED} AND {_HAS_NO_SEND}
     ORDER BY m.account_id, m.id FOR UPDATE
"""
_LEFT_OVER = f"""
    DELETE FROM jobs j WHERE j.kind = '{dispatch.SEND}' AND NOT j.leased AND j.subjects IS NULL
       AND j.dead_lettered_at IS NULL AND NOT EXISTS (SELECT FROM messages m
            WHERE m.account_id = j.account_id AND m.id = j.subject::uuid
              AND m.status IN {UNFINISHED})
    RETURNING j.subject
"""


async def add_sends(tx: Tx) -> list[str]:
    """A job for each message that waits without one; and jobs of messages that have ended go."""
    gone = [row["subject"] for row in await tx.rows(_LEFT_OVER)]
    found = await tx.rows(_JOBLESS)
    locked = await tx.rows(
        _LOCK, [row["account_id"] for row in found], [row["id"] for row in found]
    )
    accounts = await load_accounts(tx, {row["account_id"] for row in locked})
    messages = await find_messages(tx, [(row["account_id"], row["id"]) for row in locked])
    jobs = [
        NewJob(
            message.account_id, dispatch.pool_of(message), dispatch.SEND, message.id.hex,
            dispatch.due_at(message, accounts[message.account_id], tx.now),
            accounts[message.account_id].clock, dispatch.priority_of(message),
        )
        for message in messages.values()
    ]  # fmt: skip
    await queue.enqueue(tx, jobs)
    return gone + [str(message.id) for message in messages.values()]


# The attempts of the cycle go on where they were; a webhook that has had all six is left alone.
_UNPOSTED = f"""
    SELECT w.account_id, w.id, coalesce(w.url, c.url, a.webhook_url) AS url, a.webhook_url,
           coalesce((SELECT max((x->>'attempt')::int) FROM jsonb_array_elements(w.attempts) x
                      WHERE (x->>'cycle')::int = w.cycle), 0) AS attempts
      FROM webhooks w JOIN accounts a ON a.id = w.account_id
      LEFT JOIN callback_urls c ON c.account_id = w.account_id AND c.event_id = w.event_id
     WHERE w.state = 'pending' AND (w.account_id, w.id) NOT IN (
        SELECT account_id, unnest(coalesce(subjects, ARRAY[subject])) FROM jobs
         WHERE kind = '{publish.DELIVER}' AND dead_lettered_at IS NULL)
       FOR UPDATE OF w
"""
_POST = f"""
    INSERT INTO jobs (account_id, pool, kind, subject, due_at, clock_ms, partition_key, attempts,
                      generation)
    SELECT u.account_id, '{publish.POOL}', '{publish.DELIVER}', u.id, $1, a.clock_ms, u.key,
           u.attempts, u.attempts
      FROM unnest($2::uuid[], $3::text[], $4::text[], $5::int[])
           AS u (account_id, id, key, attempts)
      JOIN accounts a ON a.id = u.account_id
"""
_ATTEMPTS_LEFT = 5


async def add_posts(tx: Tx) -> list[str]:
    """A job for each webhook that is owed without one."""
    found = [row for row in await tx.rows(_UNPOSTED) if row["attempts"] <= _ATTEMPTS_LEFT]
    if found:
        await tx.run(
            _POST,
            tx.now,
            [row["account_id"] for row in found],
            [row["id"] for row in found],
            [partition_key(row["webhook_url"], row["url"]) for row in found],
            [row["attempts"] for row in found],
        )
        tx.wake(publish.POOL)
    return [row["id"] for row in found]


async def add_counts(tx: Tx) -> list[str]:
    """A job that counts each batch whose messages are all processed."""
    return await _add_jobs(tx, BATCHES_TO_COUNT, timers.BATCH_MOVED, timers.BATCH_MOVED)


async def add_parts(tx: Tx) -> list[str]:
    """A job for each upload with rows that are still to be accepted."""
    return await _add_jobs(tx, UPLOADS_WITHOUT_JOB, parts.KIND, parts.KIND)


async def watch_invoices(tx: Tx) -> list[str]:
    """A job that looks when the account's open invoices fall due."""
    return await _add_jobs(tx, INVOICES_WITHOUT_JOB, due.DUE)


async def watch_terms(tx: Tx) -> list[str]:
    """A job that looks when the account's terms end."""
    return await _add_jobs(tx, TERMS_WITHOUT_JOB, renew.TERM)


async def _add_jobs(tx: Tx, query: str, kind: str, prefix: str | None = None) -> list[str]:
    """Timers with a unique key, due now: of each there is one at most. `prefix`: of keys that name
    what the job is about; without one it is about the account."""
    found = await tx.rows(query)
    accounts = await load_accounts(tx, {row["account_id"] for row in found})
    jobs = [_timer(tx, row, accounts[row["account_id"]].clock, kind, prefix) for row in found]
    await queue.enqueue(tx, jobs)
    return [str(row["id"]) for row in found]


def _timer(tx: Tx, row: Row, clock: timedelta, kind: str, prefix: str | None) -> NewJob:
    about: UUID = row["id"]
    subject, key = (kind, kind) if prefix is None else (about.hex, f"{prefix}:{about.hex}")
    return NewJob(row["account_id"], timers.POOL, kind, subject, tx.now, clock, unique_key=key)


async def hasten(tx: Tx) -> list[str]:
    """Jobs that are due too late are due now: their handlers look at the time themselves."""
    moved = []
    for which in (LATE_JOBS, LATE_ATTEMPTS):
        rows = await tx.rows(
            f"""
            UPDATE jobs SET due_at = $1 WHERE id IN ({which}) AND NOT leased
               AND dead_lettered_at IS NULL AND due_at > $1 RETURNING pool, subject
            """,
            tx.now,
        )
        for pool in {row["pool"] for row in rows}:
            tx.wake(pool)
        moved += [row["subject"] for row in rows]
    return moved


def _statements(*statements: str) -> Repair:
    """Statements that return the ids of what they changed, each seeing what the ones before did."""

    async def run(tx: Tx) -> list[str]:
        return [
            str(row[0]) for statement in statements for row in await tx.rows(statement) if len(row)
        ]

    return run


REPAIRS: dict[str, Repair] = {
    "jobs of messages": add_sends,
    "jobs of webhooks": add_posts,
    "due times of jobs": hasten,
    "progress of batches": add_counts,
    "rows of uploads": add_parts,
    "jobs of invoices": watch_invoices,
    "jobs of terms": watch_terms,
    "list of lost messages": _statements(
        """
        INSERT INTO lost_messages (account_id, message_id, status)
        SELECT account_id, id, status FROM messages
         WHERE status IN ('failed', 'expired', 'cancelled')
            ON CONFLICT DO NOTHING RETURNING message_id
        """
    ),
    "platform ids": _statements(
        """
        INSERT INTO platform_ids (account_id, message_id, platform_id)
        SELECT account_id, id, platform_id FROM messages WHERE platform_id IS NOT NULL
            ON CONFLICT DO NOTHING RETURNING message_id
        """
    ),
    "form figures": _statements(
        # Nobody writes rows meanwhile, so that rows and sums belong together.
        "LOCK TABLE form_sends, form_answers IN SHARE ROW EXCLUSIVE MODE",
        """
        INSERT INTO form_counts AS c (account_id, form_id, version, sent, answered)
        SELECT account_id, form_id, version, count(*) FILTER (WHERE counted), count(answered_at)
          FROM form_sends GROUP BY account_id, form_id, version
            ON CONFLICT (account_id, form_id, version) DO UPDATE
           SET sent = greatest(c.sent, excluded.sent),
               answered = greatest(c.answered, excluded.answered)
         WHERE c.sent < excluded.sent OR c.answered < excluded.answered
        RETURNING account_id || ' ' || form_id || '@' || version
        """,
        f"""
        INSERT INTO form_tallies AS t (account_id, form_id, question_id, choice, people) {TALLIED}
            ON CONFLICT (account_id, form_id, question_id, choice) DO UPDATE
           SET people = excluded.people WHERE t.people < excluded.people
        RETURNING account_id || ' ' || form_id || ' ' || question_id
        """,
    ),
    "kept passcodes": _statements(
        f"""
        DELETE FROM vault v WHERE NOT EXISTS (SELECT FROM messages m
                WHERE m.account_id = v.account_id AND m.id = v.subject::uuid AND m.kind = 'otp'
                  AND m.status IN {UNFINISHED})
        RETURNING subject
        """
    ),
    "callback URLs": _statements(
        """
        DELETE FROM callback_urls c WHERE NOT EXISTS (SELECT FROM events e
                WHERE e.account_id = c.account_id AND e.event_id = c.event_id)
        RETURNING event_id
        """,
        """
        INSERT INTO callback_urls AS c (account_id, event_id, url)
        SELECT account_id, event_id, callback_url FROM events ORDER BY 1, 2 FOR SHARE
            ON CONFLICT (account_id, event_id) DO UPDATE SET url = excluded.url
         WHERE c.url <> excluded.url RETURNING event_id
        """,
    ),
    "storage": _statements(
        # Whoever adds or removes a file locks its account's row first, as this does.
        """
        INSERT INTO media_storage AS s (account_id, bytes)
        SELECT DISTINCT account_id, 0 FROM media ORDER BY 1 ON CONFLICT DO NOTHING
        """,
        "SELECT FROM media_storage ORDER BY account_id FOR UPDATE",
        """
        UPDATE media_storage s SET bytes = m.bytes FROM (
            SELECT k.account_id, coalesce(sum(f.bytes), 0) AS bytes
              FROM media_storage k LEFT JOIN media f USING (account_id) GROUP BY k.account_id) m
         WHERE s.account_id = m.account_id AND s.bytes <> m.bytes RETURNING s.account_id
        """,
    ),
    "sequences": _statements(
        *(
            f"""
            SELECT '{table}', setval('{table}_id_seq', id) FROM (SELECT max(id) AS id FROM {table})
                   t WHERE id > (SELECT last_value FROM {table}_id_seq)
            """
            for table in ("jobs", "number_changes", "callback_dead_letters")
        )
    ),
}
