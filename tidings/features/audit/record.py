"""Record who did what, in the transaction that does it."""

from tidings.engine.db.tx import Tx

from . import store
from .model import Actor, Entry

__all__ = ["Actor", "Entry", "record"]


async def record(tx: Tx, entry: Entry) -> None:
    await store.insert(tx, entry)
