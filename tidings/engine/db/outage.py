"""Whether this process has lost its database: one log line when it is lost, one when it is back.

`Database` detects both. Other code that meets an outage (workers, lanes, periodic tasks, listeners,
requests) does not log it, because each would do so every second.
"""

from collections.abc import Callable

import structlog

from tidings.clock import Clock

log = structlog.get_logger()


class Outage:
    __slots__ = ("_clock", "_direct", "_since", "on_begin", "on_end")

    def __init__(self, clock: Clock, *, direct: bool = False) -> None:
        self._clock = clock
        self._direct = direct  # of the address beside a pooler
        self._since: float | None = None  # monotonic; None: no outage
        self.on_begin: Callable[[], None] = lambda: None
        self.on_end: Callable[[float], None] = lambda seconds: None

    @property
    def lasts(self) -> bool:
        return self._since is not None

    def begins(self, fault: Exception) -> None:
        if self._since is None:
            self._since = self._clock.monotonic()
            self.on_begin()
            kind, reason = type(fault).__name__, str(fault)
            log.error("database.lost", direct=self._direct, error=kind, reason=reason)

    def ends(self) -> None:
        if self._since is not None:
            seconds = round(self._clock.monotonic() - self._since, 3)
            self._since = None
            self.on_end(seconds)
            log.warning("database.recovered", direct=self._direct, seconds=seconds)
