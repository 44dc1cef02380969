"""The table `invitations`. The only file that writes it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Row, Tx

from .model import Invitation, Unclear, Unsent

Key = tuple[UUID, UUID]  # account, message
Guest = tuple[UUID, str]  # account, phone

_COLUMNS = tuple(Invitation.__struct_fields__)
_SHARED = ("answer", "guests", "answered_at", "confidence")
_SELECTED = ", ".join(
    (
        *(f"i.{column}" for column in _COLUMNS),
        *(f"s.{column} AS event_{column}" for column in _SHARED),
    )
)
# The guest's last answer to the event. It is written to every invitation that the reply found, but
# one accepted concurrently may have missed it.
_ANSWERED = """
    LEFT JOIN LATERAL (
        SELECT answer, guests, answered_at, confidence FROM invitations
         WHERE account_id = i.account_id AND event_id = i.event_id AND phone = i.phone
           AND answered_at IS NOT NULL
         ORDER BY answered_at DESC LIMIT 1) s ON i.event_id IS NOT NULL
"""

_decode_unclear = msgspec.json.Decoder(Unclear).decode
_encode = msgspec.json.Encoder().encode


def _read(row: Row) -> Invitation:
    invitation = Invitation(*(row[column] for column in _COLUMNS))
    invitation.unclear = None if row["unclear"] is None else _decode_unclear(row["unclear"])
    given, own = row["event_answered_at"], invitation.answered_at
    # After waiting for a lock PostgreSQL rereads the row, but not what is joined to it.
    if given is not None and (own is None or given > own):
        for column in _SHARED:
            setattr(invitation, column, row[f"event_{column}"])
    return invitation


async def insert(tx: Tx, invitations: Sequence[Invitation]) -> None:
    await tx.run(
        """
        INSERT INTO invitations (account_id, message_id, phone, event_id, expires_at,
                                 ends_with_event, lost)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[],
                             $6::bool[], $7::bool[])
        """,
        [each.account_id for each in invitations],
        [each.message_id for each in invitations],
        [each.phone for each in invitations],
        [each.event_id for each in invitations],
        [each.expires_at for each in invitations],
        [each.ends_with_event for each in invitations],
        [each.lost for each in invitations],
    )


async def mark(tx: Tx, outcomes: Sequence[tuple[Key, datetime | None, bool]]) -> None:
    """The outcome of their messages: (key, when it was sent, whether it is lost)."""
    await tx.run(
        """
        WITH outcome AS (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bool[])
                   AS o (account_id, message_id, sent_at, lost)
        ), held AS (
            SELECT i.account_id, i.message_id, o.sent_at, o.lost
              FROM invitations i JOIN outcome o USING (account_id, message_id)
             WHERE i.lost <> o.lost OR (i.sent_at IS NULL AND o.sent_at IS NOT NULL)
             ORDER BY i.account_id, i.message_id FOR UPDATE OF i
        )
        UPDATE invitations i SET sent_at = coalesce(i.sent_at, h.sent_at), lost = h.lost
          FROM held h WHERE (i.account_id, i.message_id) = (h.account_id, h.message_id)
        """,
        [key[0] for key, _, _ in outcomes],
        [key[1] for key, _, _ in outcomes],
        [sent_at for _, sent_at, _ in outcomes],
        [lost for _, _, lost in outcomes],
    )


async def lock_of_guests(tx: Tx, guests: Sequence[Guest], most: int) -> list[Invitation]:
    """The `most` invitations of each guest that end last, ended or not; locked until commit, in
    key order."""
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM invitations i {_ANSWERED}
         WHERE (i.account_id, i.message_id) IN (
            SELECT k.account_id, r.message_id
              FROM unnest($1::uuid[], $2::text[]) AS k (account_id, phone)
             CROSS JOIN LATERAL (
                SELECT message_id FROM invitations
                 WHERE account_id = k.account_id AND phone = k.phone
                 ORDER BY expires_at DESC LIMIT $3) r)
         ORDER BY i.account_id, i.message_id FOR UPDATE OF i
        """,
        [guest[0] for guest in guests],
        [guest[1] for guest in guests],
        most,
    )
    return [_read(row) for row in rows]


