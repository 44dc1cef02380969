"""A partner's capacity, as charging uses it: lock, use, release (contract.md, "Billing").

Every message of the partner, and of the accounts that belong to it, uses one unit. `lock` locks the
rows in order of partner id, before contacts, messages and ledgers, so that what it returns is still
true when `use` writes.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from tidings.engine.db.errors import Conflict
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import store
from .model import Capacity

__all__ = ["Capacity", "find", "lock", "release", "use"]


async def lock(tx: Tx, partner_ids: Iterable[UUID]) -> dict[UUID, Capacity]:
    """Each partner's capacity, locked until this transaction ends."""
    return await _load(tx, partner_ids, locked=True)


async def find(tx: Tx, partner_ids: Iterable[UUID]) -> dict[UUID, Capacity]:
    """The same without a lock."""
    return await _load(tx, partner_ids, locked=False)


async def use(tx: Tx, messages: Mapping[UUID, int]) -> None:
    """Use remaining capacity. Without `lock`, a lost race raises Conflict and is retried."""
    used = {partner: count for partner, count in messages.items() if count}
    assert all(count > 0 for count in used.values()), "refunds go through `release`"
    await _lock_in_order(tx, used)
    if used and await store.use_capacity(tx, used) != len(used):
        raise Conflict("the capacity is not there any more")


async def release(tx: Tx, messages: Mapping[UUID, int]) -> None:
    """Return the capacity of refunded messages. Returning more than was used is a bug."""
    returned = {partner: count for partner, count in messages.items() if count}
    assert all(count > 0 for count in returned.values()), "charges go through `use`"
    await _lock_in_order(tx, returned)
    if returned:
        touched = await store.return_capacity(tx, returned)
        assert touched == len(returned), "more is released than was used"


async def _lock_in_order(tx: Tx, messages: Mapping[UUID, int]) -> None:
    """An UPDATE locks rows in plan order, so two of them could deadlock."""
    if len(messages) > 1:
        await store.load_capacity(tx, sorted(messages), locked=True)


async def _load(tx: Tx, partner_ids: Iterable[UUID], *, locked: bool) -> dict[UUID, Capacity]:
    ordered = sorted(set(partner_ids))
    if not ordered:
        return {}
    accounts = await load_accounts(tx, ordered)
    counts = await store.load_capacity(tx, ordered, locked=locked)
    return {key: Capacity(*counts.get(key, (0, 0)), _expires_at(accounts, key)) for key in ordered}


def _expires_at(accounts: Mapping[UUID, Account], partner_id: UUID) -> datetime | None:
    account = accounts.get(partner_id)
    return None if account is None or account.partner is None else account.partner.expires_at
