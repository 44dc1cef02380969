"""Callbacks that could not be read, failed, or are about numbers that no account has.

The platform was answered 200 and will not call again. So the body is kept: a number may be
configured a day late, or a later version may read the shape (`tidings callbacks --again`).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from tidings import limits
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code

from . import dead_letter_store as store

UNKNOWN_NUMBER = "no account has this number"

NewDeadLetter = tuple[str, bytes]  # the reason, and a body that can be read again


class DeadLetters(msgspec.Struct, frozen=True):
    """How many there are for one reason."""

    reason: str
    count: int
    first_at: datetime
    last_at: datetime


async def add(tx: Tx, new: Sequence[NewDeadLetter]) -> None:
    if new:
        await store.insert(tx, new)


async def count(tx: Tx) -> list[DeadLetters]:
    return [DeadLetters(*row) for row in await store.count(tx)]


class DeadLetter(msgspec.Struct, frozen=True):
    id: int
    received_at: datetime
    reason: str
    body: bytes


async def load_page(
    tx: Tx, *, before: int | None = None, size: int, order: Order = Order.NEWEST_FIRST
) -> list[DeadLetter]:
    """`before` is the last id of the previous page, in this order."""
    return [DeadLetter(*row) for row in await store.load_page(tx, before, size, order)]


async def load(tx: Tx, letter_id: int) -> DeadLetter:
    for row in await store.load_page(tx, letter_id + 1, 1, Order.NEWEST_FIRST):
        if row["id"] == letter_id:
            return DeadLetter(*row)
    raise ApiError(Code.NOT_FOUND, f"no callback {letter_id} is parked")


async def load_ids(tx: Tx) -> list[int]:
    """Of all of them, oldest first."""
    return await store.load_ids(tx)


async def load_bodies(tx: Tx, ids: Sequence[int]) -> list[bytes]:
    return await store.load_bodies(tx, ids)


async def delete(tx: Tx, ids: Sequence[int]) -> None:
    await store.delete(tx, ids)


async def purge(tx: Tx, kept: timedelta = limits.CALLBACK_DEAD_LETTERS_KEPT) -> int:
    """Delete those beyond the retention time or the maximum number; how many were deleted."""
    most = limits.CALLBACK_DEAD_LETTERS_MAX
    return await store.purge(tx, tx.now - kept, most, limits.PURGE_PAGE_ROWS)
