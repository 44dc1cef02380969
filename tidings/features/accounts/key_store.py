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
        SELECT key_hash, prefix, last4, created_at, expires_at FROM api_keys
         WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2)
         ORDER BY created_at, key_hash
        """,
        account_id,
        tx.now,
    )
    return {
        row["key_hash"]: IssuedKey(
            row["prefix"], row["last4"], row["created_at"], row["expires_at"]
        )
        for row in rows
    }


async def end_keys(tx: Tx, account_id: UUID, at: datetime) -> int:
    """Expire all keys of the account at that time; how many."""
    return await tx.run(
        """
        UPDATE api_keys SET expires_at = $2
         WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2)
        """,
        account_id,
        at,
    )


async def add_key(tx: Tx, account_id: UUID, key_hash: bytes, *, prefix: str, last4: str) -> None:
    """Add a key that does not expire, or remove the expiry of a known one."""
    await tx.run(
        """
        INSERT INTO api_keys (account_id, key_hash, prefix, last4, created_at)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account_id, key_hash)
        DO UPDATE SET expires_at = NULL, prefix = excluded.prefix
        """,
        account_id,
        key_hash,
        prefix,
        last4,
        tx.now,
    )


async def delete_keys(tx: Tx, account_id: UUID, hashes: Sequence[bytes]) -> int:
    return await tx.run(
        "DELETE FROM api_keys WHERE account_id = $1 AND key_hash = ANY($2::bytea[])",
        account_id,
        list(hashes),
    )
