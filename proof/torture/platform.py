"""The platform under torture: the Graph simulator, with a record of every message that it took."""

import threading
import time
from collections import defaultdict
from typing import Any

from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import DEFAULT, NumberSpec, Plan
from tidings_simulator.simulator import Traffic

CALLBACKS_AT_ONCE = 8


class RecordingPlatform(RunningSimulator):
    """A number without a limit. `arrivals`: when each recipient's messages came, by wall clock.

    The simulator itself remembers its last 20,000 messages only.
    """

    def __init__(self, answers_after: float, **options: Any) -> None:
        quick = NumberSpec(number="972555000001", throughput="HIGH", limit="UNLIMITED")
        super().__init__(
            plan=Plan(numbers=[quick], templates=DEFAULT.templates),
            post_concurrency=CALLBACKS_AT_ONCE,
            on_traffic=self._record,
            **options,
        )
        self.arrivals: dict[str, list[float]] = defaultdict(list)
        self._answers_after = answers_after
        self._lock = threading.Lock()

    def start(self) -> None:
        super().start()
        self.answer_after(self._answers_after)

    def answer_after(self, seconds: float) -> None:
        """So that some messages are always on their way when something is killed."""
        self.control("DELETE", "/faults")
        self.fault(answer="slow", seconds=seconds, path="/messages", times=None)

    def _record(self, traffic: Traffic) -> None:
        if traffic.incoming and traffic.path.endswith("/messages") and traffic.status == 200:
            with self._lock:
                self.arrivals[traffic.to].append(time.time())

    def got(self) -> dict[str, list[float]]:
        with self._lock:
            return {to: list(times) for to, times in self.arrivals.items()}

    @property
    def callbacks_waiting(self) -> int:
        waiting: int = self.simulator.state.callback_queue.waiting
        return waiting
