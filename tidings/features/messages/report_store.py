"""What a status callback changes of a message, and no more: these come by the thousand a second."""

from collections.abc import Collection, Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Message
from .store import KEY, arguments_of, keep_platform_ids, update_of

# What `moves.reported` may touch.
REPORTED = (
    "status", "reason", "retry_at", "platform_id", "unknown_since", "times_out_at", "sent_at",
    "delivered_at", "read_at", "refunded_at", "error", "timeline",
)  # fmt: skip
_UPDATE = update_of(REPORTED)


async def save(tx: Tx, messages: Sequence[Message], identified: Collection[Message]) -> None:
    """`identified`: those of them whose platform id was not known before."""
    if not messages:
        return
    known = [((m.account_id, m.id), m.platform_id) for m in identified if m.platform_id]
    await keep_platform_ids(tx, known)
    await tx.run(_UPDATE, *arguments_of(messages, (*KEY, *REPORTED)))


async def find_by_platform_id(
    tx: Tx, keys: Sequence[tuple[UUID, str]]
) -> dict[tuple[UUID, str], UUID]:
    """Our messages by the platform's ids; those it sent for nobody of ours are absent."""
    rows = await tx.rows(
        """
        SELECT account_id, platform_id, message_id FROM platform_ids
         WHERE (account_id, platform_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["platform_id"]): row["message_id"] for row in rows}
