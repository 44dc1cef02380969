"""Workers that are stopped between claim and result for longer than their lease, and then go on.

What they held is taken up by others meanwhile; what they say afterwards is late. Real time: a lease
that is ended by hand would still be valid to whoever holds it.
"""

import os
import random
import signal
import time

from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import World, world
from tidings import limits

ROLES = ("api", "worker", "worker", "worker")
STOPPED_SECONDS = limits.JOB_LEASE.total_seconds() + 12
# The third finishes what it has claimed, and claims anew.
HELD = """
    SELECT coalesce(sum(coalesce(cardinality(subjects), 1)), 0)::int FROM jobs
     WHERE leased AND due_at < now() + interval '58 seconds'
"""
SLOW_SECONDS = 1.5  # of the platform, so that a stopped worker has much under way


def stop_workers(run: Run) -> list[Promise]:
    """Two of three workers are stopped, each at a moment of its own."""
    rng = random.Random(run.seed)
    with world("zombies", run.seed, roles=ROLES) as here:
        here.platform.answer_after(SLOW_SECONDS)
        here.begin_load(per_second=30)
        held = 0
        for nth in run.rounds():
            held += _stop_two(here, rng)
            run.report(nth + 1)
        here.platform.answer_after(0.05)
        settle(here)
        figure = f"{2 * run.done:,} for {STOPPED_SECONDS:.0f} s each, holding {held:,} jobs"
        return [Promise("SIGSTOP of workers", figure, held > 0), *judge(here, 2 * run.done)]


def _stop_two(here: World, rng: random.Random) -> int:
    stopped = rng.sample(here.fleet.workers, 2)
    for member in stopped:
        time.sleep(rng.uniform(0.5, 2.5))
        os.kill(member.pid, signal.SIGSTOP)
    time.sleep(SLOW_SECONDS + 1)
    held: int = here.postgres.value(HELD)
    time.sleep(STOPPED_SECONDS)
    for member in stopped:
        os.kill(member.pid, signal.SIGCONT)
    here.fleet.wait_until_ready()
    return held
