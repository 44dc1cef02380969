"""Sealed values of any table. Names of tables and columns come from declarations, not from data."""

from collections.abc import Sequence
from typing import Any, Protocol

from tidings.engine.db.tx import Row, Tx
from tidings.secrets import PREFIX_BYTES


class Column(Protocol):
    @property
    def table(self) -> str: ...

    @property
    def column(self) -> str: ...

    @property
    def key(self) -> tuple[str, ...]: ...


async def count(tx: Tx, table: str, column: str) -> dict[bytes, int]:
    rows = await tx.rows(
        f"""
        SELECT substr({column}, 1, {PREFIX_BYTES}) AS prefix, count(*) AS n FROM {table}
         WHERE {column} IS NOT NULL GROUP BY 1
        """
    )
    return {row["prefix"]: row["n"] for row in rows}


async def load_others(
    tx: Tx, column: Column, prefix: bytes, after: Sequence[Any] | None, size: int
) -> Sequence[Row]:
    """Rows by their key, with the value last, that do not begin with this."""
    key = ", ".join(column.key)
    places = ", ".join(f"${n}" for n in range(3, 3 + len(column.key)))
    behind = f"AND ({key}) > ({places})" if after is not None else ""
    return await tx.rows(
        f"""
        SELECT {key}, {column.column} FROM {column.table}
         WHERE {column.column} IS NOT NULL
           AND substr({column.column}, 1, {PREFIX_BYTES}) <> $1 {behind}
         ORDER BY {key} LIMIT $2
        """,
        prefix,
        size,
        *(after or ()),
    )


async def replace(tx: Tx, column: Column, key: Sequence[Any], old: bytes, new: bytes) -> int:
    """Compare and set: a value that changed meanwhile was sealed anew by whoever changed it."""
    same = " AND ".join(f"{name} = ${n}" for n, name in enumerate(column.key, 3))
    return await tx.run(
        f"UPDATE {column.table} SET {column.column} = $1 WHERE {column.column} = $2 AND {same}",
        new,
        old,
        *key,
    )
