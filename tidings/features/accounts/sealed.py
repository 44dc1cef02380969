"""Columns whose values are sealed under the master key, and sealing them anew under another.

Each slice declares its own, beside the function that seals; `tidings/sealed_columns.py` lists them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tidings.engine.db.tx import Tx
from tidings.secrets import Sealer, Unsealable

from . import changes, sealed_store

ACCOUNT = "account_id"
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SealedColumn:
    table: str
    column: str
    key: tuple[str, ...]  # the columns that identify a row; `account_id` first, if it has one
    context: Callable[[Key], str]  # what a value is bound to, by its row's key

    @property
    def name(self) -> str:
        return f"{self.table}.{self.column}"


@dataclass(frozen=True, slots=True)
class Page:
    """Rows that were sealed under another key."""

    resealed: int
    shut: list[Key]  # that no key at hand opens
    last: Key | None  # where the next page begins; None: there is none


async def count_by_key(tx: Tx, column: SealedColumn) -> dict[bytes, int]:
    """How many values there are by what they begin with: format and key (`Sealer.prefix`)."""
    return await sealed_store.count(tx, column.table, column.column)


async def reseal_page(
    tx: Tx, sealer: Sealer, column: SealedColumn, after: Key | None, size: int
) -> Page:
    """Seal a page of values anew that were sealed under another key than the present one. Processes
    that have cached them are notified."""
    rows = await sealed_store.load_others(tx, column, sealer.prefix, after, size)
    accounts = {row[0] for row in rows} if column.key[0] == ACCOUNT else set()
    if accounts:
        await changes.begin(tx, accounts)
    resealed, shut = 0, []
    for *parts, sealed in rows:
        key = tuple(parts)
        try:
            plain = sealer.open(sealed, column.context(key)).reveal()
        except Unsealable:
            shut.append(key)
            continue
        anew = sealer.seal(plain, column.context(key))
        resealed += await sealed_store.replace(tx, column, key, sealed, anew)
    for account_id in sorted(accounts):
        await changes.announce(tx, account_id)
    return Page(resealed, shut, _last(rows, size))


def _last(rows: Sequence[Any], size: int) -> Key | None:
    return tuple(rows[-1])[:-1] if len(rows) == size else None
