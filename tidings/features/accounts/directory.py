"""The accounts by name, for operators. Nothing a customer asks comes through here."""

from tidings.engine.db.tx import Tx

from . import store
from .model import Account


async def find_account(tx: Tx, name: str) -> Account | None:
    return await store.find_by_name(tx, name)


async def load_all_accounts(tx: Tx) -> list[Account]:
    """Every account, by name."""
    return await store.load_all(tx)
