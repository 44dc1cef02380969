"""The table `idempotency_keys`: the message of each clientMessageId, and when it was used (4.1)."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from uuid import UUID

from tidings import limits
from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.sweep import WITHIN_BLOCKS
from tidings.engine.db.tx import Tx

from ..model import Message
from ..read.lookup_store import find_by_client_id, find_by_id

Key = tuple[UUID, str]  # account, clientMessageId
UsedAt = dict[tuple[UUID, UUID], datetime]  # by account and message

TABLE = "idempotency_keys"
_key = attrgetter("account_id", "client_message_id")
_ROWS = BulkRows(
    {"account_id": "uuid", "id": "uuid", "created_at": "timestamptz"},
    constant=("account_id", "created_at"),
)
_USED = """
    SELECT i.account_id, i.message_id, i.used_at
      FROM unnest($1::uuid[], $2::text[]) AS k (account_id, client_message_id)
      JOIN idempotency_keys i USING (account_id, client_message_id)
"""
# For a batch: one index scan.
_USED_BY_ONE_ACCOUNT = """
    SELECT account_id, message_id, used_at FROM idempotency_keys
     WHERE account_id = $1 AND client_message_id = ANY($2::text[])
"""
_IF_EXPIRED = f"""
    ON CONFLICT (account_id, client_message_id) DO UPDATE
       SET message_id = excluded.message_id, used_at = excluded.used_at
     WHERE idempotency_keys.used_at <= excluded.used_at
           - interval '{limits.IDEMPOTENCY_WINDOW.total_seconds():.0f} seconds'
"""


def read_used(keys: Sequence[Key]) -> Read[UsedAt]:
    """Which of these ids were used. Most are new; messages are looked up only for the others
    (`load_originals`), because opening the partitions of that table is costly."""
    accounts, client_ids = [key[0] for key in keys], [key[1] for key in keys]
    if len(set(accounts)) == 1:
        return Read(_used_at, _USED_BY_ONE_ACCOUNT, accounts[0], client_ids)
    return Read(_used_at, _USED, accounts, client_ids)


def _used_at(rows: Rows) -> UsedAt:
    return {(account_id, message_id): used_at for account_id, message_id, used_at in rows}


async def load_originals(tx: Tx, used: UsedAt) -> dict[Key, tuple[datetime, Message]]:
    """The newest message of each used clientMessageId, and when the id was used."""
    found = await find_by_id(tx, list(used)) if used else {}
    return {
        (message.account_id, message.client_message_id): (used[key], message)
        for key, message in found.items()
    }


async def find_originals(tx: Tx, keys: Sequence[Key]) -> dict[Key, tuple[datetime, Message]]:
    return await load_originals(tx, await tx.result(read_used(keys)))


async def find_all(tx: Tx, keys: Sequence[Key]) -> dict[Key, Message]:
    """The newest message of each clientMessageId, however old."""
    originals = await find_originals(tx, keys)
    found = {key: message for key, (_, message) in originals.items()}
    purged = [key for key in keys if key not in found]
    return found | await find_by_client_id(tx, purged) if purged else found


async def find_newest(tx: Tx, account_id: UUID, client_message_id: str) -> Message | None:
    key = (account_id, client_message_id)
    return (await find_all(tx, [key])).get(key)


async def delete_before(tx: Tx, before: UUID, first_block: int, end_block: int) -> int:
    """Ids of messages before this one, in some blocks of the table. An id that was used again names
    a newer message; if that happens at the same time, the condition is checked again."""
    return await tx.run(
        f"DELETE FROM idempotency_keys WHERE {WITHIN_BLOCKS} AND message_id < $3",
        first_block,
        end_block,
        before,
    )


async def claim(tx: Tx, messages: Sequence[Message], used: Collection[Key]) -> None:
    """Claim the clientMessageIds for 48 hours. If another process claims one at the same time, this
    transaction conflicts and is retried; it then finds the duplicate.

    `used`: ids that were used before. Most were not, and are inserted without ON CONFLICT, which
    would double the cost of the insert.
    """
    ordered = sorted(messages, key=_key)
    again = [message for message in ordered if _key(message) in used] if used else []
    new = [message for message in ordered if _key(message) not in used] if again else ordered
    await _insert(tx, new, "")
    await _insert(tx, again, _IF_EXPIRED)


async def _insert(tx: Tx, messages: Sequence[Message], on_conflict: str) -> None:
    if not messages:
        return
    source, arguments = _ROWS.source(
        {
            "account_id": [message.account_id for message in messages],
            "client_message_id": [message.client_message_id for message in messages],
            "id": [message.id for message in messages],
            "created_at": [message.created_at for message in messages],
        }
    )
    await tx.write(
        _statement(source, on_conflict), *arguments, expected=len(messages), unique=TABLE
    )


@lru_cache(maxsize=8)
def _statement(source: str, on_conflict: str) -> str:
    return f"""
        INSERT INTO idempotency_keys (account_id, client_message_id, message_id, used_at)
        SELECT v.account_id, v.client_message_id, v.id, v.created_at FROM {source} {on_conflict}
    """
