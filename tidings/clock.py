"""The only file that reads the time. Everything else takes a Clock or a timestamp."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

# Unlike CLOCK_MONOTONIC it includes suspended time: a lease that expired while a laptop was
# suspended must count as expired (reliability.md 2.3).
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Clock(Protocol):
    def now(self) -> datetime:
        """The current time: aware, UTC."""
        ...

    def monotonic(self) -> float:
        """Monotonic seconds, for measuring durations. Not the event loop's `time()`."""
        ...


class SystemClock:
    """The machine's own clock."""

    __slots__ = ()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.clock_gettime(_STEADY)


class DatabaseClock:
    """The clock of the database, which all processes share: this machine's own, corrected.

    Leases, due times and rates compare times that different machines have written. How far the
    database is ahead is measured when it is opened, and again every minute (`engine/db/skew.py`).
    """

    __slots__ = ("_machine", "ahead")

    def __init__(self, machine: Clock | None = None) -> None:
        self._machine = machine or SystemClock()
        self.ahead = timedelta(0)  # of this machine

    def now(self) -> datetime:
        return self._machine.now() + self.ahead

    def monotonic(self) -> float:
        return self._machine.monotonic()
