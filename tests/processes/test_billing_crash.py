"""Killed under load, a service charges exactly what it accepted and refunds exactly what failed."""

import signal
from collections.abc import Iterator

import pytest

from tests.support.billing import subscription
from tests.support.service import account_toml
from tests.support.serving import (
    KEY,
    QUICK,
    Load,
    Serving,
    expire_leases,
    require_sound,
    serving_of,
)

TOTAL, QUOTA, KILLS = 240, 180, 3


@pytest.fixture
def serving() -> Iterator[Serving]:
    file = account_toml(subscription(unique=QUOTA) + QUICK, name="payer", apiKey=KEY)
    with serving_of(file) as running:
        yield running


async def test_kill_9_charges_nothing_twice_and_loses_no_refund(serving: Serving) -> None:
    load = Load(serving.url, total=TOTAL, room=0)
    for kill in range(1, KILLS + 1):
        load.reach(40 * kill)
        assert serving.end(signal.SIGKILL) == -signal.SIGKILL
        serving.start()
    load.wait()
    assert len(load.answered) + len(load.refused) == TOTAL
    codes = {answer.json()["error"]["code"] for answer in load.refused.values()}
    assert codes <= {"QUOTA_EXHAUSTED"}

    await expire_leases(serving)
    serving.advance(180)  # unknown outcomes time out and are refunded
    serving.advance(3)
    statuses = [serving.get(f"/api/v1/messages/{cid}")["status"] for cid in load.answered]
    assert set(statuses) <= {"read", "failed"}
    unique = serving.get("/api/v1/balance")["subscription"]["unique"]
    assert unique["used"] == statuses.count("read") <= QUOTA
    assert unique["remaining"] == QUOTA - unique["used"]
    states = [row["state"] for row in _charges(serving)]
    assert states.count("SETTLED") == statuses.count("read")
    assert states.count("REFUNDED") == statuses.count("failed")
    assert len(states) == len(load.answered)
    await require_sound(serving)


def _charges(serving: Serving) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    cursor: str | None = ""
    while cursor is not None:
        query = {"limit": 200} | ({"cursor": cursor} if cursor else {})
        answer = serving.reads.get("/api/v1/charges", params=query).json()
        rows += answer["data"]
        cursor = answer["nextCursor"]
    return rows
