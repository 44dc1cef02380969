"""Every host in turn is cut off, killed and returned, while a customer sends.

Nothing that was acknowledged is lost, nothing is sent twice, every webhook arrives, writes go on
within Patroni's time and five seconds, and no process of Tidings is restarted for it. One of the
Tidings hosts has a clock that is five minutes wrong all the time.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import asyncpg

from tests.cluster.conftest import World
from tests.cluster.hosts import Host
from tests.support.waiting import eventually, until

# ttl and loop_wait of deploy/patroni/patroni.yml, and five seconds of our own.
WRITES_GO_ON_SECONDS_MAX = 20 + 5 + 5
OTHER_HOST_SECONDS_MAX = 30  # while a Tidings host is away, with whatever rows it had locked
RETURNED_SECONDS_MAX = 120
SOME_ANSWERS = 20
UNDECIDED = "SELECT count(*) FROM messages WHERE status NOT IN ('read', 'failed')"
UNPOSTED = "SELECT count(*) FROM webhooks WHERE state <> 'delivered'"
# Three minutes after which an unknown outcome is given up are not waited for.
SKIP = """
    UPDATE messages SET unknown_since = unknown_since - interval '200 seconds'
     WHERE unknown_since > now() - interval '200 seconds'
"""
MESSAGES = """
    SELECT client_message_id AS cid, count(*) AS count, min(status) AS status,
           min(recipient) AS recipient
      FROM messages GROUP BY client_message_id
"""


class Figures:
    """What each event did, as it happens: pytest -s shows it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.lines: list[str] = []

    def note(self, line: str) -> None:
        self.lines.append(line)
        sys.stderr.write(f"{line}\n")

    def watch(self, what: str, cause: Callable[[], None], host: Host, seconds_max: float) -> None:
        """Do something to a host, and wait until the customer is answered as before."""
        load = self._world.load
        was = "primary" if self._world.postgres.primary() is host else "standby"
        role = was if host in self._world.postgres.hosts else "gateway"
        began = time.monotonic()
        cause()
        answered = len(load.answered)
        eventually(lambda: len(load.answered) > answered + SOME_ANSWERS, 120)
        gap = load.longest_gap(began, time.monotonic())
        line = f"{what} {host.name} ({role}): no answer for {gap:.1f} s"
        self.note(line)
        assert gap <= seconds_max, self.lines


def lose_each_database(world: World, figures: Figures) -> None:
    """The primary first, wherever it is by then."""
    postgres = world.postgres
    for way in ("cut off", "killed"):
        left = list(postgres.hosts)
        while left:
            primary = postgres.primary()
            host = primary if primary in left else left[0]
            left.remove(host)
            act = host.cut_off if way == "cut off" else host.kill
            figures.watch(way, act, host, WRITES_GO_ON_SECONDS_MAX)
            if way == "cut off":
                host.reconnect()
            else:
                host.boot()
                postgres.start(host)
            eventually(postgres.is_complete, RETURNED_SECONDS_MAX)


def lose_each_gateway(world: World, figures: Figures) -> None:
    for gateway in world.gateways:
        host = gateway.host
        figures.watch("cut off", host.cut_off, host, OTHER_HOST_SECONDS_MAX)
        host.reconnect()
        eventually(gateway.answers, RETURNED_SECONDS_MAX)
        figures.watch("killed", host.kill, host, OTHER_HOST_SECONDS_MAX)
        host.boot()
        gateway.start()


async def read_the_end(world: World) -> tuple[dict[str, Any], set[str]]:
    """The messages by client id and the ids of webhooks, once all have ended and been posted."""
    connection = await asyncpg.connect(world.postgres.url())

    async def has_ended() -> bool:
        await connection.execute(SKIP)
        left = await connection.fetchval(UNDECIDED) + await connection.fetchval(UNPOSTED)
        return left == 0

    await until(has_ended, 240)
    rows = {row["cid"]: row for row in await connection.fetch(MESSAGES)}
    events = {row["id"] for row in await connection.fetch("SELECT id FROM webhooks")}
    await connection.close()
    return rows, events


def test_every_host_may_be_lost(world: World) -> None:
    figures = Figures(world)
    eventually(lambda: len(world.load.answered) >= SOME_ANSWERS)
    before = [gateway.processes() for gateway in world.gateways]
    lose_each_database(world, figures)
    assert [gateway.processes() for gateway in world.gateways] == before, "a process was restarted"
    lose_each_gateway(world, figures)
    world.load.close()
    assert world.load.refused == []

    rows, events = asyncio.run(read_the_end(world))
    require_nothing_lost(world, rows)
    require_every_event(world, events, figures)
    figures.note(f"{len(rows)} messages, {world.load.repeated} requests repeated")
    world.gateways[1].command("doctor")  # it fails where it finds something
    assert [fault for gateway in world.gateways for fault in gateway.faults] == []


def require_nothing_lost(world: World, rows: dict[str, Any]) -> None:
    """The customer's journal, the database and the platform's journal agree."""
    assert rows.keys() == world.load.answered.keys()
    assert [cid for cid, row in rows.items() if row["count"] != 1] == []
    got = Counter(sent.to for sent in world.simulator.simulator.state.world.sent)
    assert [to for to, count in got.items() if count > 1] == [], "a recipient got two"
    wrong = [
        dict(row)
        for row in rows.values()
        if (row["status"] == "read") != (got[row["recipient"]] == 1)
    ]
    assert wrong == [], "read means sent; what was not sent has failed"


def require_every_event(world: World, events: set[str], figures: Figures) -> None:
    """Each was posted at least once, and nothing that the database does not know."""
    came = Counter(request["X-Webhook-Id"] for request in list(world.receiver.requests))
    assert came.keys() == events
    repeated = sum(count - 1 for count in came.values())
    figures.note(f"{len(events)} webhooks, {repeated} repeated")
