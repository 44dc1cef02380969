"""The sessions table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Row, Tx

from .model import AccountRef, Membership, OpenSession, Person
from .roles import Role

_FIND = """
    WITH found AS MATERIALIZED (
        SELECT s.id, s.account_id AS chosen, s.last_seen_at, p.id AS person_id, p.email,
               p.is_operator, p.language
          FROM sessions s JOIN people p ON p.id = s.person_id
         WHERE s.token_hash = $1 AND s.is_complete AND s.last_seen_at > $2
    ), seen AS (
        UPDATE sessions SET last_seen_at = $3
         WHERE id IN (SELECT id FROM found WHERE last_seen_at < $4)
    )
    SELECT f.id, f.chosen, f.person_id, f.email, f.is_operator, f.language, m.role,
           o.id AS organisation_id, o.name AS organisation,
           a.id AS account_id, a.name AS account, a.environment
      FROM found f
           LEFT JOIN memberships m ON m.person_id = f.person_id
           LEFT JOIN organisations o ON o.id = m.organisation_id
           LEFT JOIN accounts a ON a.organisation_id = o.id
     ORDER BY o.name, o.id, a.created_at, a.id
"""


@dataclass(frozen=True, slots=True)
class Found:
    id: UUID
    chosen: UUID | None
    person: Person
    memberships: tuple[Membership, ...]


async def find(
    tx: Tx, token_hash: bytes, *, idle_since: datetime, unseen_since: datetime
) -> Found | None:
    """The complete session of this token; one last seen before `unseen_since` is seen now."""
    rows = await tx.rows(_FIND, token_hash, idle_since, tx.now, unseen_since)
    if not rows:
        return None
    first = rows[0]
    person = Person(first["person_id"], first["email"], first["is_operator"], first["language"])
    return Found(first["id"], first["chosen"], person, _memberships(rows))


def _memberships(rows: Sequence[Row]) -> tuple[Membership, ...]:
    grouped = groupby(
        (row for row in rows if row["organisation_id"] is not None),
        key=lambda row: (row["organisation_id"], row["organisation"], row["role"]),
    )
    return tuple(
        Membership(
            organisation_id,
            organisation,
            Role(role),
            tuple(
                AccountRef(row["account_id"], row["account"], row["environment"])
                for row in members
                if row["account_id"] is not None
            ),
        )
        for (organisation_id, organisation, role), members in grouped
    )


async def insert(
    tx: Tx,
    token_hash: bytes,
    session_id: UUID,
    person_id: UUID,
    *,
    is_complete: bool,
    account_id: UUID | None,
    address: str | None,
    user_agent: str,
) -> None:
    await tx.run(
        """
        INSERT INTO sessions (token_hash, id, person_id, is_complete, created_at, last_seen_at,
                              address, user_agent, account_id)
        VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)
        """,
        token_hash,
        session_id,
        person_id,
        is_complete,
        tx.now,
        address,
        user_agent,
        account_id,
    )


async def load_open(tx: Tx, person_id: UUID, *, idle_since: datetime) -> list[OpenSession]:
    rows = await tx.rows(
        """
        SELECT id, created_at, last_seen_at, address, user_agent FROM sessions
         WHERE person_id = $1 AND is_complete AND last_seen_at > $2
         ORDER BY last_seen_at DESC, id DESC LIMIT $3
        """,
        person_id,
        idle_since,
        limits.SESSIONS_LISTED_MAX,
    )
    return [OpenSession(**row) for row in rows]


async def delete(tx: Tx, person_id: UUID, session_id: UUID) -> bool:
    """False: the person has no such session."""
    deleted = await tx.run(
        "DELETE FROM sessions WHERE person_id = $1 AND id = $2", person_id, session_id
    )
    return deleted == 1


async def delete_others(tx: Tx, person_id: UUID, session_id: UUID) -> int:
    return await tx.run(
        "DELETE FROM sessions WHERE person_id = $1 AND id <> $2", person_id, session_id
    )


async def choose(tx: Tx, session_id: UUID, account_id: UUID) -> bool:
    """False: no membership of the session's person has this account."""
    chosen = await tx.run(
        """
        UPDATE sessions s SET account_id = $2
          FROM memberships m JOIN accounts a ON a.organisation_id = m.organisation_id
         WHERE s.id = $1 AND m.person_id = s.person_id AND a.id = $2
        """,
        session_id,
        account_id,
    )
    return chosen == 1


async def find_waiting(tx: Tx, token_hash: bytes, since: datetime) -> UUID | None:
    """The person of a session that waits for the second factor since then."""
    found: UUID | None = await tx.value(
        """
        SELECT person_id FROM sessions
         WHERE token_hash = $1 AND NOT is_complete AND created_at > $2
        """,
        token_hash,
        since,
    )
    return found


async def delete_by_token(tx: Tx, token_hash: bytes) -> None:
    await tx.run("DELETE FROM sessions WHERE token_hash = $1", token_hash)


async def delete_of(tx: Tx, person_id: UUID) -> None:
    await tx.run("DELETE FROM sessions WHERE person_id = $1", person_id)


async def delete_all(tx: Tx) -> int:
    return await tx.run("DELETE FROM sessions")


async def delete_idle(tx: Tx, since: datetime) -> int:
    return await tx.run("DELETE FROM sessions WHERE last_seen_at <= $1", since)
