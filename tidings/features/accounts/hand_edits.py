"""Which settings were changed by hand, by whom and when, since the account file last set them.

`apply` asks this before it undoes one (tidings/account_file/hand_edits.py).
"""

from collections.abc import Iterable, Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import hand_edit_store
from .model import HandEdit


async def put_edits(tx: Tx, account_id: UUID, settings: Sequence[str], by: str) -> None:
    if settings:
        await hand_edit_store.put(tx, account_id, settings, by)


async def load_edits(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[HandEdit]]:
    """Every given id has an entry."""
    return await hand_edit_store.load(tx, account_ids)


async def settle_edits(tx: Tx, account_id: UUID, edits: Iterable[HandEdit]) -> None:
    """The file has taken these over, or has overwritten them."""
    settings = [edit.setting for edit in edits]
    if settings:
        await hand_edit_store.delete(tx, account_id, settings)
