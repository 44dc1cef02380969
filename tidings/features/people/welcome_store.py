"""The welcome_links table."""

from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Row, Tx

from .model import Welcome
from .roles import Role

_COLUMNS = """
    w.id, w.email, w.organisation_id, o.name AS organisation, w.account_id, w.role, w.is_operator,
    w.asks_password, w.resets_password, w.invited_by, w.created_at, w.expires_at
"""
_FROM = "welcome_links w LEFT JOIN organisations o ON o.id = w.organisation_id"


async def insert(tx: Tx, token_hash: bytes, link: Welcome) -> None:
    await tx.run(
        """
        INSERT INTO welcome_links (token_hash, id, email, organisation_id, account_id, role,
                                   is_operator, asks_password, resets_password, invited_by,
                                   created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """,
        token_hash,
        link.id,
        link.email,
        link.organisation_id,
        link.account_id,
        None if link.role is None else link.role.value,
        link.is_operator,
        link.asks_password,
        link.resets_password,
        link.invited_by,
        link.created_at,
        link.expires_at,
    )


async def find(tx: Tx, token_hash: bytes) -> Welcome | None:
    """One that is neither used nor over; locks it, so that it is used once."""
    row = await tx.row(
        f"""
        SELECT {_COLUMNS} FROM {_FROM}
         WHERE w.token_hash = $1 AND w.used_at IS NULL AND w.expires_at > $2 FOR UPDATE OF w
        """,
        token_hash,
        tx.now,
    )
    return None if row is None else _welcome(row)


async def load_open(tx: Tx, organisation_id: UUID) -> list[Welcome]:
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM {_FROM}
         WHERE w.organisation_id = $1 AND w.used_at IS NULL AND w.expires_at > $2
         ORDER BY lower(w.email), w.created_at
        """,
        organisation_id,
        tx.now,
    )
    return [_welcome(row) for row in rows]


async def use(tx: Tx, link_id: UUID) -> None:
    await tx.run("UPDATE welcome_links SET used_at = $2 WHERE id = $1", link_id, tx.now)


async def withdraw(tx: Tx, organisation_id: UUID, email: str) -> int:
    """Every open link of an address into the organisation; how many."""
    return await tx.run(
        """
        DELETE FROM welcome_links
         WHERE organisation_id = $1 AND lower(email) = lower($2) AND used_at IS NULL
        """,
        organisation_id,
        email,
    )


async def delete_before(tx: Tx, at: datetime) -> int:
    return await tx.run("DELETE FROM welcome_links WHERE expires_at < $1", at)


def _welcome(row: Row) -> Welcome:
    role = row["role"]
    return Welcome(**dict(row) | {"role": None if role is None else Role(role)})
