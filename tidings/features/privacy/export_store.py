"""Everything that is kept of a person, as JSON, in pages: one query for each kind."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

# Each selects a key that orders its rows, and the row. $1: the account, $2: the number.
_KINDS = {
    "messages": """
        SELECT id::text AS key, json_build_object(
               'clientMessageId', client_message_id, 'kind', kind,
               'to', coalesce(recipient_given, recipient), 'status', status, 'content', content,
               'meta', meta, 'eventId', event_id, 'createdAt', created_at, 'sentAt', sent_at,
               'deliveredAt', delivered_at, 'readAt', read_at, 'sentFrom', number,
               'platformId', platform_id, 'charge', charge, 'refundedAt', refunded_at) AS row
          FROM messages WHERE account_id = $1 AND recipient = $2""",
    "invitations": """
        SELECT message_id::text AS key, json_build_object(
               'eventId', event_id, 'answer', answer, 'guests', guests, 'answeredAt', answered_at,
               'lastReply', reply_text, 'repliedAt', replied_at, 'expiresAt', expires_at) AS row
          FROM invitations WHERE account_id = $1 AND phone = $2""",
    "replies": """
        SELECT platform_id AS key, json_build_object(
               'at', at, 'type', type, 'text', text, 'to', number, 'message', raw) AS row
          FROM inbound WHERE account_id = $1 AND phone = $2""",
    "readings": """
        SELECT event_id || ' ' || replied_at::text AS key, json_build_object(
               'eventId', event_id, 'repliedAt', replied_at, 'text', text, 'language', language,
               'readAs', read_as, 'confidence', confidence, 'answer', answer, 'guests', guests,
               'settledAt', settled_at) AS row
          FROM kept_readings WHERE account_id = $1 AND phone = $2""",
    "files": """
        SELECT i.platform_id AS key, json_build_object(
               'receivedAt', f.received_at, 'type', f.type, 'mimetype', f.mimetype,
               'filename', f.filename) AS row
          FROM inbound i JOIN inbound_media f USING (account_id, platform_id)
         WHERE i.account_id = $1 AND i.phone = $2""",
    "forms": """
        SELECT s.id::text AS key, json_build_object(
               'formId', s.form_id, 'version', s.version, 'sentAt', s.created_at,
               'answeredAt', s.answered_at,
               'answers', (SELECT json_agg(json_build_object(
                                  'questionId', a.question_id, 'value', a.value, 'at', a.at)
                                  ORDER BY a.position)
                             FROM form_answers a
                            WHERE a.account_id = s.account_id AND a.send_id = s.id)) AS row
          FROM form_sends s WHERE s.account_id = $1 AND s.phone = $2""",
    "conversations": """
        SELECT number AS key, json_build_object(
               'with', number, 'lastMessageAt', last_inbound_at) AS row
          FROM conversations WHERE account_id = $1 AND phone = $2""",
    "contact": """
        SELECT phone AS key, json_build_object(
               'number', phone, 'knowsUsBy', number, 'firstDeliveredAt', delivered_at,
               'optedOutAt', opted_out_at, 'optOutSource', opt_source) AS row
          FROM contacts WHERE account_id = $1 AND phone = $2""",
    "charges": """
        SELECT c.message_id::text || c.entry AS key, json_build_object(
               'clientMessageId', m.client_message_id, 'entry', c.entry, 'kind', c.kind,
               'at', c.at) AS row
          FROM messages m JOIN charges c ON c.account_id = m.account_id AND c.message_id = m.id
         WHERE m.account_id = $1 AND m.recipient = $2""",
    "links": """
        SELECT l.code AS key, json_build_object(
               'url', l.url, 'clientMessageId', l.client_message_id, 'clicks', l.clicks,
               'firstClickAt', l.first_click_at, 'lastClickAt', l.last_click_at) AS row
          FROM messages m JOIN links l ON l.account_id = m.account_id
           AND l.client_message_id = m.client_message_id
         WHERE m.account_id = $1 AND m.recipient = $2""",
}
KINDS = tuple(_KINDS)
Page = Sequence[tuple[str, str]]  # key, JSON
Place = tuple[str, int]  # in the order of events: transaction, sequence
FIRST: Place = ("0", 0)


async def load_page(
    tx: Tx, kind: str, account_id: UUID, phone: str, after: str, limit: int
) -> Page:
    """Rows behind the one with the key `after`."""
    rows = await tx.rows(
        f"""
        SELECT key, row::text FROM ({_KINDS[kind]}) AS kept
         WHERE key COLLATE "C" > $3 ORDER BY key COLLATE "C" LIMIT $4
        """,
        account_id,
        phone,
        after,
        limit,
    )
    return [(row[0], row[1]) for row in rows]


async def load_events(
    tx: Tx, account_id: UUID, pattern: str, phone: str, after: Place, scanned: int
) -> tuple[list[str], Place | None]:
    """The bodies of events that name the person, among the next so many; where to go on."""
    rows = await tx.rows(
        """
        SELECT written_by::text, seq,
               CASE WHEN position(convert_to($2, 'UTF8') IN body) > 0
                     AND convert_from(body, 'UTF8') ~ $3 THEN convert_from(body, 'UTF8') END
          FROM webhooks WHERE account_id = $1 AND (written_by, seq) > ($4::text::xid8, $5)
         ORDER BY written_by, seq LIMIT $6
        """,
        account_id,
        phone,
        pattern,
        *after,
        scanned,
    )
    found = [row[2] for row in rows if row[2] is not None]
    return found, (rows[-1][0], rows[-1][1]) if len(rows) == scanned else None
