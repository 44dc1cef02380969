"""How far the clocks of this machine and of the database are apart, for the metrics."""

from datetime import datetime, timedelta

from tidings.clock import Clock
from tidings.engine.db.skew import skew_of
from tidings.engine.db.tx import Tx


async def measure_skew(tx: Tx, clock: Clock) -> timedelta:
    """The database's clock minus this machine's, which ours may correct. Uncertain by half of the
    time that the question took."""
    before = clock.now()
    theirs: datetime = await tx.value("SELECT clock_timestamp()")
    return theirs - before - (clock.now() - before) / 2 + skew_of(clock)
