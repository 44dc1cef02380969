"""How many questions a day the service may ask, and each account of them. Days are UTC, real time.

Exact, and kept in the database: the questions may cost money, whatever is restarted or added.
"""

from datetime import timedelta
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.settings import Settings

from . import budget_store

KEPT = timedelta(days=90)


async def take(tx: Tx, settings: Settings, account_id: UUID) -> bool:
    """Whether one more may be asked; it is then counted, whatever becomes of it."""
    day = tx.now.date()
    spent = await budget_store.lock_spent(tx, account_id, day)
    if (
        spent.by_all >= settings.reader_daily
        or spent.by_account >= settings.reader_daily_per_account
    ):
        return False
    await budget_store.count(tx, account_id, day)
    return True


async def purge(tx: Tx) -> int:
    return await budget_store.purge(tx, (tx.now - KEPT).date())
