"""What other slices may ask of the account's numbers."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import split

from . import store
from .model import Number

KIND = "numbers"


async def load_numbers(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Number]]:
    """The accounts' numbers in their order of preference; remembered while nothing changes."""
    if tx.cache is None:
        return await store.load_numbers(tx, account_ids)
    known, missing = split(tx.cache, KIND, account_ids)
    if missing:
        loaded = await store.load_numbers(tx, missing)
        for account_id in missing:
            known[account_id] = tx.cache[KIND, account_id] = loaded.get(account_id, [])
    return known
