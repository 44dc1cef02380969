"""The memberships table."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Member
from .roles import Role


async def lock_organisation(tx: Tx, organisation_id: UUID) -> None:
    """One change of an organisation's people at a time: it never ends up without an owner."""
    await tx.value("SELECT id FROM organisations WHERE id = $1 FOR UPDATE", organisation_id)


async def load(tx: Tx, organisation_id: UUID) -> list[Member]:
    rows = await tx.rows(
        """
        SELECT p.id AS person_id, p.email, m.role, p.totp IS NOT NULL AS has_second_factor,
               m.created_at
          FROM memberships m JOIN people p ON p.id = m.person_id
         WHERE m.organisation_id = $1 ORDER BY lower(p.email)
        """,
        organisation_id,
    )
    return [
        Member(
            row["person_id"],
            row["email"],
            Role(row["role"]),
            row["has_second_factor"],
            row["created_at"],
        )
        for row in rows
    ]


async def load_organisations(tx: Tx, person_id: UUID) -> dict[UUID, tuple[str, Role]]:
    """The organisations of a person: handle and role."""
    rows = await tx.rows(
        """
        SELECT o.id, o.handle, m.role FROM memberships m JOIN organisations o
            ON o.id = m.organisation_id
         WHERE m.person_id = $1 ORDER BY o.handle
        """,
        person_id,
    )
    return {row["id"]: (row["handle"], Role(row["role"])) for row in rows}


async def put(tx: Tx, organisation_id: UUID, person_id: UUID, role: Role) -> None:
    """Add a member, or change the role."""
    await tx.run(
        """
        INSERT INTO memberships (organisation_id, person_id, role, created_at)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (organisation_id, person_id) DO UPDATE SET role = excluded.role
        """,
        organisation_id,
        person_id,
        role.value,
        tx.now,
    )


async def delete(tx: Tx, organisation_id: UUID, person_id: UUID) -> None:
    await tx.run(
        "DELETE FROM memberships WHERE organisation_id = $1 AND person_id = $2",
        organisation_id,
        person_id,
    )


async def load_all_organisations(
    tx: Tx, person_ids: Sequence[UUID] | None = None
) -> dict[UUID, dict[UUID, tuple[str, Role]]]:
    """The organisations of everybody, or of these people, by person."""
    rows = await tx.rows(
        """
        SELECT m.person_id, o.id, o.handle, m.role FROM memberships m JOIN organisations o
            ON o.id = m.organisation_id
         WHERE $1::uuid[] IS NULL OR m.person_id = ANY($1::uuid[]) ORDER BY o.handle
        """,
        person_ids,
    )
    found: dict[UUID, dict[UUID, tuple[str, Role]]] = {}
    for row in rows:
        found.setdefault(row["person_id"], {})[row["id"]] = row["handle"], Role(row["role"])
    return found
