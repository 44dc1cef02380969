"""The table `messages`. The only file that knows its columns."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec

from tidings import times
from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.tx import Row, Tx
from tidings.features.events.model import Unsent
from tidings.platforms.content import Content

from ..model import Attempt, Fault, Message, Status, Step

Key = tuple[UUID, UUID]  # account, message


Recipient = tuple[UUID, str]  # account, phone


_COLUMNS = tuple(Message.__struct_fields__)  # the struct mirrors the table


SELECTED = ", ".join(f"m.{column}" for column in _COLUMNS)


_decode_timeline = msgspec.json.Decoder(list[Step]).decode


_decode_attempts = msgspec.json.Decoder(list[Attempt]).decode


_decode_fault = msgspec.json.Decoder(Fault).decode


_decode_content = msgspec.json.Decoder(Content).decode


_encode = msgspec.json.Encoder().encode


def read(row: Row) -> Message:
    message = Message(*(row[column] for column in _COLUMNS))
    message.status = Status(message.status)
    message.timeline = _decode_timeline(row["timeline"])
    message.attempts = _decode_attempts(row["attempts"])
    message.error = None if row["error"] is None else _decode_fault(row["error"])
    return message


async def load(tx: Tx, keys: Sequence[Key]) -> dict[Key, Message]:
    """Messages to be changed, locked in the order of their keys."""
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM messages m
         WHERE (m.account_id, m.id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
         ORDER BY m.account_id, m.id FOR UPDATE
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["id"]): read(row) for row in rows}


async def choose_outside(tx: Tx, keys: Sequence[Key]) -> None:
    """The window is closed: what goes, and is shown from now on, is the template."""
    await tx.run(
        """
        UPDATE messages SET content = outside, outside = NULL
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )


