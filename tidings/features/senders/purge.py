"""Forget what no limit counts any more: by and by, for every account, until nothing is found."""

from collections.abc import Iterable

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import store
from .meters import KEPT


async def purge(tx: Tx, accounts: Iterable[Account]) -> int:
    """A page of rows at most; how many went. Each account's own time decides what is old."""
    before = {account.id: account.now(tx.now) - KEPT for account in accounts}
    return await store.purge(tx, before, limits.PURGE_PAGE_ROWS)
