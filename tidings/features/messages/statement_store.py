"""What the table `messages` says about charges: whom they were for, and who has had one."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .store import Recipient


async def find_charged(tx: Tx, keys: Sequence[Recipient]) -> set[Recipient]:
    """Those of these people who have had a message that was not refunded."""
    rows = await tx.rows(
        """
        SELECT k.account_id, k.phone FROM unnest($1::uuid[], $2::text[]) AS k (account_id, phone)
         WHERE EXISTS (SELECT FROM messages m WHERE m.account_id = k.account_id
                          AND m.recipient = k.phone AND m.refunded_at IS NULL)
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["phone"]) for row in rows}


async def find_named(
    tx: Tx, account_id: UUID, message_ids: Sequence[UUID]
) -> dict[UUID, tuple[str, str]]:
    """The clientMessageId and the recipient of each, as the caller wrote it."""
    rows = await tx.rows(
        """
        SELECT id, client_message_id, coalesce(recipient_given, recipient) FROM messages
         WHERE account_id = $1 AND id = ANY($2::uuid[])
        """,
        account_id,
        list(message_ids),
    )
    return {row[0]: (row[1], row[2]) for row in rows}
