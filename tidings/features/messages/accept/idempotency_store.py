"""The table `repeats`: which message a clientMessageId means, and since when (4.1, 48 hours)."""

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
    SELECT r.first_at, {SELECTED}
      FROM unnest($1::uuid[], $2::text[]) AS k (account_id, client_message_id)
      JOIN repeats r USING (account_id, client_message_id)
      JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
"""


# A batch's: one walk through the index. Apart, or its plan might begin with all of the messages.
_ORIGINALS_OF_ONE_ACCOUNT = f"""
    WITH r AS MATERIALIZED (
        SELECT account_id, message_id, first_at FROM repeats
         WHERE account_id = $1 AND client_message_id = ANY($2::text[])
    )
    SELECT r.first_at, {SELECTED}
      FROM r JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
"""


async def find_originals(
    tx: Tx, keys: Sequence[tuple[UUID, str]]
) -> dict[tuple[UUID, str], tuple[datetime, Message]]:
    """The newest message of each clientMessageId, and since when its id counts as used."""
    accounts, client_ids = [key[0] for key in keys], [key[1] for key in keys]
    if len(set(accounts)) == 1:
        rows = await tx.rows(_ORIGINALS_OF_ONE_ACCOUNT, accounts[0], client_ids)
    else:
        rows = await tx.rows(_ORIGINALS, accounts, client_ids)
    return {(row["account_id"], row["client_message_id"]): (row[0], read(row)) for row in rows}


async def find_newest(tx: Tx, account_id: UUID, client_message_id: str) -> Message | None:
    found = await find_originals(tx, [(account_id, client_message_id)])
    return found[account_id, client_message_id][1] if found else None


async def take_ids(tx: Tx, messages: Sequence[Message], used: Collection[tuple[UUID, str]]) -> None:
    """Claim the clientMessageIds for 48 hours. Of two processes with the same id at the same
    instant, one is told: a conflict, upon which it reads again, and repeats.

    `used`: those that had been used before when we looked. Most had not: to expect that (ON
    CONFLICT) would cost each message twice its insert.
    """
    ordered = sorted(messages, key=_key)
    again = [message for message in ordered if _key(message) in used] if used else []
    new = [message for message in ordered if _key(message) not in used] if again else ordered
    try:
        await _write_ids(tx, new, "")
    except asyncpg.UniqueViolationError:
        raise Conflict("a clientMessageId was used meanwhile") from None
    if await _write_ids(tx, again, _IF_FREE) != len(again):
        raise Conflict("a clientMessageId was used again meanwhile")


_IF_FREE = f"""
    ON CONFLICT (account_id, client_message_id) DO UPDATE
       SET message_id = excluded.message_id, first_at = excluded.first_at
     WHERE repeats.first_at <= excluded.first_at
           - interval '{limits.REPEAT_WINDOW.total_seconds():.0f} seconds'
"""


async def _write_ids(tx: Tx, messages: Sequence[Message], unless: str) -> int:
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
    return await tx.run(_insert_ids(source, unless), *arguments)


@lru_cache(maxsize=8)
def _insert_ids(source: str, unless: str) -> str:
    return f"""
        INSERT INTO repeats (account_id, client_message_id, message_id, first_at)
        SELECT v.account_id, v.client_message_id, v.id, v.created_at FROM {source} {unless}
    """
