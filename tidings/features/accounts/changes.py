"""Changes to accounts: serialized, and announced to every process.

A process that caches accounts listens on CHANNEL and, because a notification may be lost, also
compares `version`.
"""

from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store

CHANNEL = "accounts"
ALL = "all"  # in place of an account's id


async def begin(tx: Tx) -> None:
    """Wait for any other change to commit: what is read next is still true when it is written."""
    await store.lock_version(tx)


async def announce(tx: Tx, account_id: UUID) -> None:
    """Notify every process, at commit, that this account has changed."""
    await store.raise_version(tx)
    await store.notify(tx, CHANNEL, str(account_id))


async def announce_all(tx: Tx) -> None:
    """Notify every process, at commit, that all accounts have changed."""
    await store.raise_version(tx)
    await store.notify(tx, CHANNEL, ALL)


async def version(tx: Tx) -> int:
    """A number that differs whenever any account, key, secret, number or template has changed."""
    return await store.find_version(tx)
