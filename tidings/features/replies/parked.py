"""Callbacks that could not be read, or are about numbers that are not ours: kept for the operator.

The platform has its 200 and will not call again, so nothing may be lost by a number that is
configured a day late, or by a shape that only a later version reads (`tidings callbacks --again`).
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from tidings import limits
from tidings.engine.db.tx import Tx

from . import parked_store as store

UNKNOWN_NUMBER = "the number is none of ours"

Piece = tuple[str, bytes]  # why, and a body that can be read again


class Parked(msgspec.Struct, frozen=True):
    """Pieces put aside for one reason."""

    why: str
    count: int
    first_at: datetime
    last_at: datetime


async def park(tx: Tx, pieces: Sequence[Piece]) -> None:
    if pieces:
        await store.insert(tx, pieces)


async def count(tx: Tx) -> list[Parked]:
    return [Parked(*row) for row in await store.count(tx)]


async def load_ids(tx: Tx) -> list[int]:
    """Of all there are, the oldest first."""
    return await store.load_ids(tx)


async def load_bodies(tx: Tx, ids: Sequence[int]) -> list[bytes]:
    return await store.load_bodies(tx, ids)


async def forget(tx: Tx, ids: Sequence[int]) -> None:
    await store.delete(tx, ids)


async def purge(tx: Tx) -> int:
    """Forget what is old or too much; how many went."""
    old = tx.now - limits.CALLBACKS_PARKED_KEPT
    return await store.purge(tx, old, limits.CALLBACKS_PARKED_MAX, limits.PURGE_PAGE_ROWS)
