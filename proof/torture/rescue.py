"""From `kill -9` of a worker to the next run of each job that it held, by the real clock."""

import signal
import time

from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import World, world
from tests.support.waiting import eventually

ROLES = ("api", "worker", "worker", "worker")
SLOW_SECONDS = 1.5  # of the platform, so that a dead worker had much under way
HELD = "SELECT id, generation FROM jobs WHERE leased"
RESCUE_SECONDS_MAX = 75


def measure_rescue(run: Run) -> list[Promise]:
    """All workers but one are killed at once, and stay away."""
    with world("rescue", run.seed, roles=ROLES) as here:
        here.platform.answer_after(SLOW_SECONDS)
        customer = here.begin_load(per_second=12, senders=8)
        eventually(lambda: len(customer.acknowledged) > 60, 120)
        for member in here.fleet.workers[: run.asked]:
            member.end(signal.SIGKILL)
        killed = time.monotonic()
        held = {row["id"]: row["generation"] for row in here.postgres.rows(HELD)}
        customer.begin_close()
        promise = _watch(here, held, killed)
        run.report(run.asked)
        here.platform.answer_after(0.05)
        settle(here)
        return [promise, *judge(here, run.done)]


def _watch(here: World, held: dict[int, int], killed: float) -> Promise:
    """A job that is gone or has another generation has been taken up."""
    left, worst = dict(held), 0.0
    while left and time.monotonic() - killed < 2 * RESCUE_SECONDS_MAX:
        now = {row["id"]: row["generation"] for row in here.postgres.rows(HELD)}
        left = {id_: held[id_] for id_ in left if now.get(id_) == held[id_]}
        worst = time.monotonic() - killed
        time.sleep(0.1)
    figure = f"{worst:.1f} s at most, {len(held):,} jobs, {len(left)} never"
    kept = not left and RESCUE_SECONDS_MAX >= worst > 1  # of the dead, and not of the living alone
    return Promise(f"P4 kill -9 to the next run, at most {RESCUE_SECONDS_MAX} s", figure, kept)
