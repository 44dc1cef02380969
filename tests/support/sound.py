"""What `tidings doctor` says of a database of the tests."""

from tidings.doctor import connect, examine, examine_on
from tidings.doctor.model import Report
from tidings.engine.db.connections import Connection
from tidings.engine.db.pool import Database

# Invariants of how rows came about: some tests write rows, end leases and move due times by hand.
BY_HAND = {"timeline", "time between attempts"}
# To start three processes for a few rows takes longer than to look at them.
ALONE = "SET max_parallel_workers_per_gather = 0"


async def find_broken(db: Database) -> list[str]:
    return _broken(await examine(db))


class Doctor:
    """`tidings doctor` again and again, on one connection: with a new one for each it takes three
    times as long, and some tests ask after each of their steps."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._connection: Connection | None = None

    async def find_broken(self) -> list[str]:
        return _broken(await self.examine())

    async def examine(self) -> Report:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._db)
            await self._connection.execute(ALONE)
        return await examine_on(self._connection, self._db.clock)

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()


def _broken(report: Report) -> list[str]:
    return [str(one) for one in report.broken if one.invariant.name not in BY_HAND]
