"""The tables `form_sends` and `form_answers`. The only file that knows their columns."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Row, Tx

from ..model import Answer, PersonKey, Send, SendKey

_COLUMNS = tuple(Send.__struct_fields__)
_SELECTED = ", ".join(f"s.{column}" for column in _COLUMNS)
_encode = msgspec.json.Encoder().encode


def _read(row: Row) -> Send:
    return Send(*(row[column] for column in _COLUMNS))


async def find_open(tx: Tx, people: Sequence[PersonKey]) -> dict[PersonKey, Send]:
    """The send of a form to a person that was not freed, if any."""
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED}
          FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k (account_id, form_id, phone)
          JOIN form_sends s USING (account_id, form_id, phone) WHERE NOT s.freed
        """,
        *([key[part] for key in people] for part in range(3)),
    )
    return {send.person: send for send in map(_read, rows)}


async def find_of_messages(tx: Tx, keys: Sequence[tuple[UUID, UUID]]) -> dict[UUID, Send]:
    """By message."""
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, message_id)
          JOIN form_sends s USING (account_id, message_id)
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {row["message_id"]: _read(row) for row in rows}


async def find(tx: Tx, keys: Sequence[SendKey]) -> dict[SendKey, Send]:
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
          JOIN form_sends s USING (account_id, id)
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {send.key: send for send in map(_read, rows)}


async def lock_of_people(tx: Tx, people: Sequence[PersonKey]) -> dict[PersonKey, list[Send]]:
    """All sends of these forms to these people, the newest last; locked until commit."""
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM form_sends s
         WHERE (s.account_id, s.phone, s.form_id)
               IN (SELECT * FROM unnest($1::uuid[], $3::text[], $2::text[]))
         ORDER BY s.account_id, s.id FOR UPDATE
        """,
        *([key[part] for key in people] for part in range(3)),
    )
    found: dict[PersonKey, list[Send]] = {}
    for send in map(_read, rows):
        found.setdefault(send.person, []).append(send)
    return found


async def free(tx: Tx, keys: Sequence[SendKey]) -> None:
    """Mark undelivered sends as replaceable: the form may be sent to the number again."""
    await tx.run(
        """
        UPDATE form_sends SET freed = true
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )


async def insert(tx: Tx, sends: Sequence[Send]) -> int:
    """Returns how many were inserted: the unique index allows one open send per form and number."""
    ordered = sorted(sends, key=lambda send: send.person)
    return await tx.run(
        """
        INSERT INTO form_sends (account_id, id, form_id, version, phone, message_id, created_at)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::uuid[],
                             $7::timestamptz[])
        ON CONFLICT (account_id, form_id, phone) WHERE NOT freed DO NOTHING
        """,
        [send.account_id for send in ordered],
        [send.id for send in ordered],
        [send.form_id for send in ordered],
        [send.version for send in ordered],
        [send.phone for send in ordered],
        [send.message_id for send in ordered],
        [send.created_at for send in ordered],
    )


async def mark_answered(tx: Tx, answered: Sequence[tuple[SendKey, datetime]]) -> None:
    await tx.run(
        """
        UPDATE form_sends s SET answered_at = a.at
          FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS a (account_id, id, at)
         WHERE s.account_id = a.account_id AND s.id = a.id
        """,
        [key[0] for key, _ in answered],
        [key[1] for key, _ in answered],
        [at for _, at in answered],
    )


async def insert_answers(tx: Tx, answered: Sequence[tuple[Send, Sequence[Answer]]]) -> None:
    """Questions without an answer get no row."""
    rows = [
        (send, position, answer)
        for send, answers in answered
        for position, answer in enumerate(answers)
        if answer.value is not None
    ]
    if rows:
        await tx.run(
            """
            INSERT INTO form_answers (account_id, send_id, position, form_id, version, question_id,
                                      type, value)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::int[],
                                 $6::text[], $7::text[], $8::jsonb[])
            """,
            [send.account_id for send, _, _ in rows],
            [send.id for send, _, _ in rows],
            [position for _, position, _ in rows],
            [send.form_id for send, _, _ in rows],
            [send.version for send, _, _ in rows],
            [answer.question.id for _, _, answer in rows],
            [answer.question.type for _, _, answer in rows],
            [_encode(answer.value).decode() for _, _, answer in rows],
        )


async def forget(tx: Tx, account_id: UUID, phone: str) -> int:
    """Delete all form answers of a person; returns from how many forms. `answered_at` is kept."""
    rows = await tx.rows(
        """
        WITH deleted AS (
            DELETE FROM form_answers a USING form_sends s
             WHERE s.account_id = $1 AND s.phone = $2
               AND a.account_id = s.account_id AND a.send_id = s.id
            RETURNING a.send_id)
        SELECT DISTINCT send_id FROM deleted
        """,
        account_id,
        phone,
    )
    return len(rows)
