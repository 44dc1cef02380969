"""`tidings doctor`: the service's invariants, each a query that must return no rows.

Read-only, in one snapshot. Run it after a crash, a restore or a migration, or hourly.
"""

from dataclasses import dataclass

from tidings import limits
from tidings.engine.db.pool import Database
from tidings.features.billing import audit

SHOWN_MAX = 20


@dataclass(frozen=True, slots=True)
class Invariant:
    id: str  # as in reliability.md, section 3
    says: str
    broken_by: str  # SQL: one text column, one row per violation
    args: tuple[object, ...] = ()


# Messages of dropped months: what belonged to them is deleted in the hours after that.
_DROPPED = "EXISTS (SELECT FROM dropped_months d WHERE {0} >= d.first_id AND {0} < d.end_id)"

INVARIANTS = (
    Invariant(
        "I1",
        "every clientMessageId in use names one of the account's messages",
        """
        SELECT r.client_message_id FROM idempotency_keys r LEFT JOIN messages m
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
          FULL JOIN (SELECT id, account_id, leased, unnest(coalesce(subjects, ARRAY[subject]))
                            AS subject
                       FROM jobs WHERE kind = 'message.send' AND dead_lettered_at IS NULL) j
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
            OR (m.status IN ('scheduled', 'queued', 'deferred')
                AND least(m.deadline, CASE WHEN m.kind = 'invitation' THEN m.expires_at END)
                    < now() + a.clock_ms * interval '1 ms' - interval '5 minutes')
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
         CROSS JOIN LATERAL (SELECT least(
            m.deadline, CASE WHEN m.kind = 'invitation' THEN m.expires_at END) AS send_by) e
         WHERE (m.scheduled_for IS NOT NULL OR e.send_by IS NOT NULL)
           AND s.step->>'status' = 'sending'
           AND ((s.step->>'at')::timestamptz < date_trunc('milliseconds', m.scheduled_for)
                OR (s.step->>'at')::timestamptz > e.send_by)
        """,
    ),
    Invariant(
        "I9",
        "nothing of a sandbox account has ever been at the live platform",
        """
        SELECT a.name FROM accounts a WHERE a.environment = 'sandbox' AND (
            EXISTS (SELECT FROM platform_media p WHERE p.account_id = a.id)
            OR EXISTS (SELECT FROM numbers n WHERE n.account_id = a.id
                          AND (n.fault IS NOT NULL OR n.rate_halvings > 0)))
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
    *(Invariant(*check) for check in audit.CHECKS),
    Invariant(
        "I15",
        "an invoice's lines add up to its subtotal, and VAT rounded once to its total",
        """
        SELECT i.number FROM invoices i CROSS JOIN LATERAL (
            SELECT coalesce(sum(amount_minor), 0) AS subtotal, coalesce(bool_and(amount_minor
                   = round(unit_price_micro::numeric * quantity / 10000)), true) AS good
              FROM invoice_lines l WHERE l.account_id = i.account_id AND l.number = i.number) l
         WHERE NOT l.good OR i.subtotal_minor <> l.subtotal
            OR i.vat_minor <> round(i.subtotal_minor::numeric * i.vat_hundredths / 10000)
            OR i.total_minor <> i.subtotal_minor + i.vat_minor
        """,
    ),
    Invariant(
        "I15",
        "an open invoice is watched until it falls due, and none is overdue before",
        """
        SELECT i.number FROM invoices i JOIN accounts a ON a.id = i.account_id
         WHERE (i.status = 'OVERDUE' AND i.due_at > now() + a.clock_ms * interval '0.001 s')
            OR (i.status = 'OPEN' AND NOT EXISTS (SELECT FROM jobs j
                 WHERE j.account_id = i.account_id AND j.kind = 'invoices.due'
                   AND j.dead_lettered_at IS NULL))
        """,
    ),
    Invariant(
        "I15",
        "the numbers of a year's invoices run without a gap",
        """
        SELECT n.account_id || ' ' || w.number FROM invoice_numbers n
         CROSS JOIN LATERAL (SELECT n.year || '-' || lpad(g::text, greatest(4, length(g::text)),
               '0') AS number FROM generate_series(1, n.last) AS g) w
         WHERE NOT EXISTS (SELECT FROM invoices i
                WHERE i.account_id = n.account_id AND i.number = w.number)
        """,
    ),
    Invariant(
        "I16",
        "a partner's entries run from one without a gap, each with the balance after it",
        """
        SELECT account_id || ' ' || seq FROM (
            SELECT *, lag(seq, 1, 0::bigint) OVER w AS seq_before, lag(at) OVER w AS at_before,
                   lag(balance_after_minor, 1, 0::bigint) OVER w AS balance_before
              FROM partner_ledger WINDOW w AS (PARTITION BY account_id ORDER BY seq)) l
         WHERE seq <> seq_before + 1 OR at < at_before
            OR balance_after_minor <> balance_before + effect_minor
            OR (kind = 'TOPUP' AND balance_after_minor > limit_minor)
        """,
    ),
    Invariant(
        "I16",
        "a partner's debt and capacity are the sums of its entries, and no more is used",
        """
        SELECT p.account_id::text FROM partners p CROSS JOIN LATERAL (
            SELECT count(*) AS entries, coalesce(sum(effect_minor), 0) AS debt,
                   coalesce(sum(messages), 0) AS bought
              FROM partner_ledger l WHERE l.account_id = p.account_id) l
         WHERE (p.entries, p.debt_minor, p.capacity_total)
               IS DISTINCT FROM (l.entries, l.debt, l.bought)
            OR p.capacity_used NOT BETWEEN 0 AND p.capacity_total
        """,
    ),
    Invariant(
        "I16",
        "a transfer is reported once, and confirmed or rejected at most once",
        """
        SELECT coalesce(t.reference, l.reference) FROM partner_transfers t FULL JOIN (
            SELECT account_id, reference,
                   array_agg(amount_minor) FILTER (WHERE kind = 'TRANSFER_REPORTED') AS reported,
                   array_agg(amount_minor) FILTER (WHERE kind = 'TRANSFER_CONFIRMED') AS received,
                   count(*) FILTER (WHERE kind = 'TRANSFER_REJECTED') AS rejected
              FROM partner_ledger WHERE kind LIKE 'TRANSFER%' GROUP BY account_id, reference) l
            ON l.account_id = t.account_id AND l.reference = t.reference
         WHERE t.reference IS NULL OR l.reported IS DISTINCT FROM ARRAY[t.amount_minor]
            OR l.received IS DISTINCT FROM CASE t.status WHEN 'CONFIRMED'
               THEN ARRAY[t.received_minor] END
            OR l.rejected <> (t.status = 'REJECTED')::int
        """,
    ),
    Invariant(
        "I17",
        "all that partners owe is what was sold to them and adjusted, less what was received",
        """
        SELECT currency FROM (
            SELECT currency, debt_minor AS amount FROM partners
            UNION ALL
            SELECT p.currency, CASE l.kind WHEN 'TRANSFER_CONFIRMED' THEN l.amount_minor
                   WHEN 'TOPUP' THEN -l.amount_minor WHEN 'ADJUSTMENT' THEN -l.amount_minor
                   ELSE 0 END
              FROM partner_ledger l JOIN partners p USING (account_id)) both_sides
         GROUP BY currency HAVING sum(amount) <> 0
        """,
    ),
    Invariant(
        "I21",
        "an invitation is its message's: the same guest and event, sent and lost as that is",
        f"""
        SELECT coalesce(i.message_id, m.id)::text FROM invitations i
          FULL JOIN (SELECT * FROM messages WHERE kind = 'invitation' AND expires_at IS NOT NULL) m
            ON m.account_id = i.account_id AND m.id = i.message_id
         WHERE (m.id IS NULL AND NOT {_DROPPED.format("i.message_id")})
            OR (i.message_id IS NULL AND m.status <> 'failed')
            OR i.phone <> m.recipient OR (i.event_id IS DISTINCT FROM m.event_id
            AND i.message_id IS NOT NULL) OR (i.sent_at IS NULL) <> (m.sent_at IS NULL)
            OR i.lost <> (m.status IN ('failed', 'expired', 'cancelled'))
        """,
    ),
    Invariant(
        "I21",
        "a guest hears each text of an event once for an invitation",
        """
        SELECT client_message_id FROM messages WHERE kind = 'prompt'
         GROUP BY account_id, client_message_id HAVING count(*) > 1
        """,
    ),
    Invariant(
        "I30",
        "invitations are to events of their account, whose webhooks go to their callbackUrl",
        """
        SELECT i.message_id::text FROM invitations i WHERE i.event_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM events e WHERE e.account_id = i.account_id AND e.event_id = i.event_id)
        UNION ALL
        SELECT e.event_id FROM events e LEFT JOIN callback_urls c USING (account_id, event_id)
         WHERE c.url IS DISTINCT FROM e.callback_url
        """,
    ),
    Invariant(
        "I20",
        "a form goes to a number once, with a message of its own, and is answered once",
        f"""
        SELECT s.id::text FROM form_sends s LEFT JOIN messages m
            ON m.account_id = s.account_id AND m.id = s.message_id AND m.kind = 'feedback'
           AND m.recipient = s.phone
         WHERE m.id IS NULL AND NOT {_DROPPED.format("s.message_id")}
         UNION ALL
        SELECT m.id::text FROM messages m WHERE m.kind = 'feedback' AND NOT EXISTS (
            SELECT FROM form_sends s WHERE s.account_id = m.account_id AND s.message_id = m.id)
         UNION ALL
        SELECT account_id || ' ' || form_id || ' ' || phone FROM form_sends
         GROUP BY account_id, form_id, phone
        HAVING count(*) FILTER (WHERE NOT freed) > 1 OR count(answered_at) > 1
        """,
    ),
    Invariant(
        "I20",
        "the kept figures of forms are not below what they count",
        """
        SELECT s.account_id || ' ' || s.form_id || '@' || s.version FROM (
            SELECT account_id, form_id, version, count(*) FILTER (WHERE counted) AS sent,
                   count(answered_at) AS answered
              FROM form_sends GROUP BY account_id, form_id, version) AS s
          LEFT JOIN form_counts c USING (account_id, form_id, version)
         WHERE (s.sent <= c.sent AND s.answered <= c.answered) IS NOT TRUE
         UNION ALL
        SELECT a.account_id || ' ' || a.form_id || ' ' || a.question_id FROM (
            SELECT account_id, form_id, question_id, count(*) AS people
              FROM form_answers GROUP BY account_id, form_id, question_id) AS a
          LEFT JOIN form_tallies t USING (account_id, form_id, question_id)
         WHERE t.choice = '' AND a.people > t.people OR t.choice IS NULL
        """,
    ),
    Invariant(
        "I20",
        "feedback.submitted is published once per answered form",
        """
        SELECT w.message_id::text FROM webhooks w
         WHERE w.type = 'feedback.submitted' AND w.message_id IS NOT NULL
         GROUP BY w.account_id, w.message_id
        HAVING count(*) > 1 OR NOT EXISTS (SELECT FROM form_sends s
               WHERE s.account_id = w.account_id AND s.message_id = w.message_id
                 AND s.answered_at IS NOT NULL)
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
            OR (w.state = 'failed' AND c.good > 0)
            OR (w.state = 'failed' AND c.last IS DISTINCT FROM 6 AND NOT EXISTS (
                SELECT FROM jobs j WHERE j.account_id = w.account_id AND j.subject = w.id
                   AND j.dead_lettered_at IS NOT NULL))
            OR (w.state = 'failed') <> (w.failed_at IS NOT NULL)
            OR (w.state = 'delivered' AND c.good <> 1)
        """,
    ),
    Invariant(
        "I24",
        "a webhook that is owed has a job",
        """
        SELECT w.id FROM webhooks w WHERE w.state = 'pending' AND NOT EXISTS (
            SELECT FROM (SELECT account_id, unnest(coalesce(subjects, ARRAY[subject])) AS subject
                           FROM jobs WHERE dead_lettered_at IS NULL) j
             WHERE j.account_id = w.account_id AND j.subject = w.id)
        """,
    ),
    Invariant(
        "I26",
        "message.deferred is published once per reason of a message",
        """
        SELECT message_id::text FROM webhooks
         WHERE type = 'message.deferred' AND message_id IS NOT NULL
         GROUP BY account_id, message_id, convert_from(body, 'UTF8')::jsonb #>> '{data,reason}'
        HAVING count(*) > 1
        """,
    ),
    Invariant(
        "I30",
        "what belongs together belongs to one account",
        f"""
        SELECT w.id FROM webhooks w WHERE w.message_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM messages m WHERE m.account_id = w.account_id AND m.id = w.message_id)
           AND NOT {_DROPPED.format("w.message_id")}
        """,
    ),
    Invariant(
        "I31",
        "a file that the platform holds is one of the account's uploads",
        """
        SELECT p.media_id::text FROM platform_media p WHERE NOT EXISTS (
            SELECT FROM media m WHERE m.account_id = p.account_id AND m.id = p.media_id)
        """,
    ),
    Invariant(
        "I32",
        "every index is valid",
        "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid",
    ),
    Invariant(
        "I33",
        "a file that a message or a request needs is there",
        """
        SELECT u.id::text FROM media_uses u WHERE NOT EXISTS (
            SELECT FROM media m WHERE m.account_id = u.account_id AND m.id = u.media_id)
        """,
    ),
    Invariant(
        "I34",
        "an account's storage is the sum of its files",
        """
        SELECT s.account_id::text FROM media_storage s
         WHERE s.bytes <> (SELECT coalesce(sum(m.bytes), 0) FROM media m
                            WHERE m.account_id = s.account_id)
        """,
    ),
)


async def check(db: Database) -> list[str]:
    """One line per violated invariant, with the ids; empty if all hold."""
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
