"""The answers to a form: counts and single responses. Read only."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx

from ..model import Value

ChoiceCount = tuple[str, Value, int]  # question, choice, count

_decode = msgspec.json.Decoder(int | str | list[str]).decode


class FilledForm(msgspec.Struct, frozen=True):
    """One submitted form."""

    version: int
    phone: str
    message_id: UUID
    created_at: datetime
    answered_at: datetime
    values: dict[str, Value]  # by question


async def count_sends(tx: Tx, account_id: UUID) -> dict[tuple[str, int], tuple[int, int]]:
    """By form and version: how many were accepted, and how many were answered."""
    rows = await tx.rows(
        """
        SELECT form_id, version, count(*) FILTER (WHERE NOT freed) AS sent,
               count(answered_at) AS answered
          FROM form_sends WHERE account_id = $1 GROUP BY form_id, version
        """,
        account_id,
    )
    return {(row["form_id"], row["version"]): (row["sent"], row["answered"]) for row in rows}


async def load_unanswered(tx: Tx, account_id: UUID) -> list[tuple[str, int, UUID]]:
    """Form, version and message of the unanswered sends that `count_sends` counts."""
    rows = await tx.rows(
        """
        SELECT form_id, version, message_id FROM form_sends
         WHERE account_id = $1 AND NOT freed AND answered_at IS NULL
        """,
        account_id,
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def count_choices(tx: Tx, account_id: UUID, form_id: str) -> list[ChoiceCount]:
    """The count of each rating and option; a multiple choice counts once per chosen option."""
    rows = await tx.rows(
        """
        SELECT a.question_id, v.value::text AS value, count(*) AS times
          FROM form_answers a
         CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(a.value)
               WHEN 'array' THEN a.value ELSE jsonb_build_array(a.value) END) AS v (value)
         WHERE a.account_id = $1 AND a.form_id = $2 AND a.type <> 'comment'
         GROUP BY a.question_id, v.value
        """,
        account_id,
        form_id,
    )
    return [(row["question_id"], _decode(row["value"]), row["times"]) for row in rows]


async def count_answered(tx: Tx, account_id: UUID, form_id: str) -> dict[str, int]:
    """By question: how many people answered it."""
    rows = await tx.rows(
        """
        SELECT question_id, count(*) AS people FROM form_answers
         WHERE account_id = $1 AND form_id = $2 GROUP BY question_id
        """,
        account_id,
        form_id,
    )
    return {row["question_id"]: row["people"] for row in rows}


async def load_filled(tx: Tx, account_id: UUID, form_id: str) -> Sequence[FilledForm]:
    """Every submitted form, the oldest first, except those whose answers were deleted."""
    rows = await tx.rows(
        """
        SELECT s.version, s.phone, s.message_id, s.created_at, s.answered_at,
               jsonb_object_agg(a.question_id, a.value)::text AS given
          FROM form_sends s JOIN form_answers a ON a.account_id = s.account_id AND a.send_id = s.id
         WHERE s.account_id = $1 AND s.form_id = $2
         GROUP BY s.account_id, s.id ORDER BY s.answered_at, s.id
        """,
        account_id,
        form_id,
    )
    return [
        FilledForm(
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
