"""Waiting invitations whose end has moved with their event: not sent after it (4.10)."""

from collections.abc import Sequence

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.events.model import Unsent

from . import end_store
from .dispatch import SENDING_POOLS


async def move(tx: Tx, account: Account, unsent: Sequence[Unsent]) -> None:
    """A job that runs before the new end finds it by itself; one planned for later runs then."""
    if unsent:
        moved = await end_store.move(tx, account.id, unsent)
        due = [(message_id.hex, end - account.clock) for message_id, end in moved.items()]
        await queue.run_by(tx, SENDING_POOLS, account.id, due)
