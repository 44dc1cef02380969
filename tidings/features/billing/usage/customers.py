"""The accounts that use a partner's capacity, and how much of it each has used."""

from dataclasses import dataclass
from datetime import date

from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import find_belonging, load_accounts
from tidings.features.accounts.model import Account

from ..charging import store as charge_store


@dataclass(frozen=True, slots=True)
class CustomerUse:
    account: Account
    messages: int  # what was refunded taken off


async def load_customers(tx: Tx, partner: Account, first: date, last: date) -> list[CustomerUse]:
    """The busiest first."""
    accounts = await load_accounts(tx, await find_belonging(tx, partner.id))
    sums = await charge_store.load_sums(tx, list(accounts), first, last)
    found = []
    for account in accounts.values():
        charged, refunded = sums.get(account.id, (0, 0))
        found.append(CustomerUse(account, charged - refunded))
    return sorted(found, key=lambda one: (-one.messages, one.account.name))
