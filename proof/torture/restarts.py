"""PostgreSQL ends at once, again and again, in the middle of whatever the service asks of it."""

import random
import time

from proof.torture.customer import Customer
from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import world

ROLES = ("api,worker", "api,worker", "worker")
ANSWERS_BETWEEN = 6  # it is not ended again before it has worked
BACK_SECONDS_MAX = 60
# The platform's callbacks are refused, too, and it repeats them at last a minute apart: some come
# after the two minutes that an unknown outcome waits.
LATE_SHARE_MAX = 0.01


def restart_database(run: Run) -> list[Promise]:
    """By turns as `pg_ctl -m immediate restart`, and by `kill -9` of the postmaster."""
    rng = random.Random(run.seed)
    with world("restarts", run.seed, roles=ROLES) as here:
        customer = here.begin_load()
        pids = [one.pid for one in here.fleet.members]
        began, waits = time.monotonic(), []
        for nth in run.rounds():
            time.sleep(rng.uniform(0, 0.3))
            ended = time.monotonic()
            if nth % 2:
                here.postgres.kill_restart()
            else:
                here.postgres.immediate_restart()
            _wait_for(customer, ANSWERS_BETWEEN)
            waits.append(time.monotonic() - ended)
            run.report(nth + 1)
        took = time.monotonic() - began
        alive = [one.pid for one in here.fleet.members if one.runs]
        settle(here)
        figure = f"{run.count} in {took:.0f} s; {len(customer.acknowledged):,} messages"
        worst = max(waits)
        return [
            Promise("immediate ends of PostgreSQL", figure),
            Promise(
                f"P1 until {ANSWERS_BETWEEN} more requests were answered",
                f"{worst:.1f} s at most, start of the database included",
                worst <= BACK_SECONDS_MAX,
            ),
            Promise(
                "P1 processes of the service that ended",
                f"{len(pids) - len(alive)} of 3",
                alive == pids,
            ),
            *judge(here, run.done, LATE_SHARE_MAX),
        ]


def _wait_for(customer: Customer, more: int) -> None:
    before = len(customer.answered_at)
    end = time.monotonic() + BACK_SECONDS_MAX
    while len(customer.answered_at) < before + more:
        assert time.monotonic() < end, "nobody is answered any more"
        time.sleep(0.02)
