"""Processes that may have no more memory: whatever becomes of them, nothing they took is lost."""

import resource
import signal
import time

from proof.torture.fleet import Member
from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import TWO_AND_TWO, World, world
from tests.support.waiting import eventually

LIMIT_BYTES = 32 << 20  # less than each has already: whatever it asks for in addition is refused
STARVED_SECONDS = 3.0
REFUSED = ("MemoryError", "Cannot allocate memory", "can't start new thread", "memory")


def starve(run: Run) -> list[Promise]:
    """Each in turn gets a limit below what it has, works on with it, and is then ended as the
    kernel ends those that have too much."""
    with world("memory", run.seed, roles=TWO_AND_TWO) as here:
        customer = here.begin_load(per_second=25)
        faults = customer.allow(500)
        died = 0
        for nth in run.rounds():
            member = here.fleet.members[nth % len(here.fleet.members)]
            died += _starve(here, member)
            run.report(nth + 1)
        settle(here)
        logs = "".join(member.log.read_text() for member in here.fleet.members)
        said = sum(any(word in line for word in REFUSED) for line in logs.splitlines())
        figure = f"{run.count}, {died} of them died of it; {said:,} log lines say so,"
        figure += f" {faults[500]:,} answers 500 were repeated"
        effective = bool(died or said or faults[500])
        return [Promise("processes without memory", figure, effective), *judge(here, run.done)]


def _starve(here: World, member: Member) -> bool:
    resource.prlimit(member.pid, resource.RLIMIT_AS, (LIMIT_BYTES, resource.RLIM_INFINITY))
    time.sleep(STARVED_SECONDS)
    died = not member.runs
    member.end(signal.SIGKILL)
    member.start()
    eventually(member.is_ready, 120)
    return died
