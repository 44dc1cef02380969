"""The table `idempotency_keys`: the message of each clientMessageId, and when it was used (4.1)."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from uuid import UUID

import asyncpg

from tidings import limits
from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.tx import Conflict, Tx

from ..model import Message
from ..state.store import SELECTED, read

_key = attrgetter("account_id", "client_message_id")
_ROWS = BulkRows(
    {"account_id": "uuid", "id": "uuid", "created_at": "timestamptz"},
    constant=("account_id", "created_at"),
)
_ORIGINALS = f"""
    SELECT i.used_at, {SELECTED}
      FROM unnest($1::uuid[], $2::text[]) AS k (account_id, client_message_id)
      JOIN idempotency_keys i USING (account_id, client_message_id)
      JOIN messages m ON m.account_id = i.account_id AND m.id = i.message_id
"""
# For a batch: one index scan. MATERIALIZED, or a plan could start by scanning all messages.
_ORIGINALS_OF_ONE_ACCOUNT = f"""
    WITH i AS MATERIALIZED (
        SELECT account_id, message_id, used_at FROM idempotency_keys
         WHERE account_id = $1 AND client_message_id = ANY($2::text[])
    )
    SELECT i.used_at, {SELECTED}
      FROM i JOIN messages m ON m.account_id = i.account_id AND m.id = i.message_id
"""
_IF_EXPIRED = f"""
    ON CONFLICT (account_id, client_message_id) DO UPDATE
       SET message_id = excluded.message_id, used_at = excluded.used_at
     WHERE idempotency_keys.used_at <= excluded.used_at
           - interval '{limits.IDEMPOTENCY_WINDOW.total_seconds():.0f} seconds'
"""


async def find_originals(
    tx: Tx, keys: Sequence[tuple[UUID, str]]
) -> dict[tuple[UUID, str], tuple[datetime, Message]]:
    """The newest message of each clientMessageId, and when the id was used."""
    accounts, client_ids = [key[0] for key in keys], [key[1] for key in keys]
    if len(set(accounts)) == 1:
        rows = await tx.rows(_ORIGINALS_OF_ONE_ACCOUNT, accounts[0], client_ids)
    else:
        rows = await tx.rows(_ORIGINALS, accounts, client_ids)
    return {(row["account_id"], row["client_message_id"]): (row[0], read(row)) for row in rows}


async def find_newest(tx: Tx, account_id: UUID, client_message_id: str) -> Message | None:
    found = await find_originals(tx, [(account_id, client_message_id)])
    return found[account_id, client_message_id][1] if found else None


async def claim(tx: Tx, messages: Sequence[Message], used: Collection[tuple[UUID, str]]) -> None:
    """Claim the clientMessageIds for 48 hours. If another process claims one at the same time, this
    transaction conflicts and is retried; it then finds the duplicate.

    `used`: ids that were used before. Most were not, and are inserted without ON CONFLICT, which
    would double the cost of the insert.
    """
    ordered = sorted(messages, key=_key)
    again = [message for message in ordered if _key(message) in used] if used else []
    new = [message for message in ordered if _key(message) not in used] if again else ordered
    try:
        await _insert(tx, new, "")
    except asyncpg.UniqueViolationError:
        raise Conflict("a clientMessageId was used meanwhile") from None
    if await _insert(tx, again, _IF_EXPIRED) != len(again):
        raise Conflict("a clientMessageId was used again meanwhile")


async def _insert(tx: Tx, messages: Sequence[Message], on_conflict: str) -> int:
    if not messages:
        return 0
    source, arguments = _ROWS.source(
        {
            "account_id": [message.account_id for message in messages],
            "client_message_id": [message.client_message_id for message in messages],
            "id": [message.id for message in messages],
            "created_at": [message.created_at for message in messages],
        }
    )
    return await tx.run(_statement(source, on_conflict), *arguments)


@lru_cache(maxsize=8)
def _statement(source: str, on_conflict: str) -> str:
    return f"""
        INSERT INTO idempotency_keys (account_id, client_message_id, message_id, used_at)
        SELECT v.account_id, v.client_message_id, v.id, v.created_at FROM {source} {on_conflict}
    """
