"""One seed: processes start, callers call, things go wrong; then nothing more does, and everything
must settle (safety first, then liveness: TigerBeetle's two modes)."""

import random
from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from proof.simulation.arena import EPOCH, Arena
from proof.simulation.callers import Callers, Internet
from proof.simulation.customers import Customers, Postman
from proof.simulation.faults import Fault, Faults
from proof.simulation.model import Outcome, examine
from proof.simulation.platform import Line, Platform
from proof.simulation.postgresql import Network
from proof.simulation.process import Process
from proof.simulation.work import BUSY_SECONDS, Work
from proof.simulation.world import World
from tidings import ids

FAULTS_END = BUSY_SECONDS + 10
SETTLED_WITHIN = timedelta(days=3).total_seconds()
LEAP_SECONDS_MIN, LEAP_SECONDS_MAX = 1.0, 1800.0  # each pool polls once in the least of them
WORK_SECONDS = 0.5  # for what a leap made due
LOOK_EVERY = 0.5  # for faults that strike at no certain place
PROCESSES = (1, 2, 2, 3)
# Not those that always wait for another day, or try in vain to reach the platform's lists.
_JOBS = """FROM jobs WHERE dead_lettered_at IS NULL
               AND kind NOT IN ('senders.sync', 'billing.term', 'messages.timeout', 'invoices.due')
"""
_OPEN = f"""
    SELECT (SELECT count(*) {_JOBS})
         + (SELECT count(*) FROM messages
             WHERE status IN ('scheduled', 'queued', 'deferred', 'sending'))
         + (SELECT count(*) FROM webhooks WHERE state = 'pending')
"""
_NEXT = f"SELECT extract(epoch FROM min(due_at)) {_JOBS}"


class Told(msgspec.Struct):
    """What came of a history."""

    seed: int
    problems: list[str]
    faults: list[str]
    sometimes: dict[str, int]
    fingerprint: str
    events: int
    messages: int
    log: list[str]


class History:
    """`only`: the faults that may happen, when it is known which matter. `tamper` is called before
    the end is examined, to show that the examination sees what was done."""

    def __init__(
        self,
        arena: Arena,
        seed: int,
        only: Collection[Fault] | None = None,
        *,
        log: bool = False,
        tamper: Callable[[Outcome], None] = lambda _: None,
    ) -> None:
        random.seed(seed)  # what the service draws from it: pauses before it tries again
        self._tamper = tamper
        self._has_ended = False
        self.world = world = World(seed, EPOCH, Faults(seed, only))
        if log:
            world.log = []
        arena.enter()
        self._arena = arena
        settings = arena.settings()
        self._administrator = arena.administrator
        network = Network(world, arena.dsn, self._administrator, arena.sessions)
        self._processes: list[Process] = []
        internet = Internet(world, self._processes)
        self.platform, self.customers = Platform(world, internet), Customers(world)
        for nth in range(world.chance.choice(PROCESSES)):
            process = Process(world, network, f"p{nth + 1}", settings, self._surroundings)
            self._processes.append(process)
        self.callers = Callers(world, internet)

    def run(self) -> Told:
        world = self.world
        ids.make_by(world.new_id)
        try:
            for process in self._processes:
                process.start()
            Work(world, self.callers).plan()
            world.after(LOOK_EVERY, self._look)
            world.run(FAULTS_END)
            world.faults.have_ended = True
            self._settle()
            outcome = Outcome(
                world, self._administrator, self.callers, self.platform, self.customers
            )
            self._tamper(outcome)
            messages = examine(outcome)
        finally:
            ids.make_by()
            self._has_ended = True
            for process in self._processes:
                process.crash("the end")
            world.run(world.elapsed + 1)
        self._arena.leave()
        return Told(
            world.seed, world.problems, [str(one) for one in world.faults.happened],
            dict(world.sometimes), world.fingerprint, world.events, messages, world.log or [],
        )  # fmt: skip

    def _surroundings(self, process: Process) -> tuple[Mapping[str, Any], Any]:
        return {"live": Line(self.platform, process)}, Postman(self.customers, process)

    def _look(self) -> None:
        """Restart who died; stop, pause or confuse a process now and then."""
        if self._has_ended:
            return
        world = self.world
        for process in self._processes:
            if not process.is_alive:
                process.start()
            elif process.is_serving and not process.is_paused:
                if world.strikes("stop in good order"):
                    process.stop()
                elif world.strikes("process stands still"):
                    process.stand_still(world.chance.choice((2.0, 20.0, 70.0)))
                elif world.strikes("clock jumps"):
                    self._jump(process)
        world.after(LOOK_EVERY * world.chance.uniform(0.5, 3), self._look)

    def _jump(self, process: Process) -> None:
        """It is noticed within a minute, when the clock is compared with the database's."""
        process.clock.skew = timedelta(seconds=self.world.chance.choice((-30, -2, 2, 30)))
        self.world.note(f"{process.name}'s clock is wrong by {process.clock.skew}")

        def correct() -> None:
            process.clock.skew = timedelta(0)

        self.world.after(self.world.chance.uniform(5, 60), correct)

    def _settle(self) -> None:
        """Time leaps from one due job to the next, until nothing is owed any more."""
        world = self.world
        end = world.elapsed + SETTLED_WITHIN
        while True:
            world.run(world.elapsed + WORK_SECONDS)
            if not self.callers.open and not self._administrator.value(_OPEN):
                return
            if world.elapsed > end:
                world.problems.append("three days later it has not settled")
                return
            due = self._administrator.value(_NEXT)
            ahead = float(due) - world.now().timestamp() if due is not None else 0.0
            world.leap(min(max(ahead, LEAP_SECONDS_MIN), LEAP_SECONDS_MAX))
