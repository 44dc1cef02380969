"""Virtual time, and the order in which everything happens.

The world is a heap of events. Between two of them every process runs until it waits for something.
How long a request, an answer or a pause takes is drawn from the seed, and with it the order.
"""

import hashlib
import heapq
import itertools
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID

from proof.simulation.faults import Faults

if TYPE_CHECKING:
    from proof.simulation.process import Process

Act = Callable[[], None]


class World:
    """One history's time, chance and record."""

    def __init__(self, seed: int, epoch: datetime, faults: Faults) -> None:
        self.seed = seed
        self.epoch = epoch
        self.faults = faults
        self.elapsed = 0.0  # virtual seconds since the epoch
        self.chance = Random(f"{seed}/chance")  # how long things take
        self.processes: list[Process] = []
        self.sometimes: Counter[str] = Counter()  # the dangerous states that were reached
        self.problems: list[str] = []  # what must never happen, noticed on the way
        self.events = 0
        self._agenda: list[tuple[float, int, Act]] = []
        self._order = itertools.count()
        self._ids = itertools.count(1)
        self._trace = hashlib.sha256()
        self.log: list[str] | None = None  # of what happened, when somebody wants to read it

    # Time

    def now(self) -> datetime:
        return self.epoch + timedelta(seconds=self.elapsed)

    def after(self, seconds: float, act: Act) -> None:
        """Do it so many seconds from now."""
        heapq.heappush(self._agenda, (self.elapsed + seconds, next(self._order), act))

    def travel(self, longest: float = 0.004) -> float:
        """How long something is on its way."""
        return self.chance.uniform(0.0001, longest)

    def new_id(self) -> UUID:
        """A uuid7 that follows from the order of events."""
        milliseconds = int(self.now().timestamp() * 1000)
        return UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62 | next(self._ids))

    # What happened

    def note(self, text: str) -> None:
        """Part of the history: two runs of a seed note the same."""
        self.events += 1
        line = f"{self.elapsed:.6f} {text}"
        self._trace.update(line.encode() + b"\n")
        if self.log is not None:
            self.log.append(line)

    @property
    def fingerprint(self) -> str:
        return self._trace.hexdigest()[:16]

    def strikes(self, fault: str) -> bool:
        """Whether this goes wrong now."""
        if not self.faults.strikes(fault):
            return False
        self.sometimes[fault] += 1
        self.note(f"FAULT {fault}")
        return True

    # Running

    def run(self, until: float, stop: Callable[[], bool] = lambda: False) -> None:
        """Until that virtual time, or until `stop` says so after an event."""
        self._let_run()
        while not stop():
            soonest = self._soonest()
            if soonest is None or soonest > until:
                self.elapsed = max(self.elapsed, until)
                return
            self.elapsed = max(self.elapsed, soonest)
            while self._agenda and self._agenda[0][0] <= self.elapsed:
                heapq.heappop(self._agenda)[2]()
                self._let_run()
            self._let_run()

    def leap(self, seconds: float) -> None:
        """Nobody looks at a clock meanwhile: each timer that falls due goes off once."""
        self.elapsed += seconds
        self.run(self.elapsed)

    def is_quiet(self) -> bool:
        """Nothing is on its way: only timers are left."""
        return not self._agenda

    def _soonest(self) -> float | None:
        times = [self._agenda[0][0]] if self._agenda else []
        times += [at for one in self.processes if (at := one.next_timer()) is not None]
        return min(times, default=None)

    def _let_run(self) -> None:
        """Every process, until all of them wait."""
        have_run = True
        while have_run:
            have_run = False
            for process in self.processes:
                have_run |= process.let_run()

    def went_wrong(self, where: str, context: dict[str, Any]) -> None:
        """An exception that nobody in a process has caught."""
        self.problems.append(f"{where}: {context.get('message')}: {context.get('exception')!r}")
