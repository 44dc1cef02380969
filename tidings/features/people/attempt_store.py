"""The sign_in_attempts table."""

from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx


async def lock(tx: Tx, kind: str, subject: str) -> None:
    """Nobody else counts or adds attempts of this subject before the transaction ends."""
    await tx.value(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text", f"{kind}/{subject}"
    )


async def find_oldest(
    tx: Tx, kind: str, subject: str, since: datetime, nth: int
) -> datetime | None:
    """When the `nth` last attempt was made, if since then."""
    found: datetime | None = await tx.value(
        """
        SELECT at FROM sign_in_attempts WHERE kind = $1 AND subject = $2 AND at > $3
         ORDER BY at DESC OFFSET $4 LIMIT 1
        """,
        kind,
        subject,
        since,
        nth - 1,
    )
    return found


async def insert(tx: Tx, kind: str, subject: str, attempt_id: UUID) -> None:
    await tx.run(
        "INSERT INTO sign_in_attempts (kind, subject, at, id) VALUES ($1, $2, $3, $4)",
        kind,
        subject,
        tx.now,
        attempt_id,
    )


async def delete(tx: Tx, kind: str, subject: str, attempt_id: UUID | None) -> None:
    """One attempt of the subject; without an id, all of them."""
    await tx.run(
        """
        DELETE FROM sign_in_attempts
         WHERE kind = $1 AND subject = $2 AND ($3::uuid IS NULL OR id = $3)
        """,
        kind,
        subject,
        attempt_id,
    )


async def delete_before(tx: Tx, at: datetime) -> int:
    return await tx.run("DELETE FROM sign_in_attempts WHERE at < $1", at)
