"""The table `second_opinions`: how many questions were asked for each account on each day."""

from datetime import date
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.tx import Tx

ADVISORY_LOCK = 0x7469645F6F70  # any number that no other lock has


class Spent(NamedTuple):
    by_account: int
    by_all: int


async def lock_spent(tx: Tx, account_id: UUID, day: date) -> Spent:
    """The questions of this day. Nobody else counts before this transaction ends."""
    await tx.run("SELECT pg_advisory_xact_lock($1)", ADVISORY_LOCK)
    row = await tx.row(
        """
        SELECT coalesce(sum(asked) FILTER (WHERE account_id = $1), 0)::bigint AS own,
               coalesce(sum(asked), 0)::bigint AS everybodys
          FROM second_opinions WHERE day = $2
        """,
        account_id,
        day,
    )
    assert row is not None, "a sum always has a row"
    return Spent(row["own"], row["everybodys"])


async def count(tx: Tx, account_id: UUID, day: date) -> None:
    await tx.run(
        """
        INSERT INTO second_opinions AS o (account_id, day, asked) VALUES ($1, $2, 1)
        ON CONFLICT (account_id, day) DO UPDATE SET asked = o.asked + 1
        """,
        account_id,
        day,
    )


async def purge(tx: Tx, before: date) -> int:
    return await tx.run("DELETE FROM second_opinions WHERE day < $1", before)
