"""A real `tidings serve` that is killed or stopped under load: nothing lost, nothing doubled.

The client retries a request that got no response, with the same id.
"""

import asyncio
import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.database import reachable_folder
from tests.support.receiver import Receiver
from tests.support.service import account_toml
from tests.support.serving import (
    AUTH,
    KEY,
    QUICK,
    SECRET,
    SENDERS,
    Load,
    Serving,
    expire_leases,
    require_sound,
    serving_of,
)
from tidings import limits

KILLS = 3


async def stored(serving: Serving) -> set[str]:
    """The clientMessageIds of all messages, answered or not."""
    async with serving.connection() as connection:
        rows = await connection.fetch("SELECT client_message_id FROM messages")
    return {row["client_message_id"] for row in rows}


@pytest.fixture
def toml(receiver: Receiver) -> str:
    fields = {"apiKey": KEY, "signingSecret": SECRET, "webhookUrl": receiver.url}
    return account_toml(QUICK, name="acme", **fields)


@pytest.fixture
def serving(toml: str) -> Iterator[Serving]:
    with serving_of(toml) as running:
        yield running


@pytest.fixture
def embedded(toml: str) -> Iterator[Serving]:
    """With a PostgreSQL of its own in its folder."""
    with serving_of(toml, Serving(reachable_folder())) as running:
        yield running


def require_whole(serving: Serving, load: Load) -> dict[str, str]:
    """Every answered message exists as answered and was sent once; its status by id."""
    statuses = {}
    for cid, answered in load.answered.items():
        found = serving.get(f"/api/v1/messages/{cid}")
        if answered["messageId"] is not None:
            assert found["messageId"] == answered["messageId"]
        assert len(found["attempts"]) <= 1, found
        names = [step["status"] for step in found["timeline"]]
        assert len(names) == len(set(names)), found
        shown = serving.get(f"/sandbox/v1/phones/{found['to']}")["messages"]
        assert len(shown) <= 1, "sent twice"
        statuses[cid] = found["status"]
    return statuses


def received_statuses(receiver: Receiver) -> dict[str, list[str]]:
    """The statuses the customer received for each message; a duplicate delivery counts once."""
    bodies: dict[str, bytes] = {}
    received: dict[str, list[str]] = defaultdict(list)
    for post in list(receiver.requests):
        if bodies.setdefault(post["X-Webhook-Id"], post.body) is post.body:
            received[post.json()["data"]["clientMessageId"]].append(post.json()["data"]["status"])
        assert bodies[post["X-Webhook-Id"]] == post.body, "one id, two bodies"
    return received


async def test_kill_9_in_the_middle_of_sending_loses_nothing_and_sends_nothing_twice(
    embedded: Serving, receiver: Receiver
) -> None:
    serving = embedded
    load = Load(serving.url, total=300, room=0)
    for kill in range(1, KILLS + 1):
        load.reach(50 * kill)
        assert serving.end(signal.SIGKILL) == -signal.SIGKILL
        serving.start()
    load.wait()
    assert len(load.answered) == 300 and load.refused == {}
    assert load.broken, "no request was cut off, so nothing was tried"

    began = time.monotonic()
    serving.advance(180)
    waited = time.monotonic() - began
    assert waited < limits.JOB_LEASE.total_seconds(), "for leases of the dead"
    serving.advance(3)
    statuses = require_whole(serving, load)
    unsettled = {cid: s for cid, s in statuses.items() if s not in ("read", "failed")}
    assert unsettled == {}
    unknown = [cid for cid, status in statuses.items() if status == "failed"]
    assert len(unknown) <= KILLS * SENDERS
    for cid in unknown:
        assert serving.get(f"/api/v1/messages/{cid}")["error"]["code"] == "UNKNOWN_OUTCOME"

    serving.advance(120)  # whatever was being posted when we were killed
    received = received_statuses(receiver)
    for cid, status in statuses.items():
        expected = ["failed"] if status == "failed" else ["delivered", "read", "sent"]
        assert sorted(received[cid]) == expected, (cid, received[cid])
    receiver.verify(SECRET)
    await require_sound(serving)
    assert serving.end(signal.SIGTERM) == 0


