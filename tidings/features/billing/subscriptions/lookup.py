"""Read access to billing for other slices. Subscriptions are cached until they change."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import split

from ..charging.store import load_charges
from ..model import Subscription
from . import store

__all__ = ["load_charges", "load_subscriptions"]

KIND = "subscriptions"


async def load_subscriptions(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Subscription]]:
    """Each account's subscriptions, the oldest first. Every change invalidates the cache."""
    if tx.cache is None:
        return await store.load_subscriptions(tx, account_ids)
    known, missing = split(tx.cache, KIND, account_ids)
    if missing:
        loaded = await store.load_subscriptions(tx, missing)
        tx.cache |= {(KIND, account_id): found for account_id, found in loaded.items()}
        known |= loaded
    return known
