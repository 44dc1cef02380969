"""What other slices may ask of accounts."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import split

from . import store
from .model import Account

KIND = "account"


async def load_accounts(
    tx: Tx, account_ids: Iterable[UUID], *, for_share: bool = False
) -> dict[UUID, Account]:
    """Accounts as they are in this transaction, their clocks included.

    `for_share`: locks the rows, so that no sandbox clock moves before the transaction ends. Needed
    to store due times: a clock that advanced past them meanwhile would leave them behind.

    One short query reads the clocks and the version of everything else; after it, `tx.cache` holds
    what other slices have cached for these accounts.
    """
    version, clocks = await store.load_clocks_and_version(
        tx, sorted(set(account_ids)), for_share=for_share
    )
    tx.cache = tx.versioned_cache.at(version)
    known, missing = split(tx.cache, KIND, clocks)
    if missing:
        loaded = await store.load(tx, missing)
        tx.cache |= {(KIND, key): account for key, account in loaded.items()}
        known |= loaded
    return {key: _at(known[key], clock) for key, clock in clocks.items() if key in known}


async def find_belonging(tx: Tx, partner_id: UUID) -> list[UUID]:
    """The accounts that use this partner's capacity."""
    return await store.find_belonging(tx, partner_id)


def _at(account: Account, clock: timedelta) -> Account:
    return account if account.clock == clock else replace(account, clock=clock)
