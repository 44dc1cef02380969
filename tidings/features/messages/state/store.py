"""Writes to the table `messages`, and loads for them; `read/lookup_store.py` has the queries, and
`unlocked_store.py` the writes to messages that were not loaded.

Only `changes.apply` may call `save` (tests/test_architecture.py).
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.partitions import span
from tidings.engine.db.tx import Row, Tx
from tidings.features.events.model import Unsent
from tidings.platforms.content import Content

from ..model import REFUNDED, Attempt, Fault, Message, Status, Step

Key = tuple[UUID, UUID]  # account, message
Recipient = tuple[UUID, str]  # account, phone

COLUMNS = tuple(Message.__struct_fields__)  # the struct mirrors the table
SELECTED = ", ".join(f"m.{column}" for column in COLUMNS)
KEY = ("account_id", "id")
# What transitions may change; `tests/rules/test_message_columns.py` checks the subsets.
CHANGING = (
    "status", "reason", "retry_at", "notified_reasons", "number", "fallback_used", "platform_id",
    "generation", "unknown_since", "resends", "times_out_at", "sent_at", "delivered_at", "read_at",
    "refunded_at", "never_delivered", "reserved_at", "recipient_counter", "planned_at", "error",
    "timeline", "attempts",
)  # fmt: skip
# What a status callback may change: thousands a second are written.
REPORTED = (
    "status", "reason", "retry_at", "platform_id", "unknown_since", "times_out_at", "sent_at",
    "delivered_at", "read_at", "refunded_at", "error", "timeline",
)  # fmt: skip
# What a new message may have; the table has defaults for the rest.
_INSERTED = (
    "account_id", "id", "client_message_id", "kind", "recipient", "content", "meta", "status",
    "reason", "retry_at", "notified_reasons", "created_at", "scheduled_for", "deadline", "event_id",
    "batch_id", "requested_number", "from_policy", "number", "fallback_used", "generation",
    "times_out_at", "refunded_at", "reserved_at", "recipient_counter", "planned_at", "error",
    "timeline", "fallback_content", "expires_at", "charge", "recipient_given",
)  # fmt: skip

_TYPES = {
    **dict.fromkeys(("account_id", "id", "batch_id"), "uuid"),
    **dict.fromkeys(("generation", "resends"), "int"),
    **dict.fromkeys(("fallback_used", "never_delivered", "cancel_requested"), "bool"),
    **dict.fromkeys(("content", "fallback_content", "error", "timeline", "attempts"), "jsonb"),
    **{name: "timestamptz" for name in COLUMNS if name.endswith(("_at", "_since"))},
    **dict.fromkeys(("scheduled_for", "deadline"), "timestamptz"),
}
_ROWS = BulkRows(
    _TYPES,
    constant=(
        "account_id", "kind", "status", "created_at", "batch_id", "event_id", "number",
        "times_out_at", "reserved_at", "generation", "timeline", "fallback_used", "from_policy",
        "requested_number", "recipient_counter",
    ),
)  # fmt: skip

_decode_timeline = msgspec.json.Decoder(list[Step]).decode
_decode_attempts = msgspec.json.Decoder(list[Attempt]).decode
_decode_fault = msgspec.json.Decoder(Fault).decode
decode_content = msgspec.json.Decoder(Content).decode
_encode = msgspec.json.Encoder().encode


def read(row: Row) -> Message:
    message = Message(*(row[column] for column in COLUMNS))
    message.status = Status(message.status)
    message.timeline = _decode_timeline(row["timeline"])
    message.attempts = _decode_attempts(row["attempts"])
    message.error = None if row["error"] is None else _decode_fault(row["error"])
    return message


def read_some(row: Row, columns: Sequence[str]) -> Message:
    """`read`, of a row that has neither timeline nor attempts."""
    message = Message(**{column: row[column] for column in columns})
    message.status = Status(message.status)
    message.error = None if row["error"] is None else _decode_fault(row["error"])
    return message


# New messages


async def insert(tx: Tx, messages: Sequence[tuple[Message, Content, Content | None]]) -> None:
    """Each with its content, and the content that replaces it outside the conversation window."""
    rows = [msgspec.structs.astuple(message) for message, _, _ in messages]
    columns = dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    columns["content"] = [content for _, content, _ in messages]
    columns["fallback_content"] = [fallback for _, _, fallback in messages]
    # Most messages leave most columns at their default: only the others are sent.
    names = [name for name in _INSERTED if any(columns[name])]
    columns["notified_reasons"] = _WRITERS["notified_reasons"](columns["notified_reasons"])
    source, arguments = _ROWS.source({name: columns[name] for name in names})
    await tx.write(_insert(tuple(names), source), *arguments)
    await _insert_lost(tx, [message for message, _, _ in messages])


@lru_cache(maxsize=1024)
def _insert(names: tuple[str, ...], source: str) -> str:
    return f"""
        INSERT INTO messages ({", ".join(names)})
        SELECT {", ".join(_value(name) for name in names)} FROM {source}
    """


def _value(name: str) -> str:
    return "string_to_array(v.notified_reasons, ',')" if name == "notified_reasons" else f"v.{name}"


def _write_json(values: list[Any]) -> list[str | None]:
    return [None if value is None else _encode(value).decode() for value in values]


_WRITERS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "timeline": _write_json,
    "attempts": _write_json,
    "error": _write_json,
    "notified_reasons": lambda values: [",".join(reasons) for reasons in values],
}


# Changes


async def load(tx: Tx, keys: Sequence[Key]) -> dict[Key, Message]:
    """Messages to be changed, locked in the order of their keys."""
    if not keys:
        return {}
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM messages m
         WHERE (m.account_id, m.id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND m.id BETWEEN $3 AND $4
         ORDER BY m.account_id, m.id FOR UPDATE
        """,
        *by_key(keys),
    )
    return {(row["account_id"], row["id"]): read(row) for row in rows}


