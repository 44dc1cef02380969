"""The pause of all sending: two columns of the one row of `accounts_version`."""

from tidings.engine.db.tx import Row, Tx


async def find(tx: Tx) -> Row | None:
    return await tx.row(
        """
        SELECT sending_paused_at, sending_paused_by, sending_paused_reason FROM accounts_version
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
