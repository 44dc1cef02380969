"""Read access to billing for other slices. Subscriptions are cached until they change."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from ..charging.store import load_charges
from ..model import Subscription
from . import store

__all__ = ["load_charges", "load_subscriptions"]

KIND = "subscriptions"


async def load_subscriptions(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Subscription]]:
    """Each account's subscriptions, the oldest first. Every change invalidates the cache."""
    return await tx.cache.load(
        KIND, account_ids, lambda missing: store.load_subscriptions(tx, missing)
    )
