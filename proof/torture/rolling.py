"""Rolling restarts, as of an upgrade: each process in turn ends on request, and is replaced."""

import signal
import time

from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import TWO_AND_TWO, world
from tests.support.waiting import eventually

ENDS_SECONDS_MAX = 25


def roll(run: Run) -> list[Promise]:
    with world("rolling", run.seed, roles=TWO_AND_TWO) as here:
        customer = here.begin_load(per_second=25)
        took, statuses = [], []
        for nth in run.rounds():
            member = here.fleet.members[nth % len(here.fleet.members)]
            began = time.monotonic()
            statuses.append(member.end(signal.SIGTERM))
            took.append(time.monotonic() - began)
            member.start()
            eventually(member.is_ready, 120)
            run.report(nth + 1)
        statuses += settle(here).values()
        unknown = here.postgres.value("SELECT count(*) FROM messages WHERE status = 'failed'")
        bad = [str(status) for status in statuses if status]
        answers = ", ".join(f"{n:,} x {status}" for status, n in sorted(customer.statuses.items()))
        return [
            Promise(
                f"P15 SIGTERM to exit, at most {ENDS_SECONDS_MAX} s",
                f"{max(took):.1f} s at most, {run.count} restarts",
                max(took) <= ENDS_SECONDS_MAX,
            ),
            Promise("P15 exit statuses other than 0", f"{len(bad)} of {len(statuses)}", not bad),
            Promise("P15 answers", f"{answers}; {customer.cut_off:,} requests repeated"),
            Promise("P15 messages that failed or are unknown", str(unknown), not unknown),
            *judge(here),
        ]
