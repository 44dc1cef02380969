"""`tidings doctor`: the invariants of the house, each one query that must find nothing.

Read-only, in one snapshot; run it after a crash, a restore or a migration, or every hour.
"""

from dataclasses import dataclass

from tidings import limits
from tidings.engine.db.pool import Database

SHOWN_MAX = 20


@dataclass(frozen=True, slots=True)
class Invariant:
    id: str  # of reliability.md, section 3
    says: str
    broken_by: str  # SQL: one text column, a row for each offence
    args: tuple[object, ...] = ()


INVARIANTS = (
    Invariant(
        "I1",
        "every clientMessageId in use names one of the account's messages",
        """
        SELECT r.client_message_id FROM repeats r LEFT JOIN messages m
            ON m.account_id = r.account_id AND m.id = r.message_id
           AND m.client_message_id = r.client_message_id
         WHERE m.id IS NULL
        """,
    ),
    Invariant(
        "I2",
        "a message that waits or is being sent has a job, and no other message has one",
        """
        SELECT coalesce(m.id::text, j.subject) FROM messages m
          FULL JOIN (SELECT * FROM jobs WHERE kind = 'message.send' AND parked_at IS NULL) j
            ON j.account_id = m.account_id AND j.subject = replace(m.id::text, '-', '')
         WHERE (m.status IN ('scheduled', 'queued', 'deferred', 'sending')) IS DISTINCT FROM
               (j.id IS NOT NULL)
           AND (j.id IS NULL OR NOT j.leased) AND m.status IS DISTINCT FROM 'cancelled'
        """,
    ),
    Invariant(
        "I3",
        "no message is unknown for more than a day, none waits past its end by five minutes",
        """
        SELECT m.id::text FROM messages m JOIN accounts a ON a.id = m.account_id
         WHERE (m.status = 'sending' AND m.unknown_since < now() + a.clock_ms
                * interval '1 ms' - $1::interval - interval '1 hour')
            OR (m.status IN ('scheduled', 'queued', 'deferred') AND m.deadline < now()
                + a.clock_ms * interval '1 ms' - interval '5 minutes')
        """.replace("interval '1 ms'", "interval '1 millisecond'"),
        (limits.UNKNOWN_MAX,),
    ),
    Invariant(
        "I4",
        "sent, delivered and read come in that order, and the status is the highest of them",
        """
        SELECT id::text FROM messages
         WHERE sent_at > delivered_at OR delivered_at > read_at
            OR (read_at IS NOT NULL AND status <> 'read')
            OR (delivered_at IS NOT NULL AND status NOT IN ('delivered', 'read'))
            OR (status IN ('sent', 'delivered', 'read') AND sent_at IS NULL)
        """,
    ),
    Invariant(
        "I5",
        "nothing was handed over before scheduledFor or after its deadline",
        """
        SELECT DISTINCT m.id::text FROM messages m
         CROSS JOIN LATERAL jsonb_array_elements(m.timeline) AS s (step)
         WHERE (m.scheduled_for IS NOT NULL OR m.deadline IS NOT NULL)
           AND s.step->>'status' = 'sending'
           AND ((s.step->>'at')::timestamptz < date_trunc('milliseconds', m.scheduled_for)
                OR (s.step->>'at')::timestamptz > m.deadline)
        """,
    ),
    Invariant(
        "I11",
        "a message is refunded when it failed, expired or was cancelled, and only then",
        """
        SELECT id::text FROM messages
         WHERE (status IN ('failed', 'expired', 'cancelled') AND refunded_at IS NULL)
            OR (status NOT IN ('failed', 'expired', 'cancelled') AND refunded_at IS NOT NULL
                AND delivered_at IS NULL)
        """,
    ),
    Invariant(
        "I23",
        "at most six attempts a cycle, numbered from one; failed means six without success",
        """
        SELECT w.id FROM webhooks w CROSS JOIN LATERAL (
            SELECT count(*) AS n, max((a->>'attempt')::int) AS last,
                   count(*) FILTER (WHERE (a->>'status')::int BETWEEN 200 AND 299) AS good
              FROM jsonb_array_elements(w.attempts) a WHERE (a->>'cycle')::int = w.cycle) c
         WHERE c.n > 6 OR c.last > 6 OR c.good > 1
            OR (w.state = 'failed' AND (c.last <> 6 OR c.good > 0))
            OR (w.state = 'delivered' AND c.good <> 1)
        """,
    ),
    Invariant(
        "I24",
        "a webhook that is owed has a job",
        """
        SELECT w.id FROM webhooks w WHERE w.state = 'pending' AND NOT EXISTS (
            SELECT FROM jobs j WHERE j.account_id = w.account_id AND j.subject = w.id)
        """,
    ),
    Invariant(
        "I26",
        "message.deferred is told once for each reason of a message",
        """
        SELECT message_id::text FROM webhooks WHERE type = 'message.deferred'
         GROUP BY account_id, message_id, convert_from(body, 'UTF8')::jsonb #>> '{data,reason}'
        HAVING count(*) > 1
        """,
    ),
    Invariant(
        "I30",
        "what belongs together belongs to one account",
        """
        SELECT w.id FROM webhooks w WHERE w.message_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM messages m WHERE m.account_id = w.account_id AND m.id = w.message_id)
        """,
    ),
    Invariant(
        "I32",
        "every index is valid",
        "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid",
    ),
)


async def check(db: Database) -> list[str]:
    """One line for each broken invariant, with the ids; none where all hold."""
    broken = []
    connection = await db.dedicated()
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            for invariant in INVARIANTS:
                rows = await connection.fetch(invariant.broken_by, *invariant.args)
                if rows:
                    broken.append(_line(invariant, [str(row[0]) for row in rows]))
    finally:
        await connection.close()
    return broken


def _line(invariant: Invariant, offenders: list[str]) -> str:
    shown = ", ".join(offenders[:SHOWN_MAX])
    more = f" and {len(offenders) - SHOWN_MAX} more" if len(offenders) > SHOWN_MAX else ""
    return f"{invariant.id} broken: {invariant.says}: {shown}{more}"
