"""The accounts of an installation, for operators: by pages, by name, and counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx

from . import search_store, store
from .model import Account
from .search_store import Column


@dataclass(frozen=True, slots=True)
class Listed:
    account: Account
    organisation: str


@dataclass(frozen=True, slots=True)
class AccountPage:
    accounts: list[Listed]
    next_name: str | None  # `after` of the next page


async def search_accounts(
    tx: Tx,
    search: str,
    *,
    state: str = "",
    after: str,
    size: int,
    by: Column = "name",
    order: Order = Order.ASCENDING,
) -> AccountPage:
    """Accounts with `search` in their own or their organisation's name. `state`: active, paused or
    disabled; empty: any."""
    rows = await search_store.find_page(tx, search, state, after, size + 1, by, order)
    loaded = await store.load(tx, [row["id"] for row in rows[:size]])
    listed = [Listed(loaded[row["id"]], row["organisation"]) for row in rows[:size]]
    is_last = len(rows) <= size
    return AccountPage(listed, None if is_last else listed[-1].account.name)


async def count_accounts(tx: Tx) -> dict[str, int]:
    """`total`, `live`, `paused` and `disabled`."""
    return await search_store.count(tx)


async def load_names(tx: Tx, account_ids: Iterable[UUID]) -> dict[UUID, str]:
    """The names of those of these accounts that exist."""
    return await search_store.find_names(tx, sorted(set(account_ids)))
