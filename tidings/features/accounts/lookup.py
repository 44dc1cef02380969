"""What other slices may ask of accounts."""

from collections.abc import Iterable
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store
from .model import Account


async def load_accounts(tx: Tx, account_ids: Iterable[UUID]) -> dict[UUID, Account]:
    """Accounts as they are in this transaction, their clocks included."""
    return await store.load(tx, sorted(set(account_ids)))
