"""Finding accounts by name for operators."""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx

Column = Literal["name", "created"]

# What is compared, and to what of the account named $2.
_KEYS: dict[Column, tuple[str, str]] = {
    "name": ("a.name", "$2"),
    "created": (
        "(a.created_at, a.name)",
        "(SELECT created_at, name FROM accounts WHERE name = $2)",
    ),
}


async def find_page(
    tx: Tx, search: str, state: str, after: str, size: int, by: Column, order: Order
) -> Sequence[Row]:
    """Whose name or organisation contains `search`, in this state where one is given. `after`: the
    name of the last one of the previous page."""
    key, last = _KEYS[by]
    return await tx.rows(
        f"""
        SELECT a.id, o.name AS organisation FROM accounts a
          JOIN organisations o ON o.id = a.organisation_id
         WHERE ($2::text = '' OR {key} {order.after} {last})
           AND ($1::text = '' OR strpos(lower(a.name), lower($1)) > 0
                OR strpos(lower(o.name), lower($1)) > 0)
           AND ($4::text = '' OR $4 = CASE WHEN NOT a.active THEN 'disabled'
                                           WHEN a.paused THEN 'paused' ELSE 'active' END)
         ORDER BY {key} {order.value} LIMIT $3
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
