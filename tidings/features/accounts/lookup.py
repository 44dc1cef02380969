"""What other slices may ask of accounts."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from tidings.engine.db.remembered import split
from tidings.engine.db.tx import Tx

from . import store
from .model import Account

KIND = "account"


async def load_accounts(
    tx: Tx, account_ids: Iterable[UUID], *, standing: bool = False
) -> dict[UUID, Account]:
    """Accounts as they are in this transaction, their clocks included.

    `standing`: and as they stay until it ends. For whoever writes down times of an account that
    nobody would bring forward any more, because its clock has just been played past them.

    One short query tells the clocks, and whether anything else has changed since we last read it;
    after it, `tx.facts` holds what other slices remember of these accounts.
    """
    version, clocks = await store.load_clocks_and_version(
        tx, sorted(set(account_ids)), standing=standing
    )
    tx.facts = tx.remembered.at(version)
    known, missing = split(tx.facts, KIND, clocks)
    if missing:
        loaded = await store.load(tx, missing)
        tx.facts |= {(KIND, key): account for key, account in loaded.items()}
        known |= loaded
    return {key: _at(known[key], clock) for key, clock in clocks.items() if key in known}


async def find_belonging(tx: Tx, partner_id: UUID) -> list[UUID]:
    """The accounts that use this partner's capacity."""
    return await store.find_belonging(tx, partner_id)


def _at(account: Account, clock: timedelta) -> Account:
    return account if account.clock == clock else replace(account, clock=clock)
