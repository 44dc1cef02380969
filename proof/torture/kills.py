"""`kill -9` of servers and workers, one after another and sometimes all at once, under load."""

import random
import signal
import time

from proof.torture.fleet import Member
from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import THREE_AND_TWO, World, world

LIFE_SECONDS = (0.05, 1.5)  # from the moment a process is ready
WHILE_STARTING = 0.1  # so many are killed before they are ready
ALL_AT_ONCE = 0.02
START_SECONDS_MAX = 120


class Killer:
    """Starts each member again as soon as it is dead, so that the others go on meanwhile."""

    def __init__(self, here: World, rng: random.Random) -> None:
        self._here, self._random = here, rng
        self.kills = 0
        self._until = {one.name: self._moment() for one in here.fleet.members}
        self._began: dict[str, float] = {}  # members that are not known to be ready

    def run(self, run: Run) -> None:
        while not run.is_over:
            for member in self._here.fleet.members:
                self._look_after(member)
            run.report(self.kills)
            time.sleep(0.01)
        self._here.fleet.start()

    def _look_after(self, member: Member) -> None:
        now = time.monotonic()
        if member.name in self._began:
            if self._random.random() < WHILE_STARTING / 100:
                self._kill(member)
            elif member.is_ready():
                del self._began[member.name]
                self._until[member.name] = self._moment()
            else:
                assert member.runs, (
                    f"{member.name} ended by itself: {member.log.read_text()[-500:]}"
                )
                assert now - self._began[member.name] < START_SECONDS_MAX, member.name
        elif now >= self._until[member.name]:
            together = self._random.random() < ALL_AT_ONCE
            if not together and not self._has_another(member):
                return  # somebody has to do the work that the next kill interrupts
            for one in self._here.fleet.members if together else [member]:
                self._kill(one)

    def _has_another(self, member: Member) -> bool:
        ready = [one.roles for one in self._here.fleet.members if one.name not in self._began]
        return ready.count(member.roles) > 1

    def _kill(self, member: Member) -> None:
        status = member.end(signal.SIGKILL)
        assert status == -signal.SIGKILL, f"{member.name} ended with {status}"
        self.kills += 1
        member.start()
        self._began[member.name] = time.monotonic()

    def _moment(self) -> float:
        return time.monotonic() + self._random.uniform(*LIFE_SECONDS)


def kill_processes(run: Run) -> list[Promise]:
    with world("kills", run.seed, roles=THREE_AND_TWO) as here:
        customer = here.begin_load()
        began = time.monotonic()
        killer = Killer(here, random.Random(run.seed))
        killer.run(run)
        took = time.monotonic() - began
        settle(here)
        figure = (
            f"{run.count} in {took:.0f} s, {took / killer.kills:.2f} s each;"
            f" {customer.cut_off:,} requests cut off, {len(customer.acknowledged):,} messages"
        )
        return [Promise("kill -9 of servers and workers", figure), *judge(here, killer.kills)]