def by_key(keys: Sequence[Key]) -> tuple[object, ...]:
    """Arguments: accounts, ids, and the smallest and the largest id."""
    ids = [key[1] for key in keys]
    return ([key[0] for key in keys], ids, *span(ids))


async def lock_waiting(tx: Tx, account_id: UUID, batch_id: UUID) -> list[Message]:
    """The messages of a batch that have not been sent, to be changed."""
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


async def lock_waiting_to(tx: Tx, account_id: UUID, recipient: str, limit: int) -> list[Message]:
    """Messages to a person that have not been sent, to be changed; at most so many."""
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM messages m WHERE m.account_id = $1 AND m.recipient = $2
           AND m.status IN ('scheduled', 'queued', 'deferred')
         ORDER BY m.account_id, m.id LIMIT $3 FOR UPDATE
        """,
        account_id,
        recipient,
        limit,
    )
    return [read(row) for row in rows]


async def save(
    tx: Tx, messages: Sequence[Message], identified: Sequence[Message], columns: tuple[str, ...]
) -> None:
    """Write these columns of messages that this transaction has locked. `identified`: those whose
    platform id was not known before."""
    await _insert_platform_ids(tx, identified)
    arguments = _arguments(messages, (*KEY, *columns))
    await tx.write(_update(columns), *arguments, *span([message.id for message in messages]))
    await _insert_lost(tx, messages)


async def _insert_lost(tx: Tx, messages: Iterable[Message]) -> None:
    """Lists of those that failed, expired or were cancelled find them here: they are few."""
    lost = [message for message in messages if message.status in REFUNDED]
    if lost:
        await tx.write(
            """
            INSERT INTO lost_messages (account_id, message_id, status)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) ON CONFLICT DO NOTHING
            """,
            [message.account_id for message in lost],
            [message.id for message in lost],
            [message.status.value for message in lost],
        )


async def _insert_platform_ids(tx: Tx, messages: Sequence[Message]) -> None:
    """Callbacks of the platform, and replies that quote a message, find it by its platform id."""
    if messages:
        await tx.write(
            """
            INSERT INTO platform_ids (account_id, message_id, platform_id)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) ON CONFLICT DO NOTHING
            """,
            [message.account_id for message in messages],
            [message.id for message in messages],
            [message.platform_id for message in messages],
        )


def _arguments(messages: Sequence[Message], names: Sequence[str]) -> list[list[Any]]:
    columns = {name: [getattr(message, name) for message in messages] for name in names}
    return [_WRITERS[name](columns[name]) if name in _WRITERS else columns[name] for name in names]


def _unnest(names: Sequence[str]) -> str:
    arrays = ", ".join(
        f"${index}::{_TYPES.get(name, 'text')}[]" for index, name in enumerate(names, start=1)
    )
    return f"unnest({arrays}) AS v ({', '.join(names)})"


def _set(names: Sequence[str]) -> str:
    return ", ".join(f"{name} = {_value(name)}" for name in names)


@lru_cache(maxsize=8)
def _update(names: tuple[str, ...]) -> str:
    return f"""
        UPDATE messages m SET {_set(names)}
          FROM {_unnest((*KEY, *names))} WHERE m.account_id = v.account_id AND m.id = v.id
           AND m.id BETWEEN ${len(KEY) + len(names) + 1} AND ${len(KEY) + len(names) + 2}
    """


# Queries that do not change a status


async def load_contents(tx: Tx, keys: Sequence[Key]) -> dict[Key, tuple[Content, Content | None]]:
    """The content of each message, and the one that replaces it outside the window."""
    rows = await tx.rows(
        """
        SELECT account_id, id, content, fallback_content FROM messages
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND id BETWEEN $3 AND $4
        """,
        *by_key(keys),
    )
    return {
        (row["account_id"], row["id"]): (
            decode_content(row["content"]),
            None if row["fallback_content"] is None else decode_content(row["fallback_content"]),
        )
        for row in rows
    }


async def use_fallback(tx: Tx, keys: Sequence[Key]) -> None:
    """The window is closed: the template replaces the free content."""
    await tx.run(
        """
        UPDATE messages SET content = fallback_content, fallback_content = NULL
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND id BETWEEN $3 AND $4
        """,
        *by_key(keys),
    )


async def find_recipients(tx: Tx, keys: Sequence[Key]) -> list[Recipient]:
    """Without locking the messages, because numbers are locked before messages."""
    rows = await tx.rows(
        """
        SELECT DISTINCT account_id, recipient FROM messages
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
           AND id BETWEEN $3 AND $4
        """,
        *by_key(keys),
    )
    return [(row["account_id"], row["recipient"]) for row in rows]


async def move_ends(tx: Tx, account_id: UUID, unsent: Sequence[Unsent]) -> dict[UUID, datetime]:
    """Set when waiting invitations end; the new end of each for which it changed."""
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


async def request_cancel(tx: Tx, account_id: UUID, batch_id: UUID) -> None:
    """Messages being sent are cancelled if the platform refuses them for now."""
    await tx.run(
        """
        UPDATE messages SET cancel_requested = true
         WHERE account_id = $1 AND batch_id = $2 AND status = 'sending'
        """,
        account_id,
        batch_id,
    )


async def request_cancel_to(tx: Tx, account_id: UUID, recipient: str) -> None:
    """Like `request_cancel`, for messages to a person."""
    await tx.run(
        """
        UPDATE messages SET cancel_requested = true
         WHERE account_id = $1 AND recipient = $2 AND status = 'sending'
        """,
        account_id,
        recipient,
    )
