"""kill -9 while webhooks are being posted: none is lost, and none is tried more than six times."""

import signal
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.support.receiver import Receiver, hang
from tests.support.service import account_toml
from tests.support.serving import (
    AUTH,
    KEY,
    SECRET,
    Serving,
    expire_leases,
    require_sound,
    serving_of,
)

EVENTS = 60


@pytest.fixture
def serving(receiver: Receiver) -> Iterator[Serving]:
    fields = {"apiKey": KEY, "signingSecret": SECRET, "webhookUrl": receiver.url}
    with serving_of(account_toml(name="acme", **fields)) as running:
        yield running


def trigger(serving: Serving, count: int) -> set[str]:
    """So many events; their webhook ids."""
    ids = set()
    for _ in range(count):
        answer = serving.http.post(
            "/sandbox/v1/webhooks", json={"type": "sender.health"}, headers=AUTH
        )
        assert answer.status_code == 200, answer.text
        ids.add(answer.json()["data"]["webhookId"])
    return ids


def attempts(receiver: Receiver) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for request in list(receiver.requests):
        found[request["X-Webhook-Id"]].append(int(request["X-Delivery-Attempt"]))
    return found


async def test_none_is_lost_when_the_service_is_killed_between_post_and_record(
    serving: Serving, receiver: Receiver
) -> None:
    receiver.answer(200, delay=0.1)
    ids = trigger(serving, EVENTS)
    receiver.wait_for(10)
    assert serving.end(signal.SIGKILL) == -signal.SIGKILL
    serving.start()
    await expire_leases(serving)
    serving.advance(120)
    found = attempts(receiver)
    assert found.keys() == ids
    for numbers in found.values():
        assert numbers == sorted(set(numbers)) and numbers[-1] <= 3
    receiver.verify(SECRET)
    await require_sound(serving)


async def test_an_attempt_that_was_cut_off_counts_so_there_are_never_more_than_six(
    serving: Serving, receiver: Receiver
) -> None:
    receiver.answer(500)
    receiver.answers([hang(), hang()])
    [webhook_id] = trigger(serving, 1)
    for cut_off in (1, 2):
        receiver.wait_for(cut_off)
        assert serving.end(signal.SIGKILL) == -signal.SIGKILL
        serving.start()
        await expire_leases(serving)
        await bring_forward(serving)
    receiver.wait_for(3)
    serving.advance(24 * 3600)
    assert attempts(receiver) == {webhook_id: [1, 2, 3, 4, 5, 6]}
    [failed] = serving.http.get("/api/v1/webhooks/failed", headers=AUTH).json()["data"]
    assert [one["attempt"] for one in failed["attempts"]] == [1, 2, 3, 4, 5, 6]
    await require_sound(serving)


async def bring_forward(serving: Serving) -> None:
    """The next attempt is due now."""
    async with serving.connection() as connection:
        await connection.execute("UPDATE jobs SET due_at = now() WHERE NOT leased")
