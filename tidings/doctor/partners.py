"""Invariants of partners, their ledgers and what they owe: I16 and I17."""

from .model import Check, Invariant, one

CHECKS: tuple[Check, ...] = (
    one(
        Invariant(
            "I16",
            "ledger",
            "a partner's entries run from one without a gap, each with the balance after it",
        ),
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
    one(
        Invariant(
            "I16",
            "debt and capacity",
            "a partner's debt and capacity are the sums of its entries, and no more is used",
        ),
        """
        SELECT p.account_id::text FROM partners p LEFT JOIN (
            SELECT account_id, count(*) AS entries, sum(effect_minor) AS debt,
                   sum(messages) AS bought
              FROM partner_ledger GROUP BY account_id) l USING (account_id)
         WHERE (p.entries, p.debt_minor, p.capacity_total) IS DISTINCT FROM
               (coalesce(l.entries, 0), coalesce(l.debt, 0), coalesce(l.bought, 0))
            OR p.capacity_used NOT BETWEEN 0 AND p.capacity_total
        """,
    ),
    one(
        Invariant(
            "I16",
            "transfers",
            "a transfer is reported once, and confirmed or rejected at most once",
        ),
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
    one(
        Invariant(
            "I17",
            "double entry",
            "all that partners owe is what was sold to them and adjusted, less what was received",
        ),
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
)
