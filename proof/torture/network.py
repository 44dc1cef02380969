"""The network between service and database is cut, resets what it carries, or takes its time."""

import random
import time

from proof.torture.postgres import TorturedServer
from proof.torture.promises import Promise
from proof.torture.proxy import Proxy
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import world

ROLES = ("api,worker", "api,worker")
CUT_SECONDS = (0.5, 14.0)  # shorter and longer than any time limit of the service
RESETS = 8
DELAY_SECONDS = 0.15
CALM_SECONDS = 2.0


def cut_network(run: Run) -> list[Promise]:
    rng = random.Random(run.seed)
    server = TorturedServer()
    with Proxy([server.port]) as proxy:
        url = server.url_at(proxy.port)
        with world("network", run.seed, roles=ROLES, postgres=server, database_url=url) as here:
            customer = here.begin_load(per_second=15, senders=8)
            pids = [one.pid for one in here.fleet.members]
            for nth in run.rounds():
                _trouble(proxy, rng, nth)
                proxy.restore()
                time.sleep(CALM_SECONDS)
                run.report(nth + 1)
            ended = [
                one.name
                for one, pid in zip(here.fleet.members, pids, strict=True)
                if not one.runs or one.pid != pid
            ]
            settle(here)
            figure = f"{run.count}; no answer for {customer.longest_gap():.1f} s at most"
            return [
                Promise("cuts, resets and delays towards the database", figure),
                Promise("P1 processes of the service that ended", str(len(ended)), not ended),
                *judge(here),
            ]


def _trouble(proxy: Proxy, rng: random.Random, nth: int) -> None:
    if nth % 3 == 0:
        proxy.swallow()
        time.sleep(rng.uniform(*CUT_SECONDS))
    elif nth % 3 == 1:
        for _ in range(RESETS):
            proxy.reset()
            time.sleep(rng.uniform(0.05, 0.6))
    else:
        proxy.delay(DELAY_SECONDS)
        time.sleep(rng.uniform(3, 6))
