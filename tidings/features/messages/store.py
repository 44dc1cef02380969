"""The table `messages`. The only file that knows its columns."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec

from tidings import times
from tidings.engine.db.spread import Spread
from tidings.engine.db.tx import Row, Tx
from tidings.platforms.content import Content

from .model import Attempt, Fault, Message, Step
from .states import Status

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


async def load_contents(tx: Tx, keys: Sequence[Key]) -> dict[Key, Content]:
    rows = await tx.rows(
        """
        SELECT account_id, id, content FROM messages
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["id"]): _decode_content(row["content"]) for row in rows}


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
    source, arguments = _SPREAD.source({name: columns[name] for name in names})
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
    "read_at", "refunded_at", "never_delivered", "reserved_at", "recipient_counter",
    "planned_at", "error", "timeline",
    "attempts",
)  # fmt: skip
# A message is born with these; what comes later has its default in the table.
_INSERTED = (
    "account_id", "id", "client_message_id", "kind", "recipient", "content", "meta", "status",
    "reason", "retry_at", "told_reasons", "created_at", "scheduled_for", "deadline", "event_id",
    "batch_id", "asked_number", "from_policy", "number", "fallback_used", "generation",
    "times_out_at", "refunded_at", "reserved_at", "recipient_counter", "planned_at", "error",
    "timeline", "outside",
    "expires_at", "charge", "recipient_given",
)  # fmt: skip


def _unnest(names: Sequence[str]) -> str:
    arrays = ", ".join(
        f"${place}::{_TYPES.get(name, 'text')}[]" for place, name in enumerate(names, start=1)
    )
    return f"unnest({arrays}) AS v ({', '.join(names)})"


def _value(name: str) -> str:
    return "string_to_array(v.told_reasons, ',')" if name == "told_reasons" else f"v.{name}"


_SPREAD = Spread(
    _TYPES,
    alike=(
        "account_id", "kind", "status", "created_at", "batch_id", "event_id", "number",
        "times_out_at", "reserved_at", "generation", "timeline", "fallback_used", "from_policy",
        "asked_number", "recipient_counter",
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


async def find_sent_to(
    tx: Tx, account_id: UUID, phone: str, *, limit: int, bytes_max: int
) -> list[tuple[Message, Content]]:
    """The newest, so many, with no more bytes of content in all."""
    rows = await tx.rows(
        f"""
        WITH newest AS (
            SELECT id, sent_at, octet_length(content::text) AS size FROM messages
             WHERE account_id = $1 AND recipient = $2 AND sent_at IS NOT NULL
             ORDER BY sent_at DESC, id DESC LIMIT $3
        ), measured AS (
            SELECT id, sum(size) OVER (ORDER BY sent_at DESC, id DESC) AS held FROM newest
        )
        SELECT m.content, {SELECTED} FROM measured
          JOIN messages m ON m.account_id = $1 AND m.id = measured.id
         WHERE held <= $4 ORDER BY m.sent_at DESC, m.id DESC
        """,
        account_id,
        phone,
        limit,
        bytes_max,
    )
    return [(read(row), _decode_content(row["content"])) for row in rows]


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


_WAITING = """
    SELECT m.account_id, m.id, m.client_message_id, m.kind, m.recipient, m.status, m.created_at,
           m.times_out_at, m.number, m.scheduled_for, m.retry_at, m.reserved_at, m.planned_at
      FROM jobs j JOIN messages m ON m.account_id = j.account_id AND m.id = j.subject::uuid
     WHERE j.account_id = $1 AND j.pool = $2 AND j.parked_at IS NULL
       AND m.status IN ('scheduled', 'queued', 'deferred') AND m.batch_id IS DISTINCT FROM $3
     ORDER BY j.due_at LIMIT $4
"""


async def find_waiting(tx: Tx, account: UUID, pool: str, besides: UUID, most: int) -> list[Message]:
    """What waits in an account besides a batch, those due first: as much of it as says when."""
    rows = await tx.rows(_WAITING, account, pool, besides, most)
    return [Message(**row | {"status": Status(row["status"])}) for row in map(dict, rows)]


async def find_unsent(tx: Tx, keys: Sequence[Key]) -> set[Key]:
    """Those of these messages that have not left us."""
    rows = await tx.rows(
        """
        SELECT account_id, id FROM messages
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND status IN ('scheduled', 'queued', 'deferred', 'sending')
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["id"]) for row in rows}


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


async def find_granted(tx: Tx, account: UUID, pool: str, after: datetime, most: int) -> list[int]:
    """The jobs of messages that have a place of the rolling limits after a timestamp, those due
    first."""
    rows = await tx.rows(
        """
        SELECT j.id FROM jobs j JOIN messages m
            ON m.account_id = j.account_id AND m.id = j.subject::uuid
         WHERE j.account_id = $1 AND j.pool = $2 AND j.parked_at IS NULL AND NOT j.leased
           AND m.status = 'deferred' AND m.reserved_at > $3
         ORDER BY j.due_at, j.id LIMIT $4
        """,
        account,
        pool,
        after,
        most,
    )
    return [row["id"] for row in rows]
