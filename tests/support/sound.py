"""What `tidings doctor` says of a database of the tests."""

from tidings.doctor import examine
from tidings.engine.db.pool import Database

# Invariants of how rows came about: some tests write rows, end leases and move due times by hand.
BY_HAND = {"timeline", "time between attempts"}


async def find_broken(db: Database) -> list[str]:
    report = await examine(db)
    return [str(one) for one in report.broken if one.invariant.name not in BY_HAND]
