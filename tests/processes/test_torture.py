"""`make torture` in small: every scenario that needs no minute of real time, and what judges them.

The long ones are `python -m proof.torture --only rescue,zombies,memory,rolling`.
"""

import time

import pytest

from proof.torture.customer import recipient
from proof.torture.disk import can_mount, fill_disk
from proof.torture.kills import kill_processes
from proof.torture.listener import end_listeners
from proof.torture.network import cut_network
from proof.torture.promises import Promise, none_of
from proof.torture.restarts import restart_database
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import World, world
from tests.support.external import needs_postgres
from tests.support.waiting import eventually

SEED = 14

pytestmark = needs_postgres


def run_of(count: int) -> Run:
    return Run(SEED, count, 300, lambda done: None)


def require_kept(promises: list[Promise]) -> None:
    assert [promise.line() for promise in promises if not promise.kept] == []


def test_killed_servers_and_workers_lose_and_double_nothing() -> None:
    run = run_of(8)
    require_kept(kill_processes(run))
    assert run.done >= 8


def test_a_database_that_ends_at_once_loses_nothing_that_was_acknowledged() -> None:
    require_kept(restart_database(run_of(4)))


def test_without_notifications_work_starts_later_and_is_complete() -> None:
    require_kept(end_listeners(run_of(10)))


def test_a_cut_network_to_the_database_loses_and_doubles_nothing() -> None:
    require_kept(cut_network(run_of(2)))


def test_a_full_disk_is_answered_503_and_leaves_nothing_half_done() -> None:
    if not can_mount():
        pytest.skip("needs the right to mount a file system")
    require_kept(fill_disk(run_of(1)))


def test_the_verdict_finds_what_is_lost_doubled_untold_and_not_paid_for() -> None:
    with world("verdict", SEED, roles=("api,worker",)) as here:
        customer = here.begin_load()
        eventually(lambda: len(customer.acknowledged) >= 30)
        settle(here)
        require_kept(judge(here))
        falsify(here)
        broken = {promise.name for promise in judge(here) if not promise.kept}
        here.is_broken = False  # as it was meant to be: nothing of it is kept
    assert broken >= {
        "P1 acknowledged messages that the database does not have",
        "P1 acknowledged messages that the API does not list",
        "P3 guests who got a message twice",
        "P3 messages whose end is not what the platform did",
        "P6 webhooks that were never delivered",
        "P6 webhook ids with two bodies",
        "P6 messages told out of order by first attempts",
        "P8 messages not charged once, or not settled or refunded once",
        "tidings doctor",
    }


def falsify(here: World) -> None:
    """One record of each kind says something that the others do not."""
    with here.journal.open("a") as journal:
        journal.write('{"data": {"clientMessageId": "text-9999999", "messageId": null}}\n')
    twice, never, unpaid, *_ = (cid for cid in here.customer.acknowledged if cid[:4] == "text")
    here.platform.arrivals[recipient(twice)].append(time.time())
    del here.platform.arrivals[recipient(never)]
    untold, changed, *_ = here.receiver.bodies
    del here.receiver.bodies[untold]
    here.receiver.bodies[changed].add(b"another")
    here.receiver.statuses[twice] = {"read": 1, "sent": 1}
    refuse = "UPDATE messages SET status = 'failed' WHERE client_message_id = $1"
    here.postgres.rows("ALTER TABLE messages DISABLE TRIGGER USER")
    here.postgres.rows(refuse, unpaid)


def test_a_promise_with_an_exception_is_broken_and_names_it() -> None:
    broken = none_of("P1 lost", ["order-2", "order-1"], "7 acknowledged")
    assert broken.line() == "BROKEN  P1 lost -> 2 of 7 acknowledged: order-1, order-2"
    assert none_of("P1 lost", [], "7 acknowledged").kept
