"""What a status callback changes of a message, and no more: these come by the thousand a second."""

from collections.abc import Collection, Sequence

from tidings.engine.db.tx import Tx

from .model import Message
from .store import KEY, arguments_of, keep_platform_ids, update_of

# What `moves.reported` may touch.
_REPORTED = (
    "status", "reason", "retry_at", "platform_id", "unknown_since", "times_out_at", "sent_at",
    "delivered_at", "read_at", "refunded_at", "error", "timeline",
)  # fmt: skip
_UPDATE = update_of(_REPORTED)


async def save(tx: Tx, messages: Sequence[Message], identified: Collection[Message]) -> None:
    """`identified`: those of them whose platform id was not known before."""
    if not messages:
        return
    known = [((m.account_id, m.id), m.platform_id) for m in identified if m.platform_id]
    await keep_platform_ids(tx, known)
    await tx.run(_UPDATE, *arguments_of(messages, (*KEY, *_REPORTED)))
