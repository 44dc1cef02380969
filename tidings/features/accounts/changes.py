"""How a change to an account is made and told: one at a time, and to every process.

A process that caches accounts listens on CHANNEL and, should a notice be lost, compares `version`.
"""

from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store

CHANNEL = "accounts"


async def begin(tx: Tx) -> None:
    """Wait for any other change to commit, so that what is read next is still true when written."""
    await store.lock_version(tx)


async def announce(tx: Tx, account_id: UUID) -> None:
    """Tell everyone, at commit, that this account is not what it was."""
    await store.raise_version(tx)
    await store.notify(tx, CHANNEL, str(account_id))


async def version(tx: Tx) -> int:
    """A number that differs whenever any account, key, secret, number or template has changed."""
    return await store.find_version(tx)
