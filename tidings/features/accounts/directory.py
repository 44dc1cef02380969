"""The accounts by name, for operators. Nothing a customer asks comes through here."""

from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store
from .model import Account


async def find_account(tx: Tx, name: str) -> Account | None:
    return await store.find_by_name(tx, name)


async def find_stopped(tx: Tx) -> list[UUID]:
    """The accounts that are paused or disabled."""
    return await store.find_stopped(tx)


async def load_all_accounts(tx: Tx) -> list[Account]:
    """Every account, by name."""
    return await store.load_all(tx)
