"""The tables `form_sends` and `form_answers`, and their sums `form_counts` and `form_tallies`, kept
by the same statements. The only file that writes them.

Locks: sends before their sums, so that two transactions never wait for each other.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Row, Tx

from ..model import Answer, PersonKey, Send, SendKey

_COLUMNS = tuple(Send.__struct_fields__)
_SELECTED = ", ".join(f"s.{column}" for column in _COLUMNS)
_encode = msgspec.json.Encoder().encode

# What the answers `given` add to the tallies: each choice, and '' for the question as a whole.
_TALLIED = """
    SELECT account_id, form_id, question_id, choice, count(*) AS people
      FROM (SELECT account_id, form_id, question_id, '' AS choice FROM given
             UNION ALL
            SELECT g.account_id, g.form_id, g.question_id, v.value::text FROM given g
             CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(g.value)
                   WHEN 'array' THEN g.value ELSE jsonb_build_array(g.value) END) AS v (value)
             WHERE g.type <> 'comment') AS c
     GROUP BY account_id, form_id, question_id, choice
     ORDER BY account_id, form_id, question_id, choice
"""


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
        WITH old AS (
            SELECT account_id, id, counted FROM form_sends
             WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
               FOR UPDATE),
        freed AS (
            UPDATE form_sends s SET freed = true, counted = false FROM old
             WHERE s.account_id = old.account_id AND s.id = old.id
            RETURNING s.account_id, s.form_id, s.version, old.counted)
        UPDATE form_counts c SET sent = c.sent - f.sends
          FROM (SELECT account_id, form_id, version, count(*) AS sends FROM freed WHERE counted
                 GROUP BY account_id, form_id, version) AS f
         WHERE (c.account_id, c.form_id, c.version) = (f.account_id, f.form_id, f.version)
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )


async def recount(tx: Tx, failed: Mapping[tuple[UUID, UUID], bool]) -> None:
    """Count the sends of these messages as sent, unless they failed. What was answered has arrived,
    whatever the platform says; what was freed is replaced by another send."""
    await tx.run(
        """
        WITH changed AS (
            UPDATE form_sends s SET counted = NOT f.failed
              FROM unnest($1::uuid[], $2::uuid[], $3::bool[]) AS f (account_id, message_id, failed)
             WHERE s.account_id = f.account_id AND s.message_id = f.message_id
               AND NOT s.freed AND s.answered_at IS NULL AND s.counted = f.failed
            RETURNING s.account_id, s.form_id, s.version, s.counted)
        UPDATE form_counts c SET sent = c.sent + d.sends
          FROM (SELECT account_id, form_id, version,
                       sum(CASE WHEN counted THEN 1 ELSE -1 END) AS sends
                  FROM changed GROUP BY account_id, form_id, version) AS d
         WHERE (c.account_id, c.form_id, c.version) = (d.account_id, d.form_id, d.version)
        """,
        [key[0] for key in failed],
        [key[1] for key in failed],
        list(failed.values()),
    )


async def insert(tx: Tx, sends: Sequence[Send]) -> int:
    """Returns how many were inserted: the unique index allows one open send per form and number."""
    ordered = sorted(sends, key=lambda send: send.person)
    inserted: int = await tx.value(
        """
        WITH new AS (
            INSERT INTO form_sends (account_id, id, form_id, version, phone, message_id, created_at,
                                    counted)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[],
                                 $6::uuid[], $7::timestamptz[], $8::bool[])
            ON CONFLICT (account_id, form_id, phone) WHERE NOT freed DO NOTHING
            RETURNING account_id, form_id, version, counted),
        kept AS (
            INSERT INTO form_counts AS c (account_id, form_id, version, sent)
            SELECT account_id, form_id, version, count(*) FILTER (WHERE counted) FROM new
             GROUP BY account_id, form_id, version ORDER BY account_id, form_id, version
            ON CONFLICT (account_id, form_id, version) DO UPDATE SET sent = c.sent + excluded.sent)
        SELECT count(*) FROM new
        """,
        [send.account_id for send in ordered],
        [send.id for send in ordered],
        [send.form_id for send in ordered],
        [send.version for send in ordered],
        [send.phone for send in ordered],
        [send.message_id for send in ordered],
        [send.created_at for send in ordered],
        [send.counted for send in ordered],
    )
    return inserted


async def mark_answered(tx: Tx, answered: Sequence[tuple[SendKey, datetime]]) -> None:
    """For sends that the transaction has locked. A failed one that was answered has arrived."""
    await tx.run(
        """
        WITH given AS (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
                   AS a (account_id, id, at)),
        old AS (
            SELECT s.account_id, s.form_id, s.version, NOT s.counted AND NOT s.freed AS arrived
              FROM form_sends s JOIN given USING (account_id, id)),
        marked AS (
            UPDATE form_sends s SET answered_at = g.at, counted = s.counted OR NOT s.freed
              FROM given g WHERE s.account_id = g.account_id AND s.id = g.id)
        INSERT INTO form_counts AS c (account_id, form_id, version, sent, answered)
        SELECT account_id, form_id, version, count(*) FILTER (WHERE arrived), count(*) FROM old
         GROUP BY account_id, form_id, version ORDER BY account_id, form_id, version
        ON CONFLICT (account_id, form_id, version) DO UPDATE
           SET sent = c.sent + excluded.sent, answered = c.answered + excluded.answered
        """,
        [key[0] for key, _ in answered],
        [key[1] for key, _ in answered],
        [at for _, at in answered],
    )


async def insert_answers(
    tx: Tx, answered: Sequence[tuple[Send, Sequence[Answer], datetime]]
) -> None:
    """Questions without an answer get no row."""
    rows = [
        (send, position, answer, at)
        for send, answers, at in answered
        for position, answer in enumerate(answers)
        if answer.value is not None
    ]
    if rows:
        await tx.run(
            f"""
            WITH given AS (
                INSERT INTO form_answers (account_id, send_id, position, form_id, version,
                                          question_id, type, value, at)
                SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::int[],
                                     $6::text[], $7::text[], $8::jsonb[], $9::timestamptz[])
                RETURNING account_id, form_id, question_id, type, value)
            INSERT INTO form_tallies AS t (account_id, form_id, question_id, choice, people)
            {_TALLIED}
            ON CONFLICT (account_id, form_id, question_id, choice) DO UPDATE
               SET people = t.people + excluded.people
            """,
            [send.account_id for send, *_ in rows],
            [send.id for send, *_ in rows],
            [position for _, position, *_ in rows],
            [send.form_id for send, *_ in rows],
            [send.version for send, *_ in rows],
            [answer.question.id for _, _, answer, _ in rows],
            [answer.question.type for _, _, answer, _ in rows],
            [_encode(answer.value).decode() for _, _, answer, _ in rows],
            [at for *_, at in rows],
        )


async def forget(tx: Tx, account_id: UUID, phone: str) -> int:
    """Delete all form answers of a person; returns from how many forms. `answered_at` is kept."""
    rows = await tx.rows(
        f"""
        WITH given AS (
            DELETE FROM form_answers a USING form_sends s
             WHERE s.account_id = $1 AND s.phone = $2
               AND a.account_id = s.account_id AND a.send_id = s.id
            RETURNING a.send_id, a.account_id, a.form_id, a.question_id, a.type, a.value),
        taken AS (
            UPDATE form_tallies t SET people = t.people - g.people FROM ({_TALLIED}) AS g
             WHERE (t.account_id, t.form_id, t.question_id, t.choice)
                   = (g.account_id, g.form_id, g.question_id, g.choice))
        SELECT DISTINCT send_id FROM given
        """,
        account_id,
        phone,
    )
    return len(rows)