async def lock(tx: Tx, keys: Sequence[Key]) -> dict[Key, Invitation]:
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM invitations i {_ANSWERED}
         WHERE (i.account_id, i.message_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
         ORDER BY i.account_id, i.message_id FOR UPDATE OF i
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["message_id"]): _read(row) for row in rows}


async def lock_of_event(tx: Tx, account_id: UUID, event_id: str, phone: str) -> list[Invitation]:
    """The invitations of a guest to an event, oldest first; locked until commit, in key order."""
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM invitations i {_ANSWERED}
         WHERE i.account_id = $1 AND i.event_id = $2 AND i.phone = $3
         ORDER BY i.account_id, i.message_id FOR UPDATE OF i
        """,
        account_id,
        event_id,
        phone,
    )
    return [_read(row) for row in rows]


async def find(tx: Tx, keys: Sequence[Key]) -> dict[Key, Invitation]:
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, message_id)
          JOIN invitations i USING (account_id, message_id) {_ANSWERED}
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["message_id"]): _read(row) for row in rows}


_CHANGING = {
    "answer": "text",
    "guests": "int",
    "answered_at": "timestamptz",
    "unclear": "jsonb",
    "said_invalid": "bool",
    "said_nudge": "bool",
    "said_expired": "bool",
    "unresolved": "bool",
    "late": "bool",
    "confidence": "real",
    "reply_text": "text",
    "replied_at": "timestamptz",
}
_ARRAYS = ", ".join(f"${index}::{kind}[]" for index, kind in enumerate(_CHANGING.values(), start=3))
_UPDATE = f"""
    UPDATE invitations i SET {", ".join(f"{name} = v.{name}" for name in _CHANGING)}
      FROM unnest($1::uuid[], $2::uuid[], {_ARRAYS})
           AS v (account_id, message_id, {", ".join(_CHANGING)})
     WHERE i.account_id = v.account_id AND i.message_id = v.message_id
"""


async def save(tx: Tx, invitations: Sequence[Invitation]) -> None:
    """Write changes by replies and timers. The rows are locked in this transaction."""
    if invitations:
        await tx.run(
            _UPDATE,
            [each.account_id for each in invitations],
            [each.message_id for each in invitations],
            *(_column(invitations, name) for name in _CHANGING),
        )


def _column(invitations: Sequence[Invitation], name: str) -> list[Any]:
    values = [getattr(each, name) for each in invitations]
    if name == "unclear":
        return [None if value is None else _encode(value).decode() for value in values]
    return values


# The ends of an event's invitations


async def move_ends(tx: Tx, account_id: UUID, event_id: str, end: datetime, now: datetime) -> int:
    """Set the end of the open invitations that take theirs from the event; how many there were.

    The rows are locked in the order of their keys, as everywhere.
    """
    return await tx.run(
        """
        WITH open AS (
            SELECT message_id FROM invitations
             WHERE account_id = $1 AND event_id = $2 AND expires_at > $4
               AND ends_with_event
             ORDER BY message_id FOR UPDATE
        )
        UPDATE invitations i SET expires_at = $3 FROM open o
         WHERE i.account_id = $1 AND i.message_id = o.message_id
        """,
        account_id,
        event_id,
        end,
        now,
    )


async def find_unsent(tx: Tx, account_id: UUID, event_id: str) -> list[Unsent]:
    rows = await tx.rows(
        """
        SELECT message_id, expires_at FROM invitations
         WHERE account_id = $1 AND event_id = $2 AND sent_at IS NULL AND NOT lost
        """,
        account_id,
        event_id,
    )
    return [Unsent(**row) for row in rows]


async def find_unclear(tx: Tx, account_id: UUID, event_id: str) -> list[UUID]:
    """Those with a reply that was not understood: guest.unresolved may still be published."""
    rows = await tx.rows(
        """
        SELECT message_id FROM invitations
         WHERE account_id = $1 AND event_id = $2
           AND unclear IS NOT NULL AND answer IS NULL AND NOT unresolved
        """,
        account_id,
        event_id,
    )
    return [row["message_id"] for row in rows]
