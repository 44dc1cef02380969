"""Invariants of invoices: I15."""

from .model import ACCOUNT_NOW, Check, Invariant, one

# For the repair: accounts with open invoices that nobody watches.
INVOICES_WITHOUT_JOB = """
    SELECT DISTINCT i.account_id, i.account_id AS id FROM invoices i
     WHERE i.status = 'OPEN' AND NOT EXISTS (SELECT FROM jobs j
            WHERE j.account_id = i.account_id AND j.kind = 'invoices.due'
              AND j.dead_lettered_at IS NULL)
"""

CHECKS: tuple[Check, ...] = (
    one(
        Invariant(
            "I15",
            "sums of an invoice",
            "an invoice's lines add up to its subtotal, and VAT rounded once to its total",
        ),
        """
        SELECT i.number FROM invoices i LEFT JOIN (
            SELECT account_id, number, sum(amount_minor) AS subtotal, bool_and(amount_minor
                   = round(unit_price_micro::numeric * quantity / 10000)) AS good
              FROM invoice_lines GROUP BY account_id, number) l USING (account_id, number)
         WHERE NOT l.good OR i.subtotal_minor <> coalesce(l.subtotal, 0)
            OR i.vat_minor <> round(i.subtotal_minor::numeric * i.vat_hundredths / 10000)
            OR i.total_minor <> i.subtotal_minor + i.vat_minor
        """,
    ),
    one(
        Invariant(
            "I15",
            "due invoices",
            "an open invoice is watched until it falls due, and none is overdue before",
            mended_by="jobs of invoices",
        ),
        f"""
        SELECT i.number FROM invoices i JOIN accounts a ON a.id = i.account_id
         WHERE (i.status = 'OVERDUE' AND i.due_at > {ACCOUNT_NOW})
            OR (i.status = 'OPEN' AND NOT EXISTS (SELECT FROM jobs j
                 WHERE j.account_id = i.account_id AND j.kind = 'invoices.due'
                   AND j.dead_lettered_at IS NULL))
        """,
    ),
    one(
        Invariant(
            "I15", "numbers of invoices", "the numbers of a year's invoices run without a gap"
        ),
        """
        SELECT n.account_id || ' ' || w.number FROM invoice_numbers n
         CROSS JOIN LATERAL (SELECT n.year || '-' || lpad(g::text, greatest(4, length(g::text)),
               '0') AS number FROM generate_series(1, n.last) AS g) w
         WHERE NOT EXISTS (SELECT FROM invoices i
                WHERE i.account_id = n.account_id AND i.number = w.number)
        """,
    ),
    one(
        Invariant(
            "I15", "invoice of a term", "the invoice that a closed term names is there, and a term"
            " that is not closed names none",
        ),
        """
        SELECT t.account_id || ' ' || t.subscription_id || '/' || t.term FROM subscription_terms t
          LEFT JOIN invoices i ON i.account_id = t.account_id AND i.number = t.invoice_number
         WHERE t.invoice_number IS NOT NULL AND (i.number IS NULL OR t.closed_at IS NULL)
        """,
    ),
)  # fmt: skip
