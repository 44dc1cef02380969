"""The pause of all sending: columns of the one row of `accounts_version`."""

from tidings.engine.db.tx import Row, Tx


async def find(tx: Tx) -> Row | None:
    return await tx.row(
        """
        SELECT sending_paused_at, sending_paused_by, sending_paused_reason,
               restored_at IS NOT DISTINCT FROM sending_paused_at AS after_restore
          FROM accounts_version
         WHERE sending_paused_at IS NOT NULL
        """
    )


async def begin(tx: Tx, by: str, reason: str) -> bool:
    """False: it was paused already."""
    statement = """
        UPDATE accounts_version
           SET sending_paused_at = $1, sending_paused_by = $2, sending_paused_reason = $3
         WHERE sending_paused_at IS NULL
    """
    return await tx.run(statement, tx.now, by, reason) == 1


async def end(tx: Tx) -> bool:
    """False: it was not paused."""
    statement = """
        UPDATE accounts_version
           SET sending_paused_at = NULL, sending_paused_by = NULL, sending_paused_reason = ''
         WHERE sending_paused_at IS NOT NULL
    """
    return await tx.run(statement) == 1


async def hold(tx: Tx, by: str, reason: str) -> int:
    """Of a restored database; returns its epoch."""
    epoch: int = await tx.value(
        """
        UPDATE accounts_version
           SET epoch = epoch + 1, restored_at = $1, sending_paused_at = $1,
               sending_paused_by = $2, sending_paused_reason = $3
        RETURNING epoch
        """,
        tx.now,
        by,
        reason,
    )
    return epoch
