"""Find a person by number: what is kept, how much of it, and from when."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import find_store
from .model import Kept

OPT_OUT = "optout"  # stays after an erasure, so that nobody writes to the person again


async def find_person(tx: Tx, account_id: UUID, phone: str) -> Sequence[Kept]:
    """Kinds of which nothing is kept are left out."""
    return await find_store.count(tx, account_id, phone)


def is_erasable(found: Sequence[Kept]) -> bool:
    """Whether an erasure would change anything."""
    return any(kept.kind != OPT_OUT for kept in found)
