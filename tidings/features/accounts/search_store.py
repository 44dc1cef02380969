"""Finding accounts by name for operators."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Row, Tx


async def find_page(tx: Tx, search: str, state: str, after: str, size: int) -> Sequence[Row]:
    """By name, whose name or organisation contains `search`, in this state where one is given."""
    return await tx.rows(
        """
        SELECT a.id, o.name AS organisation FROM accounts a
          JOIN organisations o ON o.id = a.organisation_id
         WHERE a.name > $2
           AND ($1::text = '' OR strpos(lower(a.name), lower($1)) > 0
                OR strpos(lower(o.name), lower($1)) > 0)
           AND ($4::text = '' OR $4 = CASE WHEN NOT a.active THEN 'disabled'
                                           WHEN a.paused THEN 'paused' ELSE 'active' END)
         ORDER BY a.name LIMIT $3
        """,
        search,
        after,
        size,
        state,
    )


async def count(tx: Tx) -> dict[str, int]:
    """How many accounts there are, and how many of them are paused and disabled."""
    row = await tx.row(
        """
        SELECT count(*) AS total, count(*) FILTER (WHERE NOT active) AS disabled,
               count(*) FILTER (WHERE active AND paused) AS paused,
               count(*) FILTER (WHERE environment = 'live') AS live
          FROM accounts
        """
    )
    assert row is not None, "an aggregate has one row"
    return dict(row)


async def find_names(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await tx.rows(
        "SELECT id, name FROM accounts WHERE id = ANY($1::uuid[])", list(account_ids)
    )
    return {row["id"]: row["name"] for row in rows}
