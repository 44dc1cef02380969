"""Places within the rolling limits that a message was granted and will not need."""

from collections.abc import Iterable

from tidings.engine.db.tx import Tx
from tidings.features.senders import capacity
from tidings.features.senders.capacity import Unused

from .model import Message
from .states import REFUNDED


async def give_back_unused(tx: Tx, messages: Iterable[Message]) -> None:
    """A message that ended without ever being handed over frees its place for another."""
    unused = [
        Unused(message.account_id, message.recipient, message.granted_at, message.reach_meter)
        for message in messages
        if message.status in REFUNDED and not message.attempts and message.granted_at is not None
    ]
    if unused:
        await capacity.give_back(tx, unused)
