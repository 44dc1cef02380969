"""The connection that hears of new jobs is ended again and again: that costs time and nothing else.

API processes and workers are apart, so that each batch needs a notification, or a poll.
"""

import statistics
import time

from proof.torture.customer import Customer, recipient
from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import World, world

ROLES = ("api", "worker", "worker")
EVERY_SECONDS = 0.5
# The polling interval is a second; the rest is for a machine that is busy.
START_SECONDS_MAX = 5.0
END = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND (query ILIKE 'LISTEN %' OR query ILIKE '%pg_notify%')
"""


def end_listeners(run: Run) -> list[Promise]:
    with world("listener", run.seed, roles=ROLES) as here:
        customer = here.begin_load(per_second=10, senders=6)
        ended = 0
        for nth in run.rounds():
            ended += here.postgres.value(END)
            time.sleep(EVERY_SECONDS)
            run.report(nth + 1)
        settle(here)
        figure = f"{ended} of them; {len(customer.acknowledged):,} messages"
        return [
            Promise("connections that LISTEN, ended", figure, ended > 0),
            _latency(here, customer),
            *judge(here),
        ]


def _latency(here: World, customer: Customer) -> Promise:
    """From the acknowledgement of a batch to the arrival of its first message at the platform."""
    got = here.platform.got()
    waits = [
        min(got[recipient(cid)] for cid in cids if recipient(cid) in got)[0] - at
        for at, cids in customer.batches
        if any(recipient(cid) in got for cid in cids)
    ]
    if not waits:
        return Promise("P20 start of a batch", "no batch was sent", kept=False)
    worst, usual = max(waits), statistics.median(waits)
    figure = f"{worst:.2f} s at most, {usual:.2f} s in the middle, {len(waits)} batches"
    return Promise(
        f"P20 acknowledged to the platform, at most {START_SECONDS_MAX:.0f} s",
        figure,
        worst <= START_SECONDS_MAX,
    )
