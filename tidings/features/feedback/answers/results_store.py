"""The answers to a form: counts and single responses. Read only."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx

from ..model import Value

ChoiceCount = tuple[str, Value, int]  # question, choice, count

_decode = msgspec.json.Decoder(int | str | list[str]).decode


class FilledForm(msgspec.Struct, frozen=True):
    """One submitted form."""

    send_id: UUID
    version: int
    phone: str
    message_id: UUID
    created_at: datetime
    answered_at: datetime
    values: dict[str, Value]  # by question


class Comment(NamedTuple):
    text: str
    at: datetime


async def load_counts(
    tx: Tx, account_id: UUID, form_ids: Sequence[str] | None = None
) -> dict[tuple[str, int], tuple[int, int]]:
    """By form and version: how many were sent, and how many were answered."""
    rows = await tx.rows(
        """
        SELECT form_id, version, sent, answered FROM form_counts
         WHERE account_id = $1 AND ($2::text[] IS NULL OR form_id = ANY($2::text[]))
        """,
        account_id,
        None if form_ids is None else list(form_ids),
    )
    return {(row["form_id"], row["version"]): (row["sent"], row["answered"]) for row in rows}


async def load_tallies(
    tx: Tx, account_id: UUID, form_id: str
) -> tuple[list[ChoiceCount], dict[str, int]]:
    """The count of each rating and option, and by question how many people answered it. A multiple
    choice counts once per chosen option."""
    rows = await tx.rows(
        """
        SELECT question_id, choice, people FROM form_tallies
         WHERE account_id = $1 AND form_id = $2 AND people > 0
        """,
        account_id,
        form_id,
    )
    chosen = [(row[0], _decode(row[1]), row[2]) for row in rows if row["choice"]]
    return chosen, {row[0]: row[2] for row in rows if not row["choice"]}


async def load_comments(
    tx: Tx, account_id: UUID, form_id: str, question_id: str, most: int
) -> list[Comment]:
    """The newest first."""
    rows = await tx.rows(
        """
        SELECT value #>> '{}' AS text, at FROM form_answers
         WHERE account_id = $1 AND form_id = $2 AND question_id = $3 AND type = 'comment'
         ORDER BY at DESC, send_id DESC LIMIT $4
        """,
        account_id,
        form_id,
        question_id,
        most,
    )
    return [Comment(row["text"], row["at"]) for row in rows]


async def load_filled(
    tx: Tx, account_id: UUID, form_id: str, after: tuple[datetime, UUID] | None, size: int
) -> list[FilledForm]:
    """A page of submitted forms, the oldest first; `values` are empty where they were deleted."""
    rows = await tx.rows(
        """
        SELECT s.id, s.version, s.phone, s.message_id, s.created_at, s.answered_at,
               (SELECT coalesce(jsonb_object_agg(a.question_id, a.value), '{}')::text
                  FROM form_answers a WHERE a.account_id = s.account_id AND a.send_id = s.id)
               AS given
          FROM form_sends s
         WHERE s.account_id = $1 AND s.form_id = $2 AND s.answered_at IS NOT NULL
           AND ($3::timestamptz IS NULL OR (s.answered_at, s.id) > ($3, $4::uuid))
         ORDER BY s.answered_at, s.id LIMIT $5
        """,
        account_id,
        form_id,
        *(after or (None, None)),
        size,
    )
    return [
        FilledForm(
            row["id"],
            row["version"],
            row["phone"],
            row["message_id"],
            row["created_at"],
            row["answered_at"],
            _values(row["given"]),
        )
        for row in rows
    ]


def _values(given: str) -> dict[str, Any]:
    return msgspec.json.decode(given, type=dict[str, int | str | list[str]])