async def test_sigterm_under_load_answers_what_it_took_and_leaves_nothing_half_done(
    serving: Serving,
) -> None:
    load = Load(serving.url, total=1_000_000)
    load.reach(100)
    started = time.monotonic()
    assert serving.end(signal.SIGTERM) == 0
    assert time.monotonic() - started < limits.SHUTDOWN_DRAIN.total_seconds()
    load.stop()
    assert load.refused == {}
    # A connection still waiting to be accepted when the listener closes is reset.
    unanswered = await stored(serving) - load.answered.keys()
    assert unanswered == set(), "a request was taken and not answered"

    serving.start()
    statuses = require_whole(serving, load)
    assert set(statuses.values()) <= {"sent", "delivered", "read"}
    await require_sound(serving)


async def test_a_second_signal_does_no_harm(serving: Serving) -> None:
    load = Load(serving.url, total=1_000_000)
    load.reach(30)
    assert serving.process is not None
    serving.process.send_signal(signal.SIGINT)
    assert serving.end(signal.SIGTERM) == 0
    load.stop()
    serving.start()
    assert set(require_whole(serving, load).values()) <= {"sent", "delivered", "read"}
    await require_sound(serving)


async def test_a_database_that_drops_its_connections_costs_time_and_nothing_else(
    serving: Serving,
) -> None:
    load = Load(serving.url, total=300)
    drop = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with serving.connection() as connection:
        for _ in range(6):
            await asyncio.sleep(0.15)  # so that each time others are under way
            await connection.execute(drop)
    load.wait()
    assert load.refused == {} and load.broken == []
    await expire_leases(serving)
    serving.advance(180)
    serving.advance(3)
    statuses = require_whole(serving, load)
    assert len(statuses) == 300
    assert set(statuses.values()) <= {"read", "failed"}
    await require_sound(serving)


def kill_database(data: Path) -> None:
    """The postmaster alone: the processes it has forked go on."""
    pid_file = data / "postgres" / "server" / "data" / "postmaster.pid"
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)


READS = (
    "/api/v1/balance", "/api/v1/messages/order-000001", "/api/v1/limits", "/api/v1/invoices",
    "/api/v1/webhooks/failed", "/sandbox/v1/clock", "/r/abcdefghijkl",
)  # fmt: skip


def ask_until_it_is_back(serving: Serving) -> None:
    """Requests meanwhile get 503 with Retry-After, then the usual responses."""
    end, seen = time.monotonic() + 60, set()
    while time.monotonic() < end and not {200, 503} <= seen:
        for path in READS:
            answer = serving.http.get(path, headers=AUTH)
            seen.add(answer.status_code)
            assert answer.status_code in (200, 404, 503), (path, answer.text)
            assert answer.status_code != 503 or int(answer.headers["retry-after"]) >= 1, path
    assert {200, 503} <= seen, "it was away, and came back"


async def test_a_database_that_is_killed_comes_back_by_itself(embedded: Serving) -> None:
    serving = embedded
    load = Load(serving.url, total=300, room=0)
    for time_of_death in (50, 100):
        load.reach(time_of_death)
        kill_database(serving.data)
        ask_until_it_is_back(serving)
    load.wait()
    assert len(load.answered) == 300
    assert load.refused == {}, "sends meanwhile get 503 too, and nothing else"
    assert load.broken == [], "and the process lives"
    await expire_leases(serving)
    serving.advance(180)
    serving.advance(3)
    assert set(require_whole(serving, load).values()) <= {"read", "failed"}
    await require_sound(serving)
    assert serving.end(signal.SIGTERM) == 0
