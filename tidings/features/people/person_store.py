"""The people and recovery_codes tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx

from .model import Person


@dataclass(frozen=True, slots=True)
class StoredPerson:
    id: UUID
    email: str
    is_operator: bool
    language: str
    password_hash: str | None = field(repr=False)
    totp: bytes | None = field(repr=False)
    totp_step: int
    totp_pending: bytes | None = field(repr=False)

    @property
    def person(self) -> Person:
        return Person(self.id, self.email, self.is_operator, self.language)


_COLUMNS = "id, email, is_operator, language, password_hash, totp, totp_step, totp_pending"


async def find_by_email(tx: Tx, email: str) -> StoredPerson | None:
    row = await tx.row(f"SELECT {_COLUMNS} FROM people WHERE lower(email) = lower($1)", email)
    return None if row is None else StoredPerson(**row)


async def load(tx: Tx, person_id: UUID) -> StoredPerson:
    """Locks the row: two uses of one code cannot both succeed."""
    row = await tx.row(f"SELECT {_COLUMNS} FROM people WHERE id = $1 FOR UPDATE", person_id)
    assert row is not None
    return StoredPerson(**row)


async def load_all(tx: Tx) -> list[StoredPerson]:
    rows = await tx.rows(f"SELECT {_COLUMNS} FROM people ORDER BY lower(email)")
    return [StoredPerson(**row) for row in rows]


async def search(tx: Tx, text: str, after: str, size: int, order: Order) -> list[StoredPerson]:
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM people
         WHERE position(lower($1) IN lower(email)) > 0
           AND ($2::text = '' OR lower(email) {order.after} lower($2))
         ORDER BY lower(email) {order.value} LIMIT $3
        """,
        text,
        after,
        size,
    )
    return [StoredPerson(**row) for row in rows]


async def insert(tx: Tx, person_id: UUID, email: str, password_hash: str | None) -> bool:
    """False: somebody has this address."""
    inserted = await tx.run(
        """
        INSERT INTO people (id, email, password_hash, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING
        """,
        person_id,
        email,
        password_hash,
        tx.now,
    )
    return inserted == 1


async def make_operator(tx: Tx, person_id: UUID) -> None:
    await tx.run("UPDATE people SET is_operator = true WHERE id = $1", person_id)


async def set_password(tx: Tx, person_id: UUID, password_hash: str) -> None:
    await tx.run("UPDATE people SET password_hash = $2 WHERE id = $1", person_id, password_hash)


async def set_pending(tx: Tx, person_id: UUID, sealed: bytes) -> None:
    await tx.run("UPDATE people SET totp_pending = $2 WHERE id = $1", person_id, sealed)


async def turn_on(tx: Tx, person_id: UUID, step: int) -> None:
    """The pending secret is the second factor from now on."""
    await tx.run(
        """
        UPDATE people SET totp = totp_pending, totp_pending = NULL, totp_step = $2 WHERE id = $1
        """,
        person_id,
        step,
    )


async def turn_off(tx: Tx, person_id: UUID) -> None:
    await tx.run(
        "UPDATE people SET totp = NULL, totp_pending = NULL, totp_step = 0 WHERE id = $1", person_id
    )


async def set_step(tx: Tx, person_id: UUID, step: int) -> None:
    await tx.run("UPDATE people SET totp_step = $2 WHERE id = $1", person_id, step)


async def delete(tx: Tx, person_id: UUID) -> None:
    """With memberships, sessions and recovery codes."""
    await tx.run("DELETE FROM people WHERE id = $1", person_id)


async def replace_recovery_codes(tx: Tx, person_id: UUID, hashes: Sequence[bytes]) -> None:
    await tx.run("DELETE FROM recovery_codes WHERE person_id = $1", person_id)
    await tx.run(
        "INSERT INTO recovery_codes (person_id, code_hash) SELECT $1, unnest($2::bytea[])",
        person_id,
        list(hashes),
    )


async def use_recovery_code(tx: Tx, person_id: UUID, code_hash: bytes) -> bool:
    """False: it is none of the person's, or was used."""
    used = await tx.run(
        "DELETE FROM recovery_codes WHERE person_id = $1 AND code_hash = $2", person_id, code_hash
    )
    return used == 1


async def count_recovery_codes(tx: Tx, person_id: UUID) -> int:
    found: int = await tx.value(
        "SELECT count(*) FROM recovery_codes WHERE person_id = $1", person_id
    )
    return found
