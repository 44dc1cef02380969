"""Invariants of messages: I1 to I9."""

from tidings import limits
from tidings.features.messages.model import Status

from .model import ACCOUNT_NOW, MADE_AT, WORKER_RUNS, Check, Invariant, each_row, interval, one

WAITING = "('scheduled', 'queued', 'deferred')"
UNFINISHED = "('scheduled', 'queued', 'deferred', 'sending')"
REFUNDED = "('failed', 'expired', 'cancelled')"

# The time from which on a waiting message is of no use.
_END = "least(m.deadline, CASE WHEN m.kind = 'invitation' THEN m.expires_at END)"
_LATE = "interval '5 minutes'"
_OVERDUE = f"""
    m.status = 'sending' AND m.unknown_since
        < {ACCOUNT_NOW} - {interval(limits.UNKNOWN_MAX)} - interval '1 hour'
    OR m.status IN {WAITING} AND {_END} < {ACCOUNT_NOW} - {_LATE}
"""
# Jobs that send messages, by the message's id. A group's row may still name members that ended.
_SENDS = """
    SELECT id, account_id, leased, due_at, s.subject::uuid AS message_id
      FROM jobs CROSS JOIN LATERAL unnest(coalesce(subjects, ARRAY[subject])) AS s (subject)
     WHERE kind = 'message.send' AND dead_lettered_at IS NULL
"""
_STEPS = "jsonb_array_elements(m.timeline) AS s (step) WHERE s.step->>'status' = 'sending'"

# Constants, which cost half of what making the same value for each row does.
_STEP = (
    "CASE m.status"
    + "".join(f""" WHEN '{status}' THEN '[{{"status": "{status}"}}]'::jsonb""" for status in Status)
    + " END"
)

_ROWS = each_row(
    "messages m LEFT JOIN accounts a ON a.id = m.account_id",
    "m.id::text",
    [
        (
            Invariant(
                "I2",
                "fault of a failure",
                "a message has an error where it failed, and only there",
            ),
            "(m.status = 'failed') <> (m.error IS NOT NULL)",
        ),
        (
            Invariant("I2", "reason to wait", "only a message that waits has a reason for it"),
            f"m.reason IS NOT NULL AND m.status NOT IN {WAITING}"
            " OR m.reason IS NULL AND m.status = 'deferred'"
            " OR m.unknown_since IS NOT NULL AND m.status <> 'sending'",
        ),
        (
            Invariant(
                "I4",
                "order of statuses",
                "sent, delivered and read come in that order, and the status is the highest of"
                " them",
            ),
            "m.sent_at > m.delivered_at OR m.delivered_at > m.read_at"
            " OR (m.read_at IS NOT NULL AND m.status <> 'read')"
            " OR (m.delivered_at IS NOT NULL AND m.status NOT IN ('delivered', 'read'))"
            " OR (m.status IN ('sent', 'delivered', 'read') AND m.sent_at IS NULL)",
        ),
        (
            Invariant("I4", "timeline", "the timeline has a step for the status"),
            f"NOT m.timeline @> {_STEP}",
        ),
        (
            Invariant(
                "I5", "sent in time", "nothing was handed over before scheduledFor or after its"
                " deadline",
            ),
            f"(m.scheduled_for IS NOT NULL OR {_END} IS NOT NULL) AND EXISTS (SELECT FROM {_STEPS}"
            " AND ((s.step->>'at')::timestamptz < date_trunc('milliseconds', m.scheduled_for)"
            f" OR (s.step->>'at')::timestamptz > {_END}))",
        ),
        (
            Invariant(
                "I7",
                "attempts of a message",
                "attempts are numbered from one, a claim has two at most, and an unknown outcome is"
                " sent again once",
            ),
            "m.resends > 1 OR m.attempts <> '[]' AND ("
            "(m.attempts->-1->>'attempt')::int <> jsonb_array_length(m.attempts)"
            " OR jsonb_array_length(m.attempts) > 2 * m.generation)",
        ),
        (
            Invariant(
                "I11",
                "refund of a message",
                "a message is refunded when it failed, expired or was cancelled, and only then",
            ),
            f"(m.status IN {REFUNDED}) AND m.refunded_at IS NULL"
            f" OR m.status NOT IN {REFUNDED} AND m.refunded_at IS NOT NULL"
            " AND m.delivered_at IS NULL",
        ),
        (
            Invariant(
                "I28", "passcode in a message", "a stored passcode message has no passcode in it"
            ),
            "m.kind = 'otp' AND coalesce(m.content->>'code', '') <> ''",
        ),
        (
            Invariant("I30", "account of a message", "a message is of an account that there is"),
            "a.id IS NULL",
        ),
    ],
)  # fmt: skip

