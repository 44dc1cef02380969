"""Invariants of charges, quotas and what has accrued: I10 to I14."""

from .model import ACCOUNT_NOW, Check, Invariant, each_row, one, quoted

# Of charges that are there, and of those that are gone with their messages.
_ENTRIES = """
    SELECT account_id, subscription_id, term, partner_id, kind, price_micro,
           count(*) FILTER (WHERE entry = 'RESERVE') AS charged,
           count(*) FILTER (WHERE entry = 'REFUND') AS refunded
      FROM charges GROUP BY account_id, subscription_id, term, partner_id, kind, price_micro
     UNION ALL
    SELECT account_id, subscription_id, term, partner_id, kind, price_micro, charged, refunded
      FROM charge_sums
"""
_UNIQUE = """
    SELECT c.account_id, c.message_id, c.subscription_id FROM charges c
     WHERE c.entry = 'RESERVE' AND c.kind = 'UNIQUE' AND NOT EXISTS (
        SELECT FROM charges r WHERE r.account_id = c.account_id
           AND r.message_id = c.message_id AND r.resolves AND r.entry = 'REFUND')
"""

_USED = Invariant(
    "I10", "used quota", "what a subscription has used is the sum of its charges less its refunds"
)
_DAYS = Invariant("I14", "charges of the days", "the days add up to the charges")
_CAPACITY = Invariant(
    "I16",
    "used capacity",
    "the capacity a partner has used is the sum of its accounts' charges less their refunds",
)
_SUMS = Check(
    (_USED, _DAYS, _CAPACITY),
    f"""
    WITH entries AS MATERIALIZED ({_ENTRIES}),
    c AS (
        SELECT account_id, subscription_id, term,
               sum(charged - refunded) FILTER (WHERE kind = 'UNIQUE') AS u,
               sum(charged - refunded) FILTER (WHERE kind = 'FOLLOWUP') AS f
          FROM entries WHERE subscription_id IS NOT NULL
         GROUP BY account_id, subscription_id, term),
    booked AS (
        SELECT account_id, coalesce(subscription_id, 0) AS subscription_id, kind, price_micro,
               sum(charged) AS charged, sum(refunded) AS refunded
          FROM entries GROUP BY 1, 2, 3, 4),
    days AS (
        SELECT account_id, subscription_id, kind, price_micro, sum(charged) AS charged,
               sum(refunded) AS refunded
          FROM usage_days GROUP BY 1, 2, 3, 4),
    capacity AS (
        SELECT partner_id AS account_id, sum(charged - refunded) AS used
          FROM entries WHERE partner_id IS NOT NULL GROUP BY partner_id)
    SELECT {quoted(_USED.title)}, account_id || ' ' || subscription_id || '/' || term
      FROM subscription_terms t FULL JOIN c USING (account_id, subscription_id, term)
     WHERE coalesce(t.unique_used, -1) <> coalesce(c.u, 0)
        OR coalesce(t.followup_used, -1) <> coalesce(c.f, 0)
     UNION ALL
    SELECT {quoted(_DAYS.title)}, account_id || ' ' || subscription_id || ' ' || kind
      FROM booked FULL JOIN days USING (account_id, subscription_id, kind, price_micro)
     WHERE (booked.charged, booked.refunded) IS DISTINCT FROM (days.charged, days.refunded)
     UNION ALL
    SELECT {quoted(_CAPACITY.title)}, account_id::text
      FROM capacity LEFT JOIN partners p USING (account_id)
     WHERE p.capacity_used IS DISTINCT FROM capacity.used
    """,
)

_RESOLVED = each_row(
    """(SELECT account_id, id, charge, refunded_at, delivered_at
          FROM messages WHERE charge IS NOT NULL) m
          LEFT JOIN charges c
            ON c.account_id = m.account_id AND c.message_id = m.id AND NOT c.resolves
          LEFT JOIN charges r
            ON r.account_id = m.account_id AND r.message_id = m.id AND r.resolves""",
    "m.id::text",
    [
        (
            Invariant(
                "I11",
                "reservation",
                "every message that was charged has one reservation of its kind",
            ),
            "m.charge IS DISTINCT FROM c.kind",
        ),
        (
            Invariant(
                "I11",
                "refund of a charge",
                "a charge is refunded where its message is, and only there",
            ),
            "(m.refunded_at IS NOT NULL) <> coalesce(r.entry = 'REFUND', false)",
        ),
        (
            Invariant(
                "I12",
                "settlement",
                "a charge is settled where its message was delivered without having been refunded",
            ),
            "(m.delivered_at IS NOT NULL AND m.refunded_at IS NULL)"
            " <> coalesce(r.entry = 'SETTLE', false)",
        ),
        (
            Invariant(
                "I12",
                "terms of a resolution",
                "what resolves a charge resolves it as it was reserved",
            ),
            "r.entry IS NOT NULL"
            " AND (r.kind, r.price_micro, r.subscription_id, r.term, r.partner_id)"
            " IS DISTINCT FROM (c.kind, c.price_micro, c.subscription_id, c.term, c.partner_id)",
        ),
    ],
)

