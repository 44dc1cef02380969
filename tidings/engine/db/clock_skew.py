"""How far the clocks of this machine and of the database are apart."""

from datetime import datetime, timedelta

from tidings.clock import Clock
from tidings.engine.db.tx import Tx


async def measure_skew(tx: Tx, clock: Clock) -> timedelta:
    """The database's clock minus ours. Uncertain by half of the time that the question took."""
    before = clock.now()
    theirs: datetime = await tx.value("SELECT clock_timestamp()")
    return theirs - before - (clock.now() - before) / 2
