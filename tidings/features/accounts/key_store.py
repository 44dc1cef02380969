"""The table `api_keys`."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import IssuedKey


async def find_key_owner(tx: Tx, key_hash: bytes) -> UUID | None:
    owner: UUID | None = await tx.value(
        "SELECT account_id FROM api_keys WHERE key_hash = $1", key_hash
    )
    return owner


async def find_lasting(tx: Tx, account_id: UUID) -> set[bytes]:
    """The hashes of the account's keys that do not expire."""
    rows = await tx.rows(
        "SELECT key_hash FROM api_keys WHERE account_id = $1 AND expires_at IS NULL", account_id
    )
    return {row["key_hash"] for row in rows}


async def load_keys(tx: Tx, account_id: UUID) -> dict[bytes, IssuedKey]:
    """The account's valid keys by their hashes, the oldest first."""
    rows = await tx.rows(
        """
        SELECT key_hash, id, name, prefix, last4, created_at, expires_at, last_used_at
          FROM api_keys
         WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2)
         ORDER BY created_at, id
        """,
        account_id,
        tx.now,
    )
    return {hashed: IssuedKey(*rest) for hashed, *rest in rows}


async def find_sealed(tx: Tx, account_id: UUID) -> bytes | None:
    """The newest of the account's keys that does not expire, sealed."""
    found: bytes | None = await tx.value(
        """
        SELECT sealed FROM api_keys
         WHERE account_id = $1 AND expires_at IS NULL AND sealed IS NOT NULL
         ORDER BY created_at DESC, id DESC LIMIT 1
        """,
        account_id,
    )
    return found


async def end_keys(tx: Tx, account_id: UUID, at: datetime, key_id: UUID | None = None) -> int:
    """Expire one key of the account, or all, at that time; how many."""
    return await tx.run(
        """
        UPDATE api_keys SET expires_at = $2
         WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2)
           AND ($3::uuid IS NULL OR id = $3)
        """,
        account_id,
        at,
        key_id,
    )


async def add_key(
    tx: Tx,
    account_id: UUID,
    key_hash: bytes,
    *,
    key_id: UUID,
    name: str,
    prefix: str,
    last4: str,
    sealed: bytes | None,
) -> None:
    """Add a key that does not expire, or remove the expiry of a known one."""
    await tx.run(
        """
        INSERT INTO api_keys (account_id, key_hash, id, name, prefix, last4, sealed, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (account_id, key_hash)
        DO UPDATE SET expires_at = NULL, prefix = excluded.prefix, sealed = excluded.sealed
        """,
        account_id,
        key_hash,
        key_id,
        name,
        prefix,
        last4,
        sealed,
        tx.now,
    )


async def delete_keys(tx: Tx, account_id: UUID, key_ids: Sequence[UUID]) -> int:
    return await tx.run(
        "DELETE FROM api_keys WHERE account_id = $1 AND id = ANY($2::uuid[])",
        account_id,
        list(key_ids),
    )


async def save_used(tx: Tx, hashes: Sequence[bytes], unless_since: datetime) -> int:
    """Keys that were used until now; one written since `unless_since` is left as it is."""
    return await tx.run(
        """
        UPDATE api_keys SET last_used_at = $2
         WHERE key_hash = ANY($1::bytea[]) AND (last_used_at IS NULL OR last_used_at < $3)
        """,
        list(hashes),
        tx.now,
        unless_since,
    )
