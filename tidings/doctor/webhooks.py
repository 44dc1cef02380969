"""Invariants of webhooks: I23 to I27."""

from tidings import limits

from .model import Check, Invariant, each_row, interval, one

_WAITS = ", ".join(f"{wait.total_seconds():.0f}" for wait in limits.WEBHOOK_ATTEMPT_WAITS)
_LONGEST = limits.WEBHOOK_ATTEMPT_WAITS[-1] + limits.JOB_LEASE + limits.WEBHOOK_ORDER_WAIT
_MAX = limits.WEBHOOK_ATTEMPTS_MAX
# The first ids of a time; a webhook may have been made by a process whose clock is a little behind.
_FIRST = """(SELECT lpad(to_hex((extract(epoch FROM $1::timestamptz - interval '{0}')
    * 1000)::bigint), 12, '0') || repeat('0', 20))"""
_FIRST_WEBHOOK = f"'whk_' || {_FIRST.format('1 day 1 minute')}"
_OWED = """
    SELECT account_id, s.subject, max(due_at) AS due_at
      FROM jobs CROSS JOIN LATERAL unnest(coalesce(subjects, ARRAY[subject])) AS s (subject)
     WHERE kind = 'webhook.deliver' AND dead_lettered_at IS NULL GROUP BY 1, 2
"""
_CYCLE = """
    (SELECT count(*) AS n, max((x->>'attempt')::int) AS last,
            count(DISTINCT x->>'attempt') AS numbers,
            count(*) FILTER (WHERE (x->>'status')::int BETWEEN 200 AND 299) AS good
       FROM jsonb_array_elements(w.attempts) x WHERE (x->>'cycle')::int = w.cycle)
"""
_GAVE_UP = """EXISTS (SELECT FROM jobs j WHERE j.account_id = w.account_id AND j.subject = w.id
    AND j.dead_lettered_at IS NOT NULL)"""
_HEAD = """'{"id":"' || w.id || '","type":"' || w.type || '",'"""
_OF = """'","environment":"' || a.environment || '","accountId":"acc_'
    || replace(w.account_id::text, '-', '') || '"'"""

# Posts that failed, one after another in a cycle: the next is not before its time.
_TOO_SOON = f"""
    SELECT w.id FROM webhooks w CROSS JOIN LATERAL (
        SELECT (x->>'cycle')::int AS cycle, (x->>'attempt')::int AS attempt,
               (x->>'at')::timestamptz AS at,
               lag((x->>'at')::timestamptz) OVER n AS at_before,
               lag((x->>'attempt')::int) OVER n AS attempt_before
          FROM jsonb_array_elements(w.attempts) WITH ORDINALITY AS e (x, place)
        WINDOW n AS (PARTITION BY x->>'cycle' ORDER BY place)) s
     WHERE jsonb_array_length(w.attempts) > 1 AND s.attempt = s.attempt_before + 1
       AND s.at < s.at_before + (ARRAY[{_WAITS}])[s.attempt] * interval '1 second'
           - interval '2 seconds'
     GROUP BY w.account_id, w.id
"""

# For the repair: jobs that are due later than any wait.
LATE_ATTEMPTS = f"""
    SELECT id FROM jobs WHERE kind = 'webhook.deliver' AND subjects IS NULL
       AND due_at > $1::timestamptz + {interval(_LONGEST)}
"""

CHECKS: tuple[Check, ...] = (
    each_row(
        "webhooks w LEFT JOIN accounts a ON a.id = w.account_id"
        f" LEFT JOIN LATERAL {_CYCLE} c ON w.attempts <> '[]'",
        "w.id",
        [
            (
                Invariant(
                    "I23",
                    "attempts of a webhook",
                    "at most six attempts a cycle, each with a number of its own; failed means six"
                    " without success",
                ),
                # An attempt of a worker that stood still is taken for lost; its success counts.
                f"c.numbers > {_MAX} OR c.last > {_MAX} OR c.good > 1"
                " OR c.numbers < c.n - (c.good = 1)::int"
                " OR (w.state = 'failed' AND c.good > 0)"
                f" OR (w.state = 'failed' AND c.last IS DISTINCT FROM {_MAX} AND NOT {_GAVE_UP})"
                " OR (w.state = 'failed') <> (w.failed_at IS NOT NULL)"
                " OR (w.state = 'delivered' AND c.good IS DISTINCT FROM 1)",
            ),
            (
                Invariant(
                    "I25",
                    "body of a webhook",
                    "the bytes that are posted name the webhook's own id, type and account",
                ),
                f"substring(w.body FROM 1 FOR octet_length({_HEAD})) <> convert_to({_HEAD}, 'UTF8')"
                f" OR position(convert_to({_OF}, 'UTF8') IN substring(w.body FROM 1 FOR 320)) = 0",
            ),
            (
                Invariant(
                    "I30", "account of a webhook", "a webhook is of an account that there is"
                ),
                "a.id IS NULL",
            ),
        ],
    ),
    one(
        Invariant(
            "I23",
            "time between attempts",
            "an attempt comes no earlier after the one before than the schedule says",
        ),
        _TOO_SOON,
    ),
    one(
        Invariant(
            "I24",
            "owed webhooks",
            "a webhook that is owed has a job",
            mended_by="jobs of webhooks",
        ),
        f"""
        SELECT w.id FROM webhooks w LEFT JOIN ({_OWED}) j
            ON j.account_id = w.account_id AND j.subject = w.id
         WHERE w.state = 'pending' AND j.subject IS NULL
        """,
    ),
    one(
        Invariant(
            "I24",
            "published statuses",
            "a status of a message of the last day is published once",
        ),
        f"""
        SELECT message_id || ' ' || status FROM (
            SELECT account_id, message_id,
                   convert_from(body, 'UTF8')::jsonb #>> '{{data,status}}' AS status
              FROM webhooks
             WHERE type = 'message.status' AND message_id IS NOT NULL AND id >= {_FIRST_WEBHOOK}) p
         WHERE status IS NOT NULL GROUP BY account_id, message_id, status HAVING count(*) > 1
        """,
    ),
    one(
        Invariant(
            "I26", "deferred once", "message.deferred is published once per reason of a message"
        ),
        """
        SELECT message_id::text FROM webhooks
         WHERE type = 'message.deferred' AND message_id IS NOT NULL
         GROUP BY account_id, message_id, convert_from(body, 'UTF8')::jsonb #>> '{data,reason}'
        HAVING count(*) > 1
        """,
    ),
    one(
        Invariant(
            "I27",
            "next attempt",
            "a webhook that is owed is attempted again within the longest wait of the schedule",
            mended_by="due times of jobs",
        ),
        f"""
        SELECT j.subject FROM ({_OWED}) j
         WHERE j.due_at > $1::timestamptz + {interval(_LONGEST)} + interval '1 minute'
        """,
    ),
)