async def load_choices(tx: Tx, keys: Sequence[Key]) -> dict[Key, tuple[Content, Content | None]]:
    """What each message says, and what it says outside the conversation window."""
    rows = await tx.rows(
        """
        SELECT account_id, id, content, outside FROM messages
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {
        (row["account_id"], row["id"]): (
            _decode_content(row["content"]),
            None if row["outside"] is None else _decode_content(row["outside"]),
        )
        for row in rows
    }


async def keep_platform_ids(tx: Tx, ids: Sequence[tuple[Key, str]]) -> None:
    """By which the platform's callbacks, and answers that quote, find the message again."""
    if ids:
        await tx.run(
            """
            INSERT INTO platform_ids (account_id, message_id, platform_id)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) ON CONFLICT DO NOTHING
            """,
            [key[0] for key, _ in ids],
            [key[1] for key, _ in ids],
            [platform_id for _, platform_id in ids],
        )


async def insert(tx: Tx, messages: Sequence[tuple[Message, Content, Content | None]]) -> None:
    rows = [msgspec.structs.astuple(message) for message, _, _ in messages]
    columns = dict(zip(_COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    columns["content"] = [content for _, content, _ in messages]
    columns["outside"] = [outside for _, _, outside in messages]
    # Most messages leave most columns at their default: only those that say something travel.
    names = [name for name in _INSERTED if any(columns[name])]
    columns["told_reasons"] = _WRITERS["told_reasons"](columns["told_reasons"])
    source, arguments = _ROWS.source({name: columns[name] for name in names})
    await tx.run(_insert(tuple(names), source), *arguments)


async def save(tx: Tx, messages: Iterable[Message]) -> None:
    """Write what changed. The rows are locked by `load` in this transaction."""
    changed = list(messages)
    if changed:
        known = [((m.account_id, m.id), m.platform_id) for m in changed if m.platform_id]
        await keep_platform_ids(tx, known)
        await tx.run(_UPDATE, *arguments_of(changed, (*KEY, *_CHANGING)))


def arguments_of(messages: Sequence[Message], names: Sequence[str]) -> list[list[Any]]:
    return _arguments({name: [getattr(m, name) for m in messages] for name in names}, names)


def _arguments(columns: dict[str, list[Any]], names: Sequence[str]) -> list[list[Any]]:
    return [_WRITERS[name](columns[name]) if name in _WRITERS else columns[name] for name in names]


def _write_json(values: list[Any]) -> list[str | None]:
    return [None if value is None else _encode(value).decode() for value in values]


_WRITERS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "timeline": _write_json,
    "attempts": _write_json,
    "error": _write_json,
    "told_reasons": lambda values: [",".join(reasons) for reasons in values],
}


_TYPES = {
    **dict.fromkeys(("account_id", "id", "batch_id"), "uuid"),
    **dict.fromkeys(("generation", "resends"), "int"),
    **dict.fromkeys(("fallback_used", "never_delivered", "cancel_asked"), "bool"),
    **dict.fromkeys(("content", "outside", "error", "timeline", "attempts"), "jsonb"),
    **{name: "timestamptz" for name in _COLUMNS if name.endswith(("_at", "_since"))},
    **dict.fromkeys(("scheduled_for", "deadline"), "timestamptz"),
}


KEY = ("account_id", "id")


_CHANGING = (
    "status", "reason", "retry_at", "told_reasons", "number", "fallback_used", "platform_id",
    "generation", "unknown_since", "resends", "times_out_at", "sent_at", "delivered_at",
    "read_at", "refunded_at", "never_delivered", "granted_at", "reach_meter",
    "planned_at", "error", "timeline",
    "attempts",
)  # fmt: skip


# A message is born with these; what comes later has its default in the table.
_INSERTED = (
    "account_id", "id", "client_message_id", "kind", "recipient", "content", "meta", "status",
    "reason", "retry_at", "told_reasons", "created_at", "scheduled_for", "deadline", "event_id",
    "batch_id", "asked_number", "from_policy", "number", "fallback_used", "generation",
    "times_out_at", "refunded_at", "granted_at", "reach_meter", "planned_at", "error", "timeline",
    "outside",
    "expires_at", "charge", "recipient_given",
)  # fmt: skip


def _unnest(names: Sequence[str]) -> str:
    arrays = ", ".join(
        f"${place}::{_TYPES.get(name, 'text')}[]" for place, name in enumerate(names, start=1)
    )
    return f"unnest({arrays}) AS v ({', '.join(names)})"


def _value(name: str) -> str:
    return "string_to_array(v.told_reasons, ',')" if name == "told_reasons" else f"v.{name}"


_ROWS = BulkRows(
    _TYPES,
    constant=(
        "account_id", "kind", "status", "created_at", "batch_id", "event_id", "number",
        "times_out_at", "granted_at", "generation", "timeline", "fallback_used", "from_policy",
        "asked_number", "reach_meter",
    ),
)  # fmt: skip


@lru_cache(maxsize=1024)
def _insert(names: tuple[str, ...], source: str) -> str:
    return f"""
        INSERT INTO messages ({", ".join(names)})
        SELECT {", ".join(_value(name) for name in names)} FROM {source}
    """


def update_of(names: Sequence[str]) -> str:
    return f"""
        UPDATE messages m SET {", ".join(f"{name} = {_value(name)}" for name in names)}
          FROM {_unnest((*KEY, *names))} WHERE m.account_id = v.account_id AND m.id = v.id
    """


_UPDATE = update_of(_CHANGING)


class MarkedSent(msgspec.Struct, frozen=True):
    """A message the platform has just taken, and the claim under which it was handed over."""

    key: Key
    generation: int
    platform_id: str
    at: datetime
    times_out_at: datetime


async def mark_sent(tx: Tx, sent: Sequence[MarkedSent]) -> int:
    """The common end of a send in lean statements: compare (`sending`, generation) and set.

    It writes what `moves.accepted` does to a message that is still being sent; how many were. The
    keys are asked for twice, so that a plan made for a small table cannot come to read all of it.
    """
    return await tx.run(
        """
        WITH s AS (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::timestamptz[],
                                 $6::timestamptz[], $7::text[])
                   AS u (account_id, id, generation, platform_id, at, times_out_at, wire)
        ), known AS (
            INSERT INTO platform_ids (account_id, platform_id, message_id)
            SELECT account_id, platform_id, id FROM s ON CONFLICT DO NOTHING
        )
        UPDATE messages m
           SET status = 'sent', platform_id = coalesce(m.platform_id, s.platform_id),
               sent_at = coalesce(m.sent_at, s.at), times_out_at = s.times_out_at,
               unknown_since = NULL, reason = NULL, retry_at = NULL,
               timeline = m.timeline || jsonb_build_object('status', 'sent', 'at', s.wire),
               attempts = m.attempts || jsonb_build_object(
                   'attempt', jsonb_array_length(m.attempts) + 1, 'at', s.wire,
                   'sentFrom', m.number, 'outcome', 'sent')
          FROM s
         WHERE m.account_id = s.account_id AND m.id = s.id
           AND m.account_id = ANY($1::uuid[]) AND m.id = ANY($2::uuid[])
           AND m.status = 'sending' AND m.generation = s.generation
        """,
        [item.key[0] for item in sent],
        [item.key[1] for item in sent],
        [item.generation for item in sent],
        [item.platform_id for item in sent],
        [item.at for item in sent],
        [item.times_out_at for item in sent],
        [times.to_wire(item.at) for item in sent],
    )


async def find_recipients(tx: Tx, keys: Sequence[Key]) -> list[tuple[UUID, str]]:
    """Whom these messages go to, without locking them: numbers are locked before messages."""
    rows = await tx.rows(
        """
        SELECT DISTINCT account_id, recipient FROM messages
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return [(row["account_id"], row["recipient"]) for row in rows]


async def move_ends(tx: Tx, account_id: UUID, unsent: Sequence[Unsent]) -> dict[UUID, datetime]:
    """Write the ends of those that wait; the new end of each that had another one."""
    rows = await tx.rows(
        """
        WITH moved AS (
            SELECT m.id, e.expires_at
              FROM unnest($2::uuid[], $3::timestamptz[]) AS e (id, expires_at)
              JOIN messages m ON m.account_id = $1 AND m.id = e.id
             WHERE m.status IN ('scheduled', 'queued', 'deferred') AND m.expires_at <> e.expires_at
             ORDER BY m.id FOR UPDATE OF m
        )
        UPDATE messages m SET expires_at = moved.expires_at
          FROM moved WHERE m.account_id = $1 AND m.id = moved.id
        RETURNING m.id, m.expires_at
        """,
        account_id,
        [each.message_id for each in unsent],
        [each.expires_at for each in unsent],
    )
    return {row["id"]: row["expires_at"] for row in rows}


# What `transitions.reported` may touch.
REPORTED = (
    "status", "reason", "retry_at", "platform_id", "unknown_since", "times_out_at", "sent_at",
    "delivered_at", "read_at", "refunded_at", "error", "timeline",
)  # fmt: skip


_UPDATE_REPORTED = update_of(REPORTED)


async def save_reported(
    tx: Tx, messages: Sequence[Message], identified: Collection[Message]
) -> None:
    """`identified`: those of them whose platform id was not known before."""
    if not messages:
        return
    known = [((m.account_id, m.id), m.platform_id) for m in identified if m.platform_id]
    await keep_platform_ids(tx, known)
    await tx.run(_UPDATE_REPORTED, *arguments_of(messages, (*KEY, *REPORTED)))


async def lock_waiting(tx: Tx, account_id: UUID, batch_id: UUID) -> list[Message]:
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM messages m WHERE m.account_id = $1 AND m.batch_id = $2
           AND m.status IN ('scheduled', 'queued', 'deferred')
         ORDER BY m.account_id, m.id FOR UPDATE
        """,
        account_id,
        batch_id,
    )
    return [read(row) for row in rows]


async def request_cancel(tx: Tx, account_id: UUID, batch_id: UUID) -> None:
    """Those on their way: should the platform give one back, it is cancelled, not kept waiting."""
    await tx.run(
        """
        UPDATE messages SET cancel_asked = true
         WHERE account_id = $1 AND batch_id = $2 AND status = 'sending'
        """,
        account_id,
        batch_id,
    )
