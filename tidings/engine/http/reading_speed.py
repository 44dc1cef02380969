"""Whether a client reads its responses fast enough (reliability.md 2.14). Pure."""

from tidings.engine.http.intake import IntakeLimits


class ReadingSpeed:
    """Measured from one tick of a connection's timer to the next."""

    __slots__ = ("_backlog_seconds", "_intake", "_read_bytes", "_unsent_bytes", "_written_bytes")

    def __init__(self, intake: IntakeLimits) -> None:
        self._intake = intake
        self._unsent_bytes = self._written_bytes = 0  # at the last tick
        self._backlog_seconds = 0.0  # how long there has been unsent data,
        self._read_bytes = 0  # and how much of it was read meanwhile

    def is_too_slow(self, passed: float, *, unsent: int, written: int) -> bool:
        """Whether the client has read less than the minimum speed over a whole window."""
        self._read_bytes += self._unsent_bytes + written - self._written_bytes - unsent
        self._backlog_seconds += passed
        self._unsent_bytes, self._written_bytes = unsent, written
        window = self._intake.reading_window.total_seconds()
        if unsent and self._backlog_seconds < window:
            return False
        least = self._intake.read_bytes_per_second_min * self._backlog_seconds
        is_slow = unsent > 0 and self._read_bytes < least
        self._backlog_seconds, self._read_bytes = 0.0, 0
        return is_slow
