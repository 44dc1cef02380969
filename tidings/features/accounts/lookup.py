"""Accounts, for other slices: by id as of a transaction, by name, as a file would declare them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import timedelta
from functools import partial
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.errors import Conflict
from tidings.engine.db.reads import Read
from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import Entries

from . import organisation_store, store
from .model import Account, AccountSpec

KIND = "account"


async def load_accounts(
    tx: Tx, account_ids: Iterable[UUID], *, for_share: bool = False
) -> dict[UUID, Account]:
    """Accounts as they are in this transaction, their clocks included.

    `for_share`: locks the rows, so that no sandbox clock moves before the transaction ends. Needed
    to store due times: a clock that advanced past them meanwhile would leave them behind.

    One short query a transaction reads the clocks and the versions of everything else; after it,
    `tx.cache` holds what is cached of these accounts.
    """
    unique = set(account_ids)
    before = (
        {}
        if for_share
        else {key: tx.cache.present[key] for key in unique & tx.cache.present.keys()}
    )
    missing = sorted(unique - before.keys())
    return before | await _read(tx, missing, for_share=for_share) if missing else before


async def _read(tx: Tx, account_ids: Sequence[UUID], *, for_share: bool) -> dict[UUID, Account]:
    present = await store.load_present(tx, account_ids, for_share=for_share)
    for one in present:
        tx.cache.read_version(one.account_id, one.version)
    known = await tx.cache.load(
        KIND, [one.account_id for one in present], lambda missing: store.load(tx, missing)
    )
    found = {
        one.account_id: _at(known[one.account_id], one)
        for one in present
        if one.account_id in known
    }
    for key, account in found.items():
        if account is not known[key]:
            tx.cache.replace(KIND, key, account)
        # The clock of a sandbox is moved often: recalling it would fail as often.
        tx.cache.put_present(key, account, recallable=not account.is_sandbox)
    return found


async def recall_accounts(tx: Tx, account_ids: Iterable[UUID]) -> dict[UUID, Account]:
    """`load_accounts` for a transaction that ends in a write, without a query: live accounts as
    this process last read them. The write checks that they are still so. If one is not, that is a
    Conflict, and the retry reads it."""
    unique = set(account_ids)
    recalled = {
        key: entries
        for key in sorted(unique - tx.cache.present.keys())
        if (entries := tx.cache.recall(key)) is not None
    }
    if recalled:
        store.require_unchanged(
            tx,
            [_present(entries.present, entries.version) for entries in recalled.values()],
            partial(_outdated, list(recalled.values())),
        )
    return await load_accounts(tx, unique)


def _outdated(recalled: Iterable[Entries], problem: str) -> Conflict:
    for entries in recalled:
        entries.present = None
    return Conflict(f"an account has changed since it was read: {problem}")


def _present(account: Account, version: int) -> store.Present:
    clock_ms = account.clock // timedelta(milliseconds=1)
    return store.Present(account.id, clock_ms, version, account.all_paused)


def assume_accounts(
    tx: Tx, account_ids: Sequence[UUID], kinds: Collection[str]
) -> dict[UUID, Account] | None:
    """Accounts as this process last saw them, if they and these kinds of their rows are cached.

    The caller reads what it needs together with `read_present`, and then asks `are_present`: one
    query is enough as long as nothing changes.
    """
    if tx.cache.present or not tx.cache.assume(account_ids, {KIND, *kinds}):
        return None
    tx.cache.present |= {one: tx.cache.cached(KIND, one) for one in account_ids}
    return {one: tx.cache.present[one] for one in account_ids}


def read_present(account_ids: Sequence[UUID]) -> Read[list[store.Present]]:
    """What `are_present` compares."""
    return store.read_present(account_ids)


def are_present(tx: Tx, accounts: Mapping[UUID, Account], present: Iterable[store.Present]) -> bool:
    """Whether the accounts, and what is cached of them, are those of this transaction. If not, it
    has to read them again."""
    found = {one.account_id: one for one in present}
    if all(_is_present(tx, account, found.get(key)) for key, account in accounts.items()):
        for key, one in found.items():
            tx.cache.read_version(key, one.version)  # they are in use
        return True
    tx.cache.forget(accounts)
    return False


def _is_present(tx: Tx, account: Account, present: store.Present | None) -> bool:
    if present is None or tx.cache.version_of(account.id) not in (None, present.version):
        return False
    return _at(account, present) is account


async def find_belonging(tx: Tx, partner_id: UUID) -> list[UUID]:
    """The accounts that use this partner's capacity."""
    return await store.find_belonging(tx, partner_id)


def _at(account: Account, present: store.Present) -> Account:
    clock = timedelta(milliseconds=present.clock_ms)
    if (account.clock, account.all_paused) == (clock, present.all_paused):
        return account
    return replace(account, clock=clock, all_paused=present.all_paused)


async def find_account(tx: Tx, name: str) -> Account | None:
    return await store.find_by_name(tx, name)


async def find_stopped(tx: Tx, account_ids: Collection[UUID] | None) -> set[UUID]:
    """Those of these accounts (None: of all) that are paused or disabled; all of them while all
    sending is paused."""
    return set(await store.find_stopped(tx, account_ids))


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