# For the repair: accounts whose terms nobody closes. The job itself looks whether one is over.
TERMS_WITHOUT_JOB = """
    SELECT DISTINCT s.account_id, s.account_id AS id FROM subscriptions s
     WHERE s.billing_type <> 'PACKAGE' AND NOT EXISTS (SELECT FROM jobs j
            WHERE j.account_id = s.account_id AND j.kind = 'billing.term'
              AND j.dead_lettered_at IS NULL)
"""

CHECKS: tuple[Check, ...] = (
    _SUMS,
    one(
        Invariant("I10", "quota", "no more is used than the quota, where it is enforced"),
        """
        SELECT account_id || ' ' || subscription_id || '/' || term FROM subscription_terms
         WHERE NOT may_exceed AND (unique_used > unique_quota OR followup_used > followup_quota)
        """,
    ),
    _RESOLVED,
    one(
        Invariant("I11", "charge without message", "every charge is of a message that has one"),
        """
        SELECT c.message_id::text FROM charges c WHERE NOT EXISTS (
            SELECT FROM messages m WHERE m.account_id = c.account_id AND m.id = c.message_id
               AND m.charge IS NOT NULL)
        """,
    ),
    one(
        Invariant(
            "I13",
            "unique numbers",
            "a number is taken by its one unique message that was not refunded, and by no other",
        ),
        f"""
        WITH c AS MATERIALIZED ({_UNIQUE}),
        gone AS (
            SELECT n.account_id, n.subscription_id, count(*) AS numbers
              FROM charged_numbers n LEFT JOIN c USING (account_id, message_id)
             WHERE c.message_id IS NULL GROUP BY n.account_id, n.subscription_id),
        sums AS (
            SELECT account_id, subscription_id, sum(charged - refunded) AS numbers
              FROM charge_sums WHERE kind = 'UNIQUE' GROUP BY account_id, subscription_id)
        SELECT c.message_id::text FROM c LEFT JOIN charged_numbers n USING (account_id, message_id)
         WHERE n.subscription_id IS DISTINCT FROM c.subscription_id
         UNION ALL
        SELECT account_id || ' ' || subscription_id
          FROM gone FULL JOIN sums USING (account_id, subscription_id)
         WHERE coalesce(gone.numbers, 0) <> coalesce(sums.numbers, 0)
        """,
    ),
    one(
        Invariant(
            "I14",
            "accrued",
            "what has accrued is the sum of the term's charges less what was refunded in it",
        ),
        """
        WITH d AS (
            SELECT account_id, subscription_id, term,
                   sum((charged - refunded) * price_micro) AS micro
              FROM usage_days WHERE subscription_id > 0
             GROUP BY account_id, subscription_id, term)
        SELECT account_id || ' ' || subscription_id || '/' || term
          FROM subscription_terms t FULL JOIN d USING (account_id, subscription_id, term)
         WHERE coalesce(t.accrued_micro, 0) <> coalesce(d.micro, 0)
        """,
    ),
    one(
        Invariant(
            "I15",
            "end of a month",
            "a month that is over has been closed, and with it what it came to was invoiced",
            mended_by="jobs of terms",
        ),
        f"""
        SELECT s.account_id || ' ' || s.id FROM subscriptions s JOIN accounts a
            ON a.id = s.account_id
         WHERE s.billing_type <> 'PACKAGE'
           AND coalesce(least(s.ends_at, s.ended_at), 'infinity') > {ACCOUNT_NOW}
           AND NOT EXISTS (SELECT FROM jobs j WHERE j.account_id = s.account_id
                              AND j.kind = 'billing.term' AND j.dead_lettered_at IS NULL)
        """,
    ),
)
