"""Counts of what is kept of a person, in every table that can hold something (0029-privacy.md)."""

from collections.abc import Sequence
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx

from .model import Kept

# $1: the account, $2: the number
_COUNTS = """
    SELECT 'messages' AS kind, count(*), min(created_at), max(created_at) FROM messages
     WHERE account_id = $1 AND recipient = $2
    UNION ALL
    SELECT 'invitations', count(*), min(m.created_at), max(m.created_at)
      FROM invitations i JOIN messages m ON m.account_id = i.account_id AND m.id = i.message_id
     WHERE i.account_id = $1 AND i.phone = $2
    UNION ALL
    SELECT 'replies', count(*), min(at), max(at) FROM inbound WHERE account_id = $1 AND phone = $2
    UNION ALL
    SELECT 'readings', count(*), min(replied_at), max(replied_at) FROM kept_readings
     WHERE account_id = $1 AND phone = $2
    UNION ALL
    SELECT 'files', count(*), min(f.received_at), max(f.received_at)
      FROM inbound i JOIN inbound_media f USING (account_id, platform_id)
     WHERE i.account_id = $1 AND i.phone = $2
    UNION ALL
    SELECT 'forms', count(*), min(created_at), max(created_at) FROM form_sends
     WHERE account_id = $1 AND phone = $2
    UNION ALL
    SELECT 'answers', count(*), min(a.at), max(a.at)
      FROM form_sends s JOIN form_answers a ON a.account_id = s.account_id AND a.send_id = s.id
     WHERE s.account_id = $1 AND s.phone = $2
    UNION ALL
    SELECT 'conversations', count(*), min(last_inbound_at), max(last_inbound_at)
      FROM conversations WHERE account_id = $1 AND phone = $2
    UNION ALL
    SELECT 'contact', count(*), min(delivered_at), max(delivered_at) FROM contacts
     WHERE account_id = $1 AND phone = $2 AND (opted_out_at IS NULL OR number IS NOT NULL)
    UNION ALL
    SELECT 'charges', count(*), min(c.at), max(c.at)
      FROM messages m JOIN charges c ON c.account_id = m.account_id AND c.message_id = m.id
     WHERE m.account_id = $1 AND m.recipient = $2
    UNION ALL
    SELECT 'optout', count(*), min(opted_out_at), max(opted_out_at) FROM contacts
     WHERE account_id = $1 AND phone = $2 AND opted_out_at IS NOT NULL
"""
_EVENTS = f"""
    SELECT 'events' AS kind, count(*), min(created_at), max(created_at) FROM (
        SELECT body, created_at FROM webhooks WHERE account_id = $1
         ORDER BY written_by DESC, seq DESC LIMIT {limits.PERSON_EVENTS_SEARCHED_MAX}) AS newest
     WHERE position(convert_to($2, 'UTF8') IN body) > 0
"""


async def count(tx: Tx, account_id: UUID, phone: str) -> Sequence[Kept]:
    rows = [*await tx.rows(_COUNTS, account_id, phone), *await tx.rows(_EVENTS, account_id, phone)]
    return [Kept(*row) for row in rows if row[1]]
