"""The table `signing_secrets`: an account's present one, and the last while it still counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx


@dataclass(frozen=True, slots=True)
class SealedSecret:
    account_id: UUID
    id: UUID
    sealed: bytes
    expires_at: datetime | None  # None: the current one


async def load_secrets(tx: Tx, account_ids: Sequence[UUID]) -> list[SealedSecret]:
    """The secrets that sign now; of each account at most one is current and one previous."""
    rows = await tx.rows(
        """
        SELECT account_id, id, sealed, expires_at FROM signing_secrets
         WHERE account_id = ANY($1::uuid[]) AND (expires_at IS NULL OR expires_at > $2)
        """,
        list(account_ids),
        tx.now,
    )
    return [SealedSecret(**row) for row in rows]


async def load_secret_times(tx: Tx, account_id: UUID) -> list[tuple[datetime, datetime | None]]:
    """When each secret that signs now was issued, and when it ends."""
    rows = await tx.rows(
        """
        SELECT created_at, expires_at FROM signing_secrets
         WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2)
        """,
        account_id,
        tx.now,
    )
    return [(row["created_at"], row["expires_at"]) for row in rows]


async def replace_secret(
    tx: Tx, account_id: UUID, secret_id: UUID, sealed: bytes, *, old_ends_at: datetime
) -> None:
    """Make this the account's secret; the previous one also signs until `old_ends_at`."""
    # X-Signature-Previous is one header: an older previous secret is dropped.
    await tx.run(
        "DELETE FROM signing_secrets WHERE account_id = $1 AND expires_at IS NOT NULL", account_id
    )
    await tx.run(
        "UPDATE signing_secrets SET expires_at = $2 WHERE account_id = $1", account_id, old_ends_at
    )
    await tx.run(
        """
        INSERT INTO signing_secrets (account_id, id, sealed, created_at) VALUES ($1, $2, $3, $4)
        """,
        account_id,
        secret_id,
        sealed,
        tx.now,
    )
