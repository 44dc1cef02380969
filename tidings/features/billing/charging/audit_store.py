"""Invariants of charging (reliability.md, section 3), checked by `tidings doctor`.

Each query returns the violations, so it must return no rows.
"""

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
      LEFT JOIN charges r ON r.account_id = c.account_id
       AND r.message_id = c.message_id AND r.entry = 'REFUND'
     WHERE c.entry = 'RESERVE' AND c.kind = 'UNIQUE' AND r.entry IS NULL
"""

CHECKS: tuple[tuple[str, str, str], ...] = (
    (
        "I10",
        "what a subscription has used is the sum of its charges less its refunds",
        f"""
        WITH c AS (
            SELECT account_id, subscription_id, term,
                   sum(charged - refunded) FILTER (WHERE kind = 'UNIQUE') AS u,
                   sum(charged - refunded) FILTER (WHERE kind = 'FOLLOWUP') AS f
              FROM ({_ENTRIES}) AS e WHERE subscription_id IS NOT NULL
             GROUP BY account_id, subscription_id, term)
        SELECT account_id || ' ' || subscription_id || '/' || term
          FROM subscription_terms t FULL JOIN c USING (account_id, subscription_id, term)
         WHERE coalesce(t.unique_used, -1) <> coalesce(c.u, 0)
            OR coalesce(t.followup_used, -1) <> coalesce(c.f, 0)
        """,
    ),
    (
        "I10",
        "no more is used than the quota, where it is enforced",
        """
        SELECT account_id || ' ' || subscription_id || '/' || term FROM subscription_terms
         WHERE NOT may_exceed AND (unique_used > unique_quota OR followup_used > followup_quota)
        """,
    ),
    (
        "I11",
        "every message that was charged has one reservation of its kind, and no other has one",
        """
        SELECT coalesce(m.id, c.message_id)::text
          FROM (SELECT account_id, id, charge FROM messages WHERE charge IS NOT NULL) m
          FULL JOIN (SELECT * FROM charges WHERE NOT resolves) c
            ON c.account_id = m.account_id AND c.message_id = m.id
         WHERE m.charge IS DISTINCT FROM c.kind
        """,
    ),
    (
        "I11",
        "a charge is refunded where its message is, and only there",
        """
        SELECT m.id::text FROM messages m LEFT JOIN charges r
            ON r.account_id = m.account_id AND r.message_id = m.id AND r.resolves
         WHERE m.charge IS NOT NULL
           AND (m.refunded_at IS NOT NULL) <> coalesce(r.entry = 'REFUND', false)
        """,
    ),
    (
        "I12",
        "a charge is settled where its message was delivered without having been refunded",
        """
        SELECT m.id::text FROM messages m LEFT JOIN charges r
            ON r.account_id = m.account_id AND r.message_id = m.id AND r.resolves
         WHERE m.charge IS NOT NULL
           AND (m.delivered_at IS NOT NULL AND m.refunded_at IS NULL)
               <> coalesce(r.entry = 'SETTLE', false)
        """,
    ),
    (
        "I12",
        "what resolves a charge resolves one that was reserved, as it was reserved",
        """
        SELECT r.message_id::text FROM charges r LEFT JOIN charges c
            ON c.account_id = r.account_id AND c.message_id = r.message_id AND NOT c.resolves
         WHERE r.resolves AND (r.kind, r.price_micro, r.subscription_id, r.term, r.partner_id)
               IS DISTINCT FROM (c.kind, c.price_micro, c.subscription_id, c.term, c.partner_id)
        """,
    ),
    (
        "I13",
        "a number is taken by its one unique message that was not refunded, and by no other",
        f"""
        WITH c AS ({_UNIQUE}),
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
    (
        "I14",
        "what has accrued is the sum of the term's charges less what was refunded in it",
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
    (
        "I14",
        "the days add up to the charges",
        f"""
        WITH c AS (
            SELECT account_id, coalesce(subscription_id, 0) AS subscription_id, kind, price_micro,
                   sum(charged) AS charged, sum(refunded) AS refunded
              FROM ({_ENTRIES}) AS e GROUP BY 1, 2, 3, 4),
        d AS (
            SELECT account_id, subscription_id, kind, price_micro, sum(charged) AS charged,
                   sum(refunded) AS refunded
              FROM usage_days GROUP BY 1, 2, 3, 4)
        SELECT account_id || ' ' || subscription_id || ' ' || kind
          FROM c FULL JOIN d USING (account_id, subscription_id, kind, price_micro)
         WHERE (c.charged, c.refunded) IS DISTINCT FROM (d.charged, d.refunded)
        """,
    ),
    (
        "I15",
        "a month that is over has been closed, and with it what it came to was invoiced",
        """
        SELECT s.account_id || ' ' || s.id FROM subscriptions s JOIN accounts a
            ON a.id = s.account_id
         WHERE s.billing_type <> 'PACKAGE'
           AND coalesce(least(s.ends_at, s.ended_at), 'infinity')
               > now() + a.clock_ms * interval '0.001 s'
           AND NOT EXISTS (SELECT FROM jobs j WHERE j.account_id = s.account_id
                              AND j.kind = 'billing.term' AND j.dead_lettered_at IS NULL)
        """,
    ),
    (
        "I16",
        "the capacity a partner has used is the sum of its accounts' charges less their refunds",
        f"""
        WITH c AS (
            SELECT partner_id AS account_id, sum(charged - refunded) AS used
              FROM ({_ENTRIES}) AS e WHERE partner_id IS NOT NULL GROUP BY partner_id)
        SELECT account_id::text FROM c LEFT JOIN partners p USING (account_id)
         WHERE p.capacity_used IS DISTINCT FROM c.used
        """,
    ),
)
