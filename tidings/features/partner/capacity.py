"""A partner's capacity as charging uses it: lock, use, give back (contract.md, "Billing").

Every message of the partner, and of the accounts that belong to it, uses one. The row is locked
before anything is decided from it, partners in order of their ids, and before contacts, messages
and ledgers are touched: so what `lock` says is still true when `use` writes.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Conflict, Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import store
from .model import Capacity

__all__ = ["Capacity", "find", "lock", "release", "use"]


async def lock(tx: Tx, partner_ids: Iterable[UUID]) -> dict[UUID, Capacity]:
    """The capacity of each partner, which nobody else changes until this transaction ends."""
    return await _load(tx, partner_ids, locked=True)


async def find(tx: Tx, partner_ids: Iterable[UUID]) -> dict[UUID, Capacity]:
    """The same to be looked at only."""
    return await _load(tx, partner_ids, locked=False)


async def use(tx: Tx, messages: Mapping[UUID, int]) -> None:
    """Take from what is left. What `lock` promised is there; without it, a race starts afresh."""
    wanted = {partner: count for partner, count in messages.items() if count}
    assert all(count > 0 for count in wanted.values()), "what is refunded is given back"
    await _in_order(tx, wanted)
    if wanted and await store.use_capacity(tx, wanted) != len(wanted):
        raise Conflict("the capacity is not there any more")


async def release(tx: Tx, messages: Mapping[UUID, int]) -> None:
    """Return what refunded messages had used. More than was used is a bug, and stops here."""
    returned = {partner: count for partner, count in messages.items() if count}
    assert all(count > 0 for count in returned.values()), "what is charged is used"
    await _in_order(tx, returned)
    if returned:
        touched = await store.return_capacity(tx, returned)
        assert touched == len(returned), "more is given back than was used"


async def _in_order(tx: Tx, messages: Mapping[UUID, int]) -> None:
    """One statement locks its rows in no order of ours: two of them could wait for each other."""
    if len(messages) > 1:
        await store.load_capacity(tx, sorted(messages), locked=True)


async def _load(tx: Tx, partner_ids: Iterable[UUID], *, locked: bool) -> dict[UUID, Capacity]:
    wanted = sorted(set(partner_ids))
    if not wanted:
        return {}
    accounts = await load_accounts(tx, wanted)
    counts = await store.load_capacity(tx, wanted, locked=locked)
    return {key: Capacity(*counts.get(key, (0, 0)), _ends(accounts, key)) for key in wanted}


def _ends(accounts: Mapping[UUID, Account], partner_id: UUID) -> datetime | None:
    account = accounts.get(partner_id)
    return None if account is None or account.partner is None else account.partner.expires_at
