"""`tidings serve --processes 2` with a live account: one of its processes is killed or restarted
again and again while both send and receive each other's callbacks.

No recipient gets two, no message is lost, and the webhooks of a message come in order.
"""

import asyncio
import os
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import asyncpg
import httpx
import pytest

from tests.support.database import fresh_database, reachable_folder
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver
from tests.support.service import account_toml
from tests.support.serving import Serving, require_sound, serving_of
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually, until
from tidings_simulator.plan import DEFAULT, NumberSpec, Plan

KEY = "td_live_" + "K" * 43
AUTH = {"x-api-key": KEY}
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL]
SHARE, AT_ONCE = 60, 24  # messages between two signals, requests at the same time
MESSAGES = SHARE * (len(SIGNALS) + 1)
ORDER = ["sent", "delivered", "read"]
UNDECIDED = "status IN ('queued', 'sending', 'deferred', 'sent', 'delivered')"
SKIP = """
    UPDATE messages SET unknown_since = unknown_since - interval '200 seconds'
     WHERE unknown_since > now() - interval '200 seconds';
    UPDATE jobs SET due_at = now() WHERE pool IN ('send', 'webhooks') AND due_at > now()
       AND NOT leased;
"""


@pytest.fixture
def simulator() -> Iterator[RunningSimulator]:
    quick = NumberSpec(number="972555000001", throughput="HIGH")
    with RunningSimulator(
        plan=Plan(numbers=[quick], templates=DEFAULT.templates), post_concurrency=8
    ) as running:
        yield running


@pytest.fixture
def serving(simulator: RunningSimulator, receiver: Receiver) -> Iterator[Serving]:
    serving = Serving(reachable_folder(), fresh_database())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        serving.env["TIDINGS_OPERATOR_ADDRESS"] = f"127.0.0.1:{free.getsockname()[1]}"
    serving.env |= simulator.settings
    simulator.call_back(f"{serving.url}/platform/whatsapp/webhook")
    number = simulator.numbers_toml + "perSecond = 1000\n# accounts.templates\n"
    fields = {"environment": "live", "apiKey": KEY, "webhookUrl": receiver.url}
    with serving_of(
        account_toml(number, name="acme", **fields), serving, "--processes", "2"
    ) as running:
        eventually(lambda: running.reads.get("/api/v1/templates", headers=AUTH).json()["data"])
        eventually(lambda: operator(running, "/readyz").status_code == 200, 60)
        yield running


def operator(serving: Serving, path: str) -> httpx.Response:
    address = serving.env["TIDINGS_OPERATOR_ADDRESS"]
    return httpx.get(f"http://{address}{path}", timeout=30, verify=NO_TLS)


class Load:
    """Messages to a person each; a request that got no response is repeated with the same id."""

    def __init__(self, url: str) -> None:
        self.answered: set[str] = set()
        self._http = httpx.AsyncClient(base_url=url, headers=AUTH, timeout=60, verify=NO_TLS)
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def send_all(self, numbers: range) -> None:
        await asyncio.gather(*map(self._send, numbers))

    async def _send(self, number: int) -> None:
        cid, to = f"order-{number:06}", f"9725010{number:05}"
        body = {"clientMessageId": cid, "to": to, "templateName": "plain"}
        async with self._slots:
            while cid not in self.answered:
                with suppress(httpx.TransportError):
                    answer = await self._http.post("/api/v1/messages/text", json=body)
                    if answer.status_code in (200, 202):
                        self.answered.add(cid)
                await asyncio.sleep(0.02)


async def send_while_processes_end(serving: Serving, load: Load) -> None:
    """Each signal comes in the middle of a share, to one process and then to the other."""
    for nth, number in enumerate(SIGNALS):
        sending = asyncio.create_task(load.send_all(range(nth * SHARE, (nth + 1) * SHARE)))
        while len(load.answered) < nth * SHARE + SHARE // 2:
            await asyncio.sleep(0.002)
        pids = await asyncio.to_thread(serving.children)
        os.kill(pids[nth % len(pids)], number)
        await asyncio.wait_for(sending, 120)
        await until(lambda: asyncio.to_thread(is_complete, serving), 120)
    await load.send_all(range(len(SIGNALS) * SHARE, MESSAGES))


def is_complete(serving: Serving) -> bool:
    return operator(serving, "/readyz").status_code == 200


async def let_time_settle(serving: Serving, simulator: RunningSimulator) -> None:
    """Expired leases and unknown outcomes are not waited for in real time. Leases expire while no
    process runs: those that run hold theirs."""
    await asyncio.to_thread(simulator.flush)
    assert await asyncio.to_thread(serving.end, signal.SIGTERM) == 0
    async with serving.connection() as connection:
        await connection.execute("UPDATE jobs SET due_at = now() WHERE leased")
        await asyncio.to_thread(serving.start, "--processes", "2")
        waits = f"SELECT EXISTS (SELECT FROM messages WHERE {UNDECIDED})"
        posts = "SELECT EXISTS (SELECT FROM webhooks WHERE state = 'pending')"
        async with asyncio.timeout(120):
            while await connection.fetchval(waits) or await connection.fetchval(posts):
                with suppress(asyncpg.DeadlockDetectedError):
                    await connection.execute(SKIP)
                await asyncio.sleep(0.2)


def first_arrivals(receiver: Receiver) -> dict[str, dict[str, int]]:
    """The statuses of each message in the order in which they first came, by which attempt."""
    found: dict[str, dict[str, int]] = {}
    for request in list(receiver.requests):
        event: dict[str, Any] = request.json()
        if event["type"] == "message.status":
            came = found.setdefault(event["data"]["clientMessageId"], {})
            came.setdefault(event["data"]["status"], int(request["X-Delivery-Attempt"]))
    return found


def is_in_order(came: dict[str, int]) -> bool:
    """Only first attempts wait for earlier webhooks, and one that was cut off counts as the first:
    whatever a signal did not touch is in order."""
    statuses = [status for status in ORDER if status in came]
    return list(came) == statuses or max(came.values()) > 1


def was_cut_off(message: dict[str, Any]) -> bool:
    """Its process was killed before it recorded the platform's response: nothing is recorded of the
    attempt, if a callback came first, or that its outcome was unknown."""
    return not message["attempts"] or message["attempts"][0]["outcome"] != "sent"


def forwarded(serving: Serving) -> bool:
    return (
        'tidings_callbacks_forwarded_total{outcome="answered"}'
        in operator(serving, "/metrics").text
    )


async def test_nothing_is_lost_when_one_of_two_processes_ends(
    serving: Serving, simulator: RunningSimulator, receiver: Receiver
) -> None:
    load = Load(serving.url)
    await send_while_processes_end(serving, load)
    assert forwarded(serving), "no callback reached the other process, so nothing was tried"
    await let_time_settle(serving, simulator)

    got = Counter(sent.to for sent in simulator.simulator.state.world.sent)
    assert [to for to, count in got.items() if count > 1] == [], "a recipient got two"
    arrived = first_arrivals(receiver)
    for number in range(MESSAGES):
        cid = f"order-{number:06}"
        found = serving.reads.get(f"/api/v1/messages/{cid}", headers=AUTH).json()["data"]
        came = arrived[cid]
        if not got[found["to"]]:
            assert (list(came), found["error"]["code"]) == (["failed"], "UNKNOWN_OUTCOME")
            continue
        assert found["status"] == "read", found
        assert is_in_order(came), came
        assert "read" in came and ("sent" in came or was_cut_off(found)), (came, found)
    await require_sound(serving)
    assert serving.end(signal.SIGTERM) == 0
