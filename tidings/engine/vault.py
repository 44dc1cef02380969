"""The vault: short-lived secrets, such as a passcode until it is sent (4.2).

A row holds only ciphertext; its hourly key is never stored in the database (`vault_keys`). `erase`
deletes a row in the transaction that ends its use. Copies in dead tuples, the WAL and backups
become unreadable within about two hours, when the key is destroyed.
"""

import asyncio
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import UUID

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.tx import Row, Tx
from tidings.engine.vault_keys import SECRET_LIFE_MAX, HourlyKeys, key_id_at
from tidings.secrets import Secret

Key = tuple[UUID, str]  # account, subject

_NONCE_BYTES: Final = 12
_BLOCK_BYTES: Final = 64  # secrets are padded to a multiple of this, which hides their length
_END: Final = b"\x80"

log = structlog.get_logger()


class Vault:
    """The secrets of one database, with the keys of one folder. One instance per process."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._keys = HourlyKeys(folder)
        self._clock = clock

    async def put(
        self, tx: Tx, secrets: Sequence[tuple[UUID, str, Secret]], expires_at: Sequence[datetime]
    ) -> None:
        """Store secrets until they are erased, or until `expires_at` (real time)."""
        if not secrets:
            return
        latest = tx.now + SECRET_LIFE_MAX
        assert max(expires_at) <= latest, "the key would be destroyed before the secret's end"
        key_id = key_id_at(tx.now)
        cipher = await self._make_key(key_id)
        await tx.run(
            """
            INSERT INTO vault (account_id, subject, key_id, ciphertext, expires_at)
            SELECT account_id, subject, $1, ciphertext, expires_at
              FROM unnest($2::uuid[], $3::text[], $4::bytea[], $5::timestamptz[])
                   AS v (account_id, subject, ciphertext, expires_at)
            ON CONFLICT (account_id, subject) DO UPDATE
               SET key_id = excluded.key_id, ciphertext = excluded.ciphertext,
                   expires_at = excluded.expires_at
            """,
            key_id,
            [account_id for account_id, _, _ in secrets],
            [subject for _, subject, _ in secrets],
            [_seal(cipher, (account_id, name), secret) for account_id, name, secret in secrets],
            list(expires_at),
        )

    async def open(self, tx: Tx, keys: Sequence[Key]) -> dict[Key, Secret]:
        """The secrets of these keys, without those that are erased or expired or whose hourly key
        was destroyed."""
        if not keys:
            return {}
        rows = await tx.rows(
            """
            SELECT account_id, subject, key_id, ciphertext FROM vault
             WHERE (account_id, subject) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
               AND expires_at > $3
            """,
            *_arrays(keys),
            tx.now,
        )
        opened: dict[Key, Secret] = {}
        for row in rows:
            secret = await self._open(row)
            if secret is not None:
                opened[row["account_id"], row["subject"]] = secret
        return opened

    async def find_unsealable(self, tx: Tx) -> list[str]:
        """The subjects of unexpired secrets that cannot be decrypted with the available keys."""
        query = "SELECT account_id, subject, key_id, ciphertext FROM vault WHERE expires_at > $1"
        shut = []
        for row in await tx.rows(query, tx.now):
            cipher = await self._find_key(row["key_id"])
            if cipher is None or _opened(cipher, row) is None:
                shut.append(row["subject"])
        return shut

    async def erase(self, tx: Tx, keys: Sequence[Key]) -> None:
        """Delete these secrets; missing ones are ignored."""
        if keys:
            await tx.run(
                """
                DELETE FROM vault
                 WHERE (account_id, subject) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
                """,
                *_arrays(keys),
            )

    async def sweep(self, tx: Tx) -> int:
        """Delete a page of expired secrets; returns how many."""
        return await tx.run(
            """
            DELETE FROM vault WHERE (account_id, subject) IN (
                SELECT account_id, subject FROM vault WHERE expires_at <= $1
                 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
            """,
            tx.now,
            limits.PURGE_PAGE_ROWS,
        )

    def destroy_old_keys(self) -> None:
        """Destroy the keys whose secrets have all expired. Every process must call this at startup
        and every few minutes, since each also holds the keys in memory."""
        gone = self._keys.destroy(self._clock.now())
        if gone:
            log.info("vault.keys_destroyed", hours=gone)

    async def _make_key(self, key_id: str) -> AESGCM:
        known = self._keys.known(key_id)
        return known if known is not None else await asyncio.to_thread(self._keys.make, key_id)

    async def _find_key(self, key_id: str) -> AESGCM | None:
        return self._keys.known(key_id) or await asyncio.to_thread(self._keys.find, key_id)

    async def _open(self, row: Row) -> Secret | None:
        key_id: str = row["key_id"]
        cipher = await self._find_key(key_id)
        if cipher is None:
            account, subject = row["account_id"], row["subject"]
            log.warning("vault.key_lost", account=account, hour=key_id, subject=subject)
            return None
        secret = _opened(cipher, row)
        if secret is None:
            account, subject = row["account_id"], row["subject"]
            log.warning("vault.opening_failed", account=account, hour=key_id, subject=subject)
        return secret


def _opened(cipher: AESGCM, row: Row) -> Secret | None:
    return _unseal(cipher, (row["account_id"], row["subject"]), row["ciphertext"])


def _arrays(keys: Sequence[Key]) -> tuple[list[UUID], list[str]]:
    return [account_id for account_id, _ in keys], [subject for _, subject in keys]


def _seal(cipher: AESGCM, key: Key, secret: Secret) -> bytes:
    plain = secret.reveal().encode() + _END
    padded = plain.ljust(-(-len(plain) // _BLOCK_BYTES) * _BLOCK_BYTES, b"\0")
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + cipher.encrypt(nonce, padded, _bound(key))


def _unseal(cipher: AESGCM, key: Key, sealed: bytes) -> Secret | None:
    """None if it was sealed under another key of the same hour, moved to another row or altered."""
    try:
        padded = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _bound(key))
    except (InvalidTag, ValueError):
        return None
    return Secret(padded.rstrip(b"\0").removesuffix(_END).decode())


def _bound(key: Key) -> bytes:
    """Associated data: a ciphertext that is moved to another row does not decrypt."""
    return f"{key[0].hex}:{key[1]}".encode()
