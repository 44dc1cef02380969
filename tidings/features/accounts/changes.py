"""Changes to accounts: serialized by account, and announced to every process.

`begin` before the first read that a change depends on, `announce` once something was written. The
announced version is what caches of the account's rows compare (`engine/db/versioned_cache.py`).

A process that caches accounts otherwise listens on CHANNEL and, because a notification may be lost,
also keeps a `Watch`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import version_store

CHANNEL = "accounts"
ALL = "all"  # in place of an account's id
BIGINT_MAX = 2**63 - 1


async def begin(tx: Tx, account_ids: Iterable[UUID]) -> None:
    """Wait for any other change of these accounts to commit: what is read next is still true when
    it is written. A transaction names all accounts that it changes in one call, which locks them in
    order."""
    begun = sorted(one for one in set(account_ids) if not tx.cache.changes(one))
    if begun:
        tx.cache.begin_changes(begun)
        await version_store.lock(tx, begun)
        await tx.flush()  # checks of recalled accounts, before this transaction writes a version


async def begin_all(tx: Tx) -> None:
    """Wait for any other change: for what depends on several accounts, such as a partner and those
    that belong to it, a name or a platform's number id that only one account has."""
    if tx.cache.changes_all:
        return
    tx.cache.begin_changes(None)
    await version_store.lock_all(tx)
    await tx.flush()  # see `begin`


async def announce(tx: Tx, account_id: UUID) -> None:
    """Notify every process, at commit, that this account has changed. The version is that of the
    transaction, and whoever hears of it waits for the commit: once for each is enough."""
    assert tx.cache.changes(account_id), "a change begins with `begin`"
    if account_id in tx.cache.announced:
        return
    tx.cache.announced.add(account_id)
    await version_store.write(tx, account_id)
    await version_store.notify(tx, CHANNEL, str(account_id))


async def forget_versions(tx: Tx) -> None:
    """After a restore: versions are transaction ids, which the next server may give out again."""
    await version_store.reset(tx)


async def announce_all(tx: Tx) -> None:
    """Notify every process, at commit, that all accounts have changed."""
    await version_store.raise_all(tx)
    await version_store.notify(tx, CHANNEL, ALL)


@dataclass(frozen=True, slots=True)
class Changed:
    """Which accounts changed; None: all of them."""

    account_ids: frozenset[UUID] | None

    def __bool__(self) -> bool:
        return self.account_ids is None or bool(self.account_ids)

    def __or__(self, other: "Changed") -> "Changed":
        if self.account_ids is None or other.account_ids is None:
            return EVERY_ACCOUNT
        return Changed(self.account_ids | other.account_ids)


EVERY_ACCOUNT = Changed(None)
NO_ACCOUNT = Changed(frozenset())


class Watch:
    """Which accounts have changed from one poll to the next."""

    def __init__(self) -> None:
        self._of_all: int | None = None
        self._horizon = BIGINT_MAX
        self._seen: dict[UUID, int] = {}

    async def read(self, tx: Tx) -> version_store.Changed:
        return await version_store.load_changed(tx, self._horizon)

    def compare(self, found: version_store.Changed) -> Changed:
        """A transaction that lasts keeps the horizon back: what was seen already is left out."""
        new = frozenset(
            one for one, version in found.versions.items() if self._seen.get(one) != version
        )
        is_all = found.of_all != self._of_all
        self._of_all, self._horizon, self._seen = found
        return Changed(None if is_all else new)
