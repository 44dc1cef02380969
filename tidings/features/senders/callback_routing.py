"""Which account a platform callback belongs to, and when callbacks last arrived for it.

A number at the platform belongs to one account here (`configure` enforces it), so its callbacks do
too. A business account may hold numbers of several accounts; its events concern all of them.

Each business account is subscribed on its own, so callbacks may be missing for one and arrive for
others. The time of the last one is a liveness signal, not a log: it is written every few seconds.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import recall_accounts

from . import platform_store as store
from .lookup import load_numbers

KIND = "number at the platform"


class NumberOwner(msgspec.Struct, frozen=True):
    """A number of ours and its account."""

    account_id: UUID
    number: str


async def find_number_owners(tx: Tx, phone_number_ids: Iterable[str]) -> dict[str, NumberOwner]:
    """An id that is not one of our numbers' is absent. An owner known from before is confirmed by
    the account's numbers, which are cached."""
    unique = set(phone_number_ids)
    known = await _confirm_owners(tx, unique)
    missing = sorted(unique - known.keys())
    if missing:
        found = await store.find_by_platform_id(tx, missing)
        for phone_number_id, (account_id, number) in found.items():
            known[phone_number_id] = NumberOwner(account_id, number)
            tx.cache.put_owner((KIND, phone_number_id), account_id)
    return known


async def _confirm_owners(tx: Tx, phone_number_ids: set[str]) -> dict[str, NumberOwner]:
    owners = {tx.cache.find_owner((KIND, one)) for one in phone_number_ids} - {None}
    accounts = await recall_accounts(tx, [one for one in owners if one is not None])
    live = [key for key, account in accounts.items() if not account.is_sandbox]
    found: dict[str, NumberOwner] = {}
    for account_id, numbers in (await load_numbers(tx, live)).items():
        for number in numbers:
            if number.phone_number_id in phone_number_ids:
                found.setdefault(number.phone_number_id, NumberOwner(account_id, number.number))
    return found


async def find_accounts_of(tx: Tx, owners: Iterable[str]) -> dict[UUID, set[str]]:
    """Accounts with numbers in these business accounts or portfolios, and in which of them."""
    unique = sorted(set(owners))
    return await store.find_accounts_of(tx, unique) if unique else {}


async def record_callbacks(
    tx: Tx, account_ids: Iterable[UUID], recorded: Mapping[UUID, datetime]
) -> dict[UUID, datetime]:
    """Verified callbacks arrived for these accounts. `recorded`: what this process wrote before.

    Returns what was written now, for the caller to remember once it is committed.
    """
    stale = tx.now - limits.CALLBACK_MARK_INTERVAL
    due = {one: tx.now for one in account_ids if one not in recorded or recorded[one] <= stale}
    if due:
        await store.save_last_callbacks(tx, due)
    return due


async def load_last_callbacks(tx: Tx, account_ids: Iterable[UUID]) -> dict[UUID, datetime]:
    """When a callback last arrived for these accounts, in real time; never: absent."""
    unique = sorted(set(account_ids))
    return await store.load_last_callbacks(tx, unique) if unique else {}
