"""The guests of an event: one for all invitations of a person to it. Changes nothing.

A list is walked from the newest invitation on, by an index that holds what the filter may find. A
guest stands where the newest of its invitations in that index stands.
"""

from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Row, Tx

from .model import Guest, GuestState

NEWEST = UUID(int=2**128 - 1)  # before the first page

# What the guests of a state have in common, as far as an index knows it.
_ANY = "true"
_KNOWN_BY = {
    GuestState.CONFIRMED: "{i}.answer = 'yes'",
    GuestState.DECLINED: "{i}.answer = 'no'",
    GuestState.UNCLEAR: "{i}.unclear IS NOT NULL",
    GuestState.UNRESOLVED: "{i}.unclear IS NOT NULL",
    GuestState.FAILED: "{i}.lost",
}

# By what the answer, then the opt-out, then the invitations say. `open`: sent and not over.
_STATE = """
    CASE WHEN s.answer = 'yes' THEN 'confirmed'
         WHEN s.answer = 'no' THEN 'declined'
         WHEN k.opted_out_at IS NOT NULL THEN 'opted_out'
         WHEN s.open_unclear THEN 'unclear'
         WHEN s.unclear AND NOT s.open THEN 'unresolved'
         WHEN s.open AND (s.delivered OR s.unclear) THEN 'delivered'
         WHEN s.open OR s.waiting THEN 'invited'
         WHEN n.status IN ('failed', 'cancelled') THEN 'failed'
         ELSE 'expired' END
"""
_GUESTS = f"""
    SELECT p.message_id AS position, p.phone, coalesce(n.recipient_given, n.recipient) AS "to",
           n.client_message_id, {_STATE} AS state, s.expires_at, s.answer, s.guests, s.answered_at,
           s.confidence, s.text, s.replied_at, s.reply_type, s.late
      FROM page p
     CROSS JOIN LATERAL (
        SELECT (array_agg(i.message_id ORDER BY i.message_id DESC))[1] AS newest,
               (array_agg(i.expires_at ORDER BY i.message_id DESC))[1] AS expires_at,
               (array_agg(i.answer ORDER BY i.answered_at DESC NULLS LAST))[1] AS answer,
               (array_agg(i.guests ORDER BY i.answered_at DESC NULLS LAST))[1] AS guests,
               (array_agg(i.confidence ORDER BY i.answered_at DESC NULLS LAST,
                                                i.replied_at DESC NULLS LAST))[1] AS confidence,
               max(i.answered_at) AS answered_at,
               (array_agg(i.reply_text ORDER BY i.replied_at DESC NULLS LAST))[1] AS text,
               (array_agg(i.unclear -> 'data' ->> 'type'
                          ORDER BY i.replied_at DESC NULLS LAST))[1] AS reply_type,
               max(i.replied_at) AS replied_at,
               bool_or(i.late) AS late,
               bool_or(m.delivered_at IS NOT NULL) AS delivered,
               bool_or(o.open) AS open,
               bool_or(i.unclear IS NOT NULL) AS unclear,
               bool_or(o.open AND i.unclear IS NOT NULL) AS open_unclear,
               bool_or(i.sent_at IS NULL AND NOT i.lost AND i.expires_at > $3) AS waiting
          FROM invitations i
          JOIN messages m ON m.account_id = i.account_id AND m.id = i.message_id
         CROSS JOIN LATERAL (
            SELECT i.sent_at IS NOT NULL AND NOT i.lost AND i.expires_at > $3 AS open) o
         WHERE i.account_id = $1 AND i.event_id = $2 AND i.phone = p.phone) s
      JOIN messages n ON n.account_id = $1 AND n.id = s.newest
      LEFT JOIN contacts k ON k.account_id = $1 AND k.phone = p.phone
     ORDER BY p.message_id DESC
"""


def _page(known_by: str) -> str:
    """Of each guest the newest invitation that the index holds. `coalesce` selects the index; LIMIT
    keeps the planner from reading the whole event for each guest where it has no statistics."""
    return f"""
        WITH page AS (
            SELECT c.message_id, c.phone FROM invitations c
             CROSS JOIN LATERAL (
                SELECT o.message_id FROM invitations o
                 WHERE o.account_id = $1 AND o.event_id = $2 AND o.phone = c.phone
                   AND {known_by.format(i="o")}
                 ORDER BY o.message_id DESC LIMIT 1) last
             WHERE c.account_id = $1 AND coalesce(c.event_id, '') = $2 AND c.message_id < $4
               AND {known_by.format(i="c")} AND last.message_id = c.message_id
             ORDER BY c.message_id DESC LIMIT $5
        ) {_GUESTS}
    """


_PAGES = {state: _page(_KNOWN_BY.get(state, _ANY)) for state in GuestState}
_PAGE = _page(_ANY)
_ONE = f"""
    WITH page AS (
        SELECT message_id, phone FROM invitations
         WHERE account_id = $1 AND event_id = $2 AND phone = $4
         ORDER BY message_id DESC LIMIT 1
    ) {_GUESTS}
"""


async def find_page(
    tx: Tx,
    account_id: UUID,
    event_id: str,
    now: datetime,
    *,
    state: GuestState | None,
    before: UUID | None,
    size: int,
) -> list[Guest]:
    """The next guests among whom those of this state are; the caller picks them."""
    statement = _PAGE if state is None else _PAGES[state]
    rows = await tx.rows(statement, account_id, event_id, now, before or NEWEST, size)
    return [_read(row) for row in rows]


async def find(tx: Tx, account_id: UUID, event_id: str, phone: str, now: datetime) -> Guest | None:
    row = await tx.row(_ONE, account_id, event_id, now, phone)
    return None if row is None else _read(row)


def _read(row: Row) -> Guest:
    return Guest(**(dict(row) | {"state": GuestState(row["state"])}))
