"""Clocks that stand still until a test advances them."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class ManualClock:
    """`ManualClock().advance(hours=47)` advances both readings; nothing sleeps."""

    def __init__(self, start: datetime = NOON) -> None:
        assert start.tzinfo is not None, "a timestamp needs a zone"
        self._now = start.astimezone(UTC)
        self._elapsed = timedelta(0)

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed.total_seconds()

    def advance(self, **duration: float) -> datetime:
        """Takes what timedelta takes: `advance(minutes=5, seconds=1)`; the new time."""
        step = timedelta(**duration)
        assert step >= timedelta(0), "use jump() to turn the clock back"
        self._elapsed += step
        return self.jump(step)

    def jump(self, by: timedelta) -> datetime:
        """Only the wall clock moves, as when an operator or NTP sets it."""
        self._now += by
        return self._now


SHARED_STEP_MAX = timedelta(minutes=1)


class StandingClock(ManualClock):
    """Stands still while a test runs, so that nothing falls due by itself while a slow machine is
    between two requests; before each test it is set to the time of day. Other tests use it too, so
    it hardly moves: `moved_service` has a clock for tests that wait for hours."""

    def __init__(self) -> None:
        super().__init__(datetime.now(UTC))

    def now(self) -> datetime:
        """Whoever looks later sees a later time, if only by a millisecond."""
        return self.jump(timedelta(milliseconds=1))

    def advance(self, **duration: float) -> datetime:
        assert timedelta(**duration) <= SHARED_STEP_MAX, (
            "use moved_service: others share this clock"
        )
        return super().advance(**duration)

    def catch_up(self) -> None:
        behind = max(0.0, (datetime.now(UTC) - self._now).total_seconds())
        super().advance(seconds=behind)


STANDING = StandingClock()  # of the `service` that most tests share
