"""The drill: a live service under load is backed up, goes on and is lost; it is restored elsewhere.

Sending is held until it is confirmed. Then everything comes to an end, the invariants hold, and
nobody gets a second message that the backup knew as sent, or as being sent.
"""

import asyncio
import itertools
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from tests.support.commands import Done, run
from tests.support.database import empty_database, fresh_database, reachable_folder
from tests.support.interrupted_sends import SKIP, UNDECIDED, slow_platform
from tests.support.invitations import later
from tests.support.plain_http import NO_TLS
from tests.support.service import account_toml
from tests.support.serving import Serving, require_sound, serving_of
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually, until

KEY = "td_live_" + "K" * 43
AUTH = {"x-api-key": KEY}
SENDERS, MORE, IN_BATCH = 6, 12, 10  # two rounds of all senders before the backup, and after it
NEW = 99_999
PLATFORM_TAKES = 0.1  # seconds: some are always in the middle of being sent
KNOWN = """
    SELECT recipient, CASE WHEN status IN ('sent', 'delivered', 'read') THEN 'sent'
                           WHEN status = 'sending' THEN 'unknown' ELSE 'waiting' END AS state
      FROM messages
"""


@pytest.fixture
def simulator() -> Iterator[RunningSimulator]:
    with slow_platform(PLATFORM_TAKES) as running:
        yield running


def joined(serving: Serving, simulator: RunningSimulator) -> Serving:
    serving.env |= simulator.settings
    simulator.call_back(f"{serving.url}/platform/whatsapp/webhook")
    return serving


@pytest.fixture
def lost(simulator: RunningSimulator) -> Iterator[Serving]:
    """The service that will be lost."""
    number = simulator.numbers_toml + "perSecond = 1000\n# accounts.templates\n"
    toml = account_toml(number, name="acme", environment="live", apiKey=KEY)
    serving = joined(Serving(reachable_folder(), fresh_database()), simulator)
    with serving_of(toml, serving):
        eventually(lambda: serving.reads.get("/api/v1/templates", headers=AUTH).json()["data"])
        yield serving


def message(number: int) -> dict[str, str]:
    return {
        "clientMessageId": f"order-{number:06}",
        "to": f"9725010{number:05}",
        "templateName": "plain",
    }


class Load:
    """A batch for later, and single messages until told to stop, each to a person of its own."""

    def __init__(self, url: str) -> None:
        self.answered = 0
        self.stopping = False
        self._http = httpx.AsyncClient(base_url=url, headers=AUTH, timeout=60, verify=NO_TLS)
        self._numbers = itertools.count(IN_BATCH)

    async def run(self) -> None:
        async with self._http:
            batch = [message(n) | {"scheduledFor": later(hours=2)} for n in range(IN_BATCH)]
            await self._post("bulk", {"messages": batch})
            await asyncio.gather(*(self._send_all() for _ in range(SENDERS)))

    async def _send_all(self) -> None:
        while not self.stopping:
            await self._post("text", message(next(self._numbers)))
            self.answered += 1

    async def _post(self, kind: str, body: dict[str, Any]) -> None:
        answer = await self._http.post(f"/api/v1/messages/{kind}", json=body)
        assert answer.status_code in (200, 202), answer.text


def taken(simulator: RunningSimulator) -> Counter[str]:
    return Counter(sent.to for sent in simulator.simulator.state.world.sent)


async def tidings(serving: Serving, *words: str) -> Done:
    """A command beside the service, in a thread: it has an event loop of its own."""
    return await asyncio.to_thread(run, *words, env=serving.env)


async def lose_it_under_load(serving: Serving, backup: Path) -> None:
    load = Load(serving.url)
    running = asyncio.create_task(load.run())
    await until(lambda: load.answered >= MORE or running.done(), 60)
    (await tidings(serving, "backup", str(backup))).good()
    enough = load.answered + MORE
    await until(lambda: load.answered >= enough, 60)
    load.stopping = True
    await asyncio.wait_for(running, 60)
    assert await asyncio.to_thread(serving.end, signal.SIGKILL) == -signal.SIGKILL


async def restored(lost: Serving, backup: Path) -> tuple[Serving, dict[str, str]]:
    """At another place, and what the backup knew of each recipient's message."""
    there = Serving(reachable_folder(), empty_database())
    there.env |= {name: lost.env[name] for name in lost.env if "GRAPH" in name or "APP" in name}
    shutil.copy2(lost.data / "master.key", there.data / "master.key")
    done = (await tidings(there, "restore", str(backup), "--json")).json()
    async with there.connection() as connection:
        known = {row["recipient"]: row["state"] for row in await connection.fetch(KNOWN)}
    counts = Counter(known.values())
    assert (done["unknown"], done["waiting"]) == (counts["unknown"], counts["waiting"])
    return there, known


async def finish(serving: Serving, simulator: RunningSimulator) -> None:
    """Until every message has an end. Unknown outcomes wait for minutes, which are skipped here."""
    async with serving.connection() as connection, asyncio.timeout(120):
        while await connection.fetchval(f"SELECT EXISTS (SELECT FROM messages WHERE {UNDECIDED})"):
            await asyncio.to_thread(simulator.flush)
            with suppress(asyncpg.DeadlockDetectedError):  # the service works on the same rows
                await connection.execute(SKIP)
            await asyncio.sleep(0.2)
    await asyncio.to_thread(simulator.flush)


def require_held(serving: Serving, simulator: RunningSimulator) -> None:
    """It accepts, and sends nothing."""
    before = taken(simulator)
    status = run("sending", "status", "--json", env=serving.env).json()
    assert status["heldAfterRestore"] is True
    new = message(NEW)
    answer = serving.http.post("/api/v1/messages/text", json=new, headers=AUTH)
    assert answer.json()["data"]["status"] == "deferred", answer.text
    simulator.flush()  # what the platform has still to report is heard meanwhile
    assert taken(simulator) == before


async def test_nothing_that_the_backup_knew_as_sent_is_sent_again(
    lost: Serving, simulator: RunningSimulator, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    await lose_it_under_load(lost, backup)
    there, known = await restored(lost, backup)
    states = Counter(known.values())
    assert states["sent"] >= MORE and states["waiting"] == IN_BATCH, states
    joined(there, simulator)
    await asyncio.to_thread(there.start)
    try:
        await asyncio.to_thread(require_held, there, simulator)
        (await tidings(there, "sending", "resume")).good()
        await finish(there, simulator)
        got = taken(simulator)
        assert sum(got.values()) > states["sent"] + MORE, "some were sent after the backup"
        assert [to for to in got if got[to] > 1] == []
        assert [to for to, state in known.items() if state == "sent" and not got[to]] == []
        assert got[message(NEW)["to"]] == 1
        await require_sound(there)
    finally:
        await asyncio.to_thread(there.end, signal.SIGTERM)
    assert "Every invariant holds" in (await tidings(there, "doctor")).err
