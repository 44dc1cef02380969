"""Leaves a server alone for a while once it has failed several times in a row."""

from datetime import timedelta

from tidings.clock import Clock

FAILURES_MAX = 5
REST = timedelta(minutes=1)


class Breaker:
    """Of one process. After the rest the next call tries again: one more failure, one more rest."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._rests_until = float("-inf")  # by the monotonic clock

    @property
    def is_open(self) -> bool:
        """Whether the server is left alone now."""
        return self._clock.monotonic() < self._rests_until

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self) -> None:
        self._failures += 1
        if self._failures >= FAILURES_MAX:
            self._rests_until = self._clock.monotonic() + REST.total_seconds()
