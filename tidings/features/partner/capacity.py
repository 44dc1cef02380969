"""A partner's capacity as charging uses it: lock, use, give back (contract.md, "Billing").

Every message of the partner, and of the accounts that belong to it, uses one. The row is locked
before anything is decided from it, partners in order of their ids, and before contacts, messages
and ledgers are touched: so what `lock` says is still true when `use` writes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Conflict, Tx
from tidings.features.accounts.lookup import load_accounts

from . import store


@dataclass(frozen=True, slots=True)
class Capacity:
    """Messages bought and used. `expires_at` is when the agreement ends, None: it does not."""

    total: int = 0
    used: int = 0
    expires_at: datetime | None = None

    @property
    def remaining(self) -> int:
        return self.total - self.used

    @property
    def pct(self) -> int:
        """Percent used, never rounded up: 100 means that nothing is left."""
        return 100 * self.used // self.total if self.total else 0

    def is_expired(self, now: datetime) -> bool:
        """`now` is the time of the account that asks."""
        return self.expires_at is not None and now >= self.expires_at


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
    if wanted and await store.use_capacity(tx, wanted) != len(wanted):
        raise Conflict("the capacity is not there any more")


async def give_back(tx: Tx, messages: Mapping[UUID, int]) -> None:
    """Return what refunded messages had used. More than was used is a bug, and stops here."""
    returned = {partner: count for partner, count in messages.items() if count}
    assert all(count > 0 for count in returned.values()), "what is charged is used"
    if returned:
        touched = await store.return_capacity(tx, returned)
        assert touched == len(returned), "more is given back than was used"


async def _load(tx: Tx, partner_ids: Iterable[UUID], *, locked: bool) -> dict[UUID, Capacity]:
    wanted = sorted(set(partner_ids))
    if not wanted:
        return {}
    accounts = await load_accounts(tx, wanted)
    counts = await store.load_capacity(tx, wanted, locked=locked)
    return {key: Capacity(*counts.get(key, (0, 0)), _ends(accounts, key)) for key in wanted}


def _ends(accounts: Mapping[UUID, object], partner_id: UUID) -> datetime | None:
    terms = getattr(accounts.get(partner_id), "partner", None)
    ends: datetime | None = None if terms is None else terms.expires_at
    return ends