# For the repair: jobs that come too late for their message.
LATE_JOBS = f"""
    SELECT j.id FROM ({_SENDS}) j JOIN messages m
        ON m.account_id = j.account_id AND m.id = j.message_id
      JOIN accounts a ON a.id = m.account_id WHERE {_OVERDUE}
"""

CHECKS: tuple[Check, ...] = (
    one(
        Invariant(
            "I1",
            "keys in use",
            "every clientMessageId in use names one of the account's messages",
        ),
        """
        SELECT r.client_message_id FROM idempotency_keys r LEFT JOIN messages m
            ON m.account_id = r.account_id AND m.id = r.message_id
           AND m.client_message_id = r.client_message_id
         WHERE m.id IS NULL
        """,
    ),
    one(
        Invariant(
            "I1", "one message a key", "a clientMessageId has one message within its 48 hours"
        ),
        f"""
        SELECT r.client_message_id FROM idempotency_keys r JOIN messages m
            ON m.account_id = r.account_id AND m.client_message_id = r.client_message_id
         WHERE m.id <> r.message_id
           AND m.created_at > r.used_at - {interval(limits.IDEMPOTENCY_WINDOW)}
        """,
    ),
    _ROWS,
    one(
        Invariant(
            "I2",
            "job of a message",
            "a message that waits or is being sent has a job, and no other message has one",
            mended_by="jobs of messages",
        ),
        f"""
        SELECT coalesce(m.id, j.message_id)::text
          FROM (SELECT account_id, id, status FROM messages) m FULL JOIN ({_SENDS}) j
            ON j.account_id = m.account_id AND j.message_id = m.id
         WHERE (m.status IN {UNFINISHED}) IS DISTINCT FROM (j.id IS NOT NULL)
           AND (j.id IS NULL OR NOT j.leased) AND m.status IS DISTINCT FROM 'cancelled'
        """,
    ),
    one(
        Invariant(
            "I2",
            "list of lost messages",
            "a message that failed, expired or was cancelled is on the list of these",
            mended_by="list of lost messages",
        ),
        f"""
        SELECT m.id::text FROM messages m
          LEFT JOIN lost_messages l ON l.account_id = m.account_id AND l.message_id = m.id
           AND l.status = m.status
         WHERE m.status IN {REFUNDED} AND l.message_id IS NULL
        """,
    ),
    one(
        Invariant(
            "I3",
            "end of waiting",
            "a job sees to every message that waits past its end, or is unknown for a day",
            mended_by="due times of jobs",
        ),
        f"""
        SELECT m.id::text FROM messages m JOIN accounts a ON a.id = m.account_id
          LEFT JOIN ({_SENDS}) j ON j.account_id = m.account_id AND j.message_id = m.id
         WHERE ({_OVERDUE}) AND (j.due_at <= $1::timestamptz + {interval(limits.JOB_LEASE)})
               IS NOT TRUE
        """,
    ),
    one(
        Invariant(
            "I3",
            "late messages",
            "while workers run, no message is unknown for more than a day, and none waits past its"
            " end by five minutes",
        ),
        f"""
        SELECT m.id::text FROM messages m JOIN accounts a ON a.id = m.account_id
         WHERE ({_OVERDUE}) AND {WORKER_RUNS}
        """,
    ),
    one(
        Invariant("I7", "attempts of a job", "a job has no more attempts than it was claimed"),
        "SELECT id::text FROM jobs WHERE attempts NOT BETWEEN 0 AND generation",
    ),
    one(
        Invariant(
            "I8",
            "opt-outs",
            "whoever has opted out gets no message that was accepted after that, but a passcode",
        ),
        f"""
        SELECT m.id::text FROM contacts c JOIN (
            SELECT account_id, convert_from(body, 'UTF8')::jsonb #>> '{{data,from}}' AS phone,
                   max({MADE_AT.format("id", 5)}) AS at
              FROM webhooks WHERE type = 'guest.opted_out' GROUP BY 1, 2) o
         USING (account_id, phone)
          JOIN messages m ON m.account_id = c.account_id AND m.recipient = c.phone
         WHERE c.opted_out_at IS NOT NULL AND m.kind <> 'otp' AND m.sent_at IS NOT NULL
           AND {MADE_AT.format("m.id", 1)} > o.at + interval '1 minute'
        """,
    ),
    one(
        Invariant(
            "I9",
            "sandbox apart from live",
            "nothing of a sandbox account has ever been at the live platform",
        ),
        """
        SELECT a.name FROM accounts a WHERE a.environment = 'sandbox' AND (
            EXISTS (SELECT FROM platform_media p WHERE p.account_id = a.id)
            OR EXISTS (SELECT FROM numbers n WHERE n.account_id = a.id
                          AND (n.fault IS NOT NULL OR n.rate_halvings > 0)))
        """,
    ),
)
