"""What was asked of a scenario, and how far it is: so often, and no longer than so."""

import time
from collections.abc import Callable, Iterator


class Run:
    def __init__(
        self, seed: int, asked: int, seconds_max: float, show: Callable[[int], None]
    ) -> None:
        self.seed, self.asked, self.done = seed, asked, 0
        self._seconds_max, self._show = seconds_max, show
        self._end: float | None = None

    def report(self, done: int) -> None:
        self.done = done
        self._show(done)

    @property
    def is_over(self) -> bool:
        """The time counts from the first time that it is asked: the set-up is not part of it."""
        if self._end is None:
            self._end = time.monotonic() + self._seconds_max
        return self.done >= self.asked or time.monotonic() > self._end

    def rounds(self) -> Iterator[int]:
        while not self.is_over:
            yield self.done

    @property
    def count(self) -> str:
        """So that a run that was cut short says so."""
        short = "" if self.done >= self.asked else f" of {self.asked:,} asked for"
        return f"{self.done:,}{short}"
