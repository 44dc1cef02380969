"""Accounts, for other slices: by id as of a transaction, by name, as a file would declare them."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import split

from . import organisation_store, store
from .model import Account, AccountSpec

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


async def find_account(tx: Tx, name: str) -> Account | None:
    return await store.find_by_name(tx, name)


async def find_stopped(tx: Tx) -> list[UUID]:
    """The accounts that are paused or disabled, or all of them while all sending is paused."""
    return await store.find_stopped(tx)


async def load_all_accounts(tx: Tx) -> list[Account]:
    """Every account, by name."""
    return await store.load_all(tx)


# Those of the same name and type in both; the others are `belongs_to` and `declared`.
SHARED = [
    field.name
    for field in fields(AccountSpec)
    if field.name in {one.name for one in fields(Account)} - {"belongs_to"}
]


class Specified(NamedTuple):
    id: UUID
    spec: AccountSpec


async def load_specs(tx: Tx, names: Sequence[str]) -> dict[str, Specified]:
    """The configuration of these accounts, by name; unknown names are absent."""
    found = await store.find_by_names(tx, names)
    ids = [one.id for one in found]
    declared = await store.load_declared(tx, ids)
    organisations = await organisation_store.load_of_accounts(tx, ids)
    owners = await store.load(tx, [one.belongs_to for one in found if one.belongs_to is not None])
    return {
        one.name: Specified(
            one.id,
            AccountSpec(
                **{name: getattr(one, name) for name in SHARED},
                belongs_to=None if one.belongs_to is None else owners[one.belongs_to].name,
                organisation=organisations[one.id].handle,
                declared=declared[one.id],
            ),
        )
        for one in found
    }
