"""Erase one person from the tables that hold a number but no message."""

from uuid import UUID

from tidings.engine.db.tx import Tx

Place = tuple[str, int]  # in the order of events: transaction, sequence


async def erase_replies(tx: Tx, account_id: UUID, phone: str, mask: str, limit: int) -> int:
    """That something came stays known, not what; how many, at most `limit`. Their files, which are
    at the platform, can be fetched no more. The platform's id holds the number: its hash stays."""
    return await tx.run(
        """
        WITH found AS (
            SELECT platform_id FROM inbound WHERE account_id = $1 AND phone = $2
             ORDER BY at LIMIT $4 FOR UPDATE),
        files AS (
            DELETE FROM inbound_media f USING found
             WHERE f.account_id = $1 AND f.platform_id = found.platform_id)
        UPDATE inbound i
           SET phone = $3, text = NULL, raw = '{}',
               platform_id = 'erased-' || encode(sha256(convert_to(i.platform_id, 'UTF8')), 'hex')
          FROM found WHERE i.account_id = $1 AND i.platform_id = found.platform_id
        """,
        account_id,
        phone,
        mask,
        limit,
    )


async def drop_readings(tx: Tx, account_id: UUID, phone: str) -> None:
    """Replies kept as examples: without the words nothing is left of them."""
    await tx.run(
        "DELETE FROM kept_readings WHERE account_id = $1 AND phone = $2", account_id, phone
    )


async def erase_contact(tx: Tx, account_id: UUID, phone: str) -> None:
    """An opt-out stays: the refusal must be remembered, or they would be written to again."""
    await tx.run(
        "DELETE FROM conversations WHERE account_id = $1 AND phone = $2", account_id, phone
    )
    await tx.run(
        "DELETE FROM contacts WHERE account_id = $1 AND phone = $2 AND opted_out_at IS NULL",
        account_id,
        phone,
    )
    await tx.run(
        """
        UPDATE contacts SET number = NULL, delivered_at = NULL
         WHERE account_id = $1 AND phone = $2
        """,
        account_id,
        phone,
    )


async def mask_counters(tx: Tx, account_id: UUID, phone: str, mask: str) -> None:
    """What limits and invoices count: the row stays, the number goes."""
    await tx.run(
        "UPDATE unique_recipients SET phone = $3 WHERE account_id = $1 AND phone = $2",
        account_id,
        phone,
        mask,
    )
    await tx.run(
        """
        UPDATE charged_numbers n SET phone = $3 FROM subscriptions s
         WHERE s.account_id = $1 AND n.account_id = $1 AND n.subscription_id = s.id
           AND n.phone = $2
        """,
        account_id,
        phone,
        mask,
    )


async def drop_jobs(tx: Tx, account_id: UUID, pattern: str) -> None:
    """The replies that a simulated guest was about to send."""
    await tx.run(
        """
        DELETE FROM jobs WHERE account_id = $1 AND payload IS NOT NULL AND NOT leased
           AND kind <> 'message.send' AND payload::text ~ $2
        """,
        account_id,
        pattern,
    )


async def drop_events(
    tx: Tx, account_id: UUID, phone: str, pattern: str, after: Place, scanned: int
) -> Place | None:
    """Delete those that name the person among the next so many; where to go on."""
    rows = await tx.rows(
        """
        WITH page AS (
            SELECT id, written_by, seq, body FROM webhooks
             WHERE account_id = $1 AND (written_by, seq) > ($4::text::xid8, $5)
             ORDER BY written_by, seq LIMIT $6),
        gone AS (
            DELETE FROM webhooks w USING page
             WHERE w.account_id = $1 AND w.id = page.id
               AND position(convert_to($2, 'UTF8') IN page.body) > 0
               AND convert_from(page.body, 'UTF8') ~ $3)
        SELECT written_by::text, seq, count(*) OVER () FROM page
         ORDER BY page.written_by DESC, page.seq DESC LIMIT 1
        """,
        account_id,
        phone,
        pattern,
        *after,
        scanned,
    )
    return (rows[0][0], rows[0][1]) if rows and rows[0][2] == scanned else None


async def mask_calls(tx: Tx, account_id: UUID, phone: str, mask: str) -> None:
    """In the log of API calls a number can only stand in an id of the caller's own."""
    await tx.run(
        """
        UPDATE request_log SET body = replace(body, $2, $3), path = replace(path, $2, $3)
         WHERE account_id = $1 AND (position($2 IN body) > 0 OR position($2 IN path) > 0)
        """,
        account_id,
        phone,
        mask,
    )


async def mask_audit(tx: Tx, account_id: UUID, phone: str, mask: str) -> None:
    """Who did what stays; to whom, goes."""
    await tx.run(
        """
        UPDATE audit_log SET subject = replace(subject, $2, $3),
               details = replace(details::text, $2, $3)::jsonb
         WHERE account_id = $1
           AND (position($2 IN subject) > 0 OR position($2 IN details::text) > 0)
        """,
        account_id,
        phone,
        mask,
    )
