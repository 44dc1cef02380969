"""A real `tidings serve` with a live account is killed again and again while it sends through the
platform: no recipient gets two, nothing is lost, and every message has a consistent timeline.

The client retries a request that got no response, with the same id.
"""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import asyncpg
import httpx
import pytest

from tests.support.database import fresh_database, reachable_folder
from tests.support.interrupted_sends import SKIP, UNDECIDED, slow_platform
from tests.support.plain_http import NO_TLS
from tests.support.service import account_toml
from tests.support.serving import Serving, expire_leases, require_sound, serving_of
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually, until

KEY = "td_live_" + "K" * 43
AUTH = {"x-api-key": KEY}
IN_BATCH, SINGLES, AT_ONCE = 300, 700, 64
KILLS = 10
REPEATS_AFTER = 0.2
PLATFORM_TAKES = 0.05  # seconds: long enough to be killed in the middle of


@pytest.fixture
def simulator() -> Iterator[RunningSimulator]:
    with slow_platform(PLATFORM_TAKES) as running:
        yield running


@pytest.fixture
def serving(simulator: RunningSimulator) -> Iterator[Serving]:
    serving = Serving(reachable_folder(), fresh_database())
    serving.env |= simulator.settings
    simulator.call_back(f"{serving.url}/platform/whatsapp/webhook")
    number = simulator.numbers_toml + "perSecond = 1000\n# accounts.templates\n"
    toml = account_toml(number, name="acme", environment="live", apiKey=KEY)
    with serving_of(toml, serving):
        eventually(lambda: get(serving, "/templates"))
        yield serving


def get(serving: Serving, path: str) -> Any:
    answer = serving.reads.get(f"/api/v1{path}", headers=AUTH)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


class Load:
    """A batch, and single messages from many at once, each to a person of its own."""

    def __init__(self, url: str) -> None:
        self.answered: dict[str, dict[str, Any]] = {}  # by clientMessageId
        self.singles = 0
        self.broken = 0
        self.room = 0  # how many single messages may be started: the rest follow the next kill
        self._http = httpx.AsyncClient(base_url=url, headers=AUTH, timeout=60, verify=NO_TLS)
        self._numbers = iter(range(SINGLES))

    async def run(self) -> None:
        async with self._http:
            await asyncio.gather(self._batch(), *(self._send_all() for _ in range(AT_ONCE)))

    async def _batch(self) -> None:
        messages = [message(n) for n in range(SINGLES, SINGLES + IN_BATCH)]
        data = await self._post("/api/v1/messages/bulk", {"messages": messages})
        assert data["rejected"] == []
        for one in [*data["accepted"], *data["duplicates"]]:
            self.answered[one["clientMessageId"]] = one

    async def _send_all(self) -> None:
        for number in self._numbers:
            while number >= self.room:
                await asyncio.sleep(0.005)
            one = message(number)
            data = await self._post("/api/v1/messages/text", one)
            self.answered[one["clientMessageId"]] = data
            self.singles += 1

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        while True:
            try:
                answer = await self._http.post(path, json=body)
            except httpx.TransportError:
                self.broken += 1
                await asyncio.sleep(REPEATS_AFTER)
                continue
            if answer.status_code != 503:
                assert answer.status_code in (200, 202), answer.text
                data: dict[str, Any] = answer.json()["data"]
                return data
            await asyncio.sleep(REPEATS_AFTER)


def message(number: int) -> dict[str, str]:
    return {
        "clientMessageId": f"order-{number:06}",
        "to": f"9725010{number:05}",
        "templateName": "plain",
    }


async def kill_while_sending(serving: Serving, load: Load) -> None:
    """Ten times in the middle, each when the next share has been answered."""
    sending = asyncio.create_task(load.run())
    share = (SINGLES - AT_ONCE) // KILLS
    for nth in range(1, KILLS + 1):
        load.room = nth * share + AT_ONCE
        while load.singles < nth * share - share // 2 and not sending.done():
            await asyncio.sleep(0.005)
        assert not sending.done(), sending.exception()
        assert await asyncio.to_thread(serving.end, signal.SIGKILL) == -signal.SIGKILL
        await asyncio.to_thread(serving.start)
    load.room = SINGLES
    await asyncio.wait_for(sending, 120)


async def let_time_settle(serving: Serving, simulator: RunningSimulator) -> None:
    """The leases of a killed process expire after a minute of real time, and an unknown
    outcome is given up two minutes later: both are skipped here."""
    await expire_leases(serving)
    await asyncio.to_thread(simulator.flush)  # callbacks posted while the service was down
    async with serving.connection() as connection:
        end = time.monotonic() + 90
        while await connection.fetchval(f"SELECT EXISTS (SELECT FROM messages WHERE {UNDECIDED})"):
            assert time.monotonic() < end, "some messages never reach a final status"
            with suppress(asyncpg.DeadlockDetectedError):  # the service works on the same rows
                await connection.execute(SKIP)
            await asyncio.sleep(0.2)
        await asyncio.to_thread(simulator.flush)
        await until(lambda: all_are_read(connection), 60)


async def all_are_read(connection: asyncpg.Connection) -> bool:
    """All that the platform took: what its callbacks say is recorded after they are answered."""
    query = "SELECT EXISTS (SELECT FROM messages WHERE status IN ('sent', 'delivered'))"
    return not await connection.fetchval(query)


def taken(simulator: RunningSimulator) -> Counter[str]:
    """How many messages each person got."""
    return Counter(sent.to for sent in simulator.simulator.state.world.sent)


async def test_ten_kills_in_the_middle_of_a_thousand_sends(
    serving: Serving, simulator: RunningSimulator
) -> None:
    load = Load(serving.url)
    await kill_while_sending(serving, load)
    assert len(load.answered) == SINGLES + IN_BATCH
    assert load.broken, "no request was cut off, so nothing was tried"
    await let_time_settle(serving, simulator)

    got = taken(simulator)
    assert [to for to, count in got.items() if count > 1] == [], "a recipient got two"
    opaque = Counter(sent.opaque for sent in simulator.simulator.state.world.sent)
    assert max(opaque.values()) == 1
    lost, ends = [], Counter[str]()
    for cid in load.answered:
        found = get(serving, f"/messages/{cid}")
        ends[found["status"]] += 1
        if got[found["to"]]:
            explained = found["status"] == "read"
        else:
            explained = found["status"] == "failed"
            explained = explained and found["error"]["code"] == "UNKNOWN_OUTCOME"
        if not explained:
            lost.append((found["to"], got[found["to"]], found["timeline"], found["error"]))
    assert lost == []
    assert ends["failed"] <= KILLS * (AT_ONCE + IN_BATCH) and ends["read"] > 0, ends
    await require_sound(serving)
    assert serving.end(signal.SIGTERM) == 0
