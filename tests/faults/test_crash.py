"""A real `tidings serve` that is killed or told to stop under load: nothing lost, nothing doubled.

The client is an honest one: it repeats a request that got no answer, with the same id.
"""

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from tests.support.database import reachable_folder
from tests.support.receiver import Receiver
from tests.support.service import account_toml
from tidings import limits
from tidings.engine.db.embedded import EmbeddedServer

KEY = "td_sandbox_" + "K" * 43
AUTH = {"x-api-key": KEY}
SECRET = "whsec_" + "S" * 43
SENDERS = 8
KILLS = 3


def a_connection_each(url: str) -> httpx.Client:
    """A client that opens a connection for each request, so that none is cut off between two."""
    return httpx.Client(base_url=url, timeout=60, limits=httpx.Limits(max_keepalive_connections=0))


def hear_ctrl_c() -> None:
    """Whoever runs the tests may have turned it off, as a shell does in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Serving:
    """`tidings serve` as a process of its own, on a folder that outlives it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {
            "PATH": os.defpath,
            "TIDINGS_DATA": str(data),
            "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
            "TIDINGS_OPERATOR_ADDRESS": "off",
        }
        self.process: subprocess.Popen[bytes] | None = None
        self.http = a_connection_each(self.url)

    def command(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tidings.cli.main", *arguments],
            env=self.env,
            input=text,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def start(self) -> None:
        command = [sys.executable, "-m", "tidings.cli.main", "serve", "--port", str(self.port)]
        with (self.data / "serve.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=self.env, stdout=log, stderr=log, preexec_fn=hear_ctrl_c
            )
        end = time.monotonic() + 60
        while True:
            try:
                self.http.get("/api/v1/health").raise_for_status()
                self.reads = httpx.Client(base_url=self.url, headers=AUTH, timeout=60)
                return
            except httpx.TransportError:
                assert self.process.poll() is None, (self.data / "serve.log").read_text()[-3000:]
                assert time.monotonic() < end, "it did not start"
                time.sleep(0.05)

    def end(self, number: int) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(60)
        self.process = None
        return status

    def get(self, path: str) -> Any:
        answer = self.reads.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def advance(self, seconds: int) -> None:
        step = {"advanceSeconds": seconds}
        answer = self.http.post("/sandbox/v1/clock", json=step, headers=AUTH)
        assert answer.status_code == 200, answer.text


async def let_leases_run_out(data: Path) -> None:
    """What a killed process had claimed is given back after a minute of real time: skip it."""
    server = EmbeddedServer.join(data / "postgres")
    try:
        connection = await asyncpg.connect(**server.dsn)
        done = False
        while not done:
            # The service works on the same rows meanwhile, and of two in a deadlock one must yield.
            with suppress(asyncpg.DeadlockDetectedError):
                await connection.execute("UPDATE jobs SET due_at = now() WHERE leased")
                done = True
        while await connection.fetchval("SELECT EXISTS (SELECT FROM jobs WHERE leased)"):
            await asyncio.sleep(0.05)
        await connection.close()
    finally:
        server.leave()


async def stored(data: Path) -> set[str]:
    """The clientMessageIds of all messages, answered or not."""
    server = EmbeddedServer.join(data / "postgres")
    try:
        connection = await asyncpg.connect(**server.dsn)
        rows = await connection.fetch("SELECT client_message_id FROM messages")
        await connection.close()
        return {row["client_message_id"] for row in rows}
    finally:
        server.leave()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as listening:
        yield listening


@pytest.fixture
def serving(receiver: Receiver) -> Iterator[Serving]:
    serving = Serving(reachable_folder())
    fields = {"apiKey": KEY, "signingSecret": SECRET, "webhookUrl": receiver.url}
    quick = '[[accounts.numbers]]\nnumber = "972555000001"\nperSecond = 1000\n'
    made = serving.command("apply", "-", text=account_toml(quick, name="acme", **fields))
    assert made.returncode == 0, made.stderr
    serving.start()
    yield serving
    if serving.process is not None:
        serving.end(signal.SIGTERM)
    serving.command("migrate")  # the last to leave stops the database, also after a failed test


class Load:
    """So many senders, each with one message after another to a person of its own."""

    def __init__(self, url: str, total: int) -> None:
        self.http = a_connection_each(url)
        self.answered: dict[str, dict[str, Any]] = {}
        self.refused: dict[str, httpx.Response] = {}
        self.broken: list[httpx.TransportError] = []
        self.stopping = threading.Event()
        self._numbers = itertools.count()
        self._total = total
        self._threads = [threading.Thread(target=self._send_all) for _ in range(SENDERS)]
        for thread in self._threads:
            thread.start()

    def wait(self) -> None:
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive()

    def stop(self) -> None:
        self.stopping.set()
        self.wait()

    def _send_all(self) -> None:
        while not self.stopping.is_set() and (number := next(self._numbers)) < self._total:
            self._send(f"order-{number:06}", phone(number))

    def _send(self, cid: str, to: str) -> None:
        fields = {"clientMessageId": cid, "to": to, "templateName": "plain"}
        while not self.stopping.is_set():
            try:
                answer = self.http.post("/api/v1/messages/text", json=fields, headers=AUTH)
            except httpx.TransportError as broken:
                self.broken.append(broken)
                time.sleep(0.05)
                continue
            if answer.status_code == 503:
                time.sleep(0.05)
                continue
            if answer.status_code in (200, 202):
                self.answered[cid] = answer.json()["data"]
            else:
                self.refused[cid] = answer
            return


def phone(number: int) -> str:
    return f"972501{number:06}"


def require_whole(serving: Serving, load: Load) -> dict[str, str]:
    """Every answered message exists as answered and was handed over once; its status by id."""
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


def require_sound(serving: Serving) -> None:
    doctor = serving.command("doctor")
    assert (doctor.returncode, doctor.stdout) == (0, ""), doctor.stdout + doctor.stderr


def heard_of(receiver: Receiver) -> dict[str, list[str]]:
    """Which statuses the customer was told of each message, a repeated delivery counted once."""
    bodies: dict[str, bytes] = {}
    told: dict[str, list[str]] = defaultdict(list)
    for post in list(receiver.heard):
        if bodies.setdefault(post["X-Webhook-Id"], post.body) is post.body:
            told[post.json()["data"]["clientMessageId"]].append(post.json()["data"]["status"])
        assert bodies[post["X-Webhook-Id"]] == post.body, "one id, two bodies"
    return told


def test_kill_9_in_the_middle_of_sending_loses_nothing_and_sends_nothing_twice(
    serving: Serving, receiver: Receiver
) -> None:
    load = Load(serving.url, total=300)
    for _ in range(KILLS):
        before = len(load.answered)
        while len(load.answered) < before + 50:
            time.sleep(0.005)
        assert serving.end(signal.SIGKILL) == -signal.SIGKILL
        serving.start()
    load.wait()
    assert len(load.answered) == 300 and load.refused == {}
    assert load.broken, "no request was cut off, so nothing was tried"

    asyncio.run(let_leases_run_out(serving.data))
    serving.advance(180)
    serving.advance(3)
    statuses = require_whole(serving, load)
    unsettled = {cid: s for cid, s in statuses.items() if s not in ("read", "failed")}
    assert unsettled == {}
    unknown = [cid for cid, status in statuses.items() if status == "failed"]
    assert len(unknown) <= KILLS * SENDERS
    for cid in unknown:
        assert serving.get(f"/api/v1/messages/{cid}")["error"]["code"] == "UNKNOWN_OUTCOME"

    serving.advance(120)  # whatever was being posted when we were killed
    told = heard_of(receiver)
    for cid, status in statuses.items():
        wanted = ["failed"] if status == "failed" else ["delivered", "read", "sent"]
        assert sorted(told[cid]) == wanted, (cid, told[cid])
    receiver.verify(SECRET)
    require_sound(serving)
    assert serving.end(signal.SIGTERM) == 0


def test_sigterm_under_load_answers_what_it_took_and_leaves_nothing_half_done(
    serving: Serving,
) -> None:
    load = Load(serving.url, total=1_000_000)
    while len(load.answered) < 100:
        time.sleep(0.005)
    started = time.monotonic()
    assert serving.end(signal.SIGTERM) == 0
    assert time.monotonic() - started < limits.SHUTDOWN_DRAIN.total_seconds()
    load.stop()
    assert load.refused == {}
    # A connection still waiting to be accepted when the door closes is reset: it was never taken.
    unanswered = asyncio.run(stored(serving.data)) - load.answered.keys()
    assert unanswered == set(), "a request was taken and not answered"

    serving.start()
    statuses = require_whole(serving, load)
    assert set(statuses.values()) <= {"sent", "delivered", "read"}
    require_sound(serving)


def test_a_second_signal_does_no_harm(serving: Serving) -> None:
    load = Load(serving.url, total=1_000_000)
    while len(load.answered) < 30:
        time.sleep(0.005)
    assert serving.process is not None
    serving.process.send_signal(signal.SIGINT)
    assert serving.end(signal.SIGTERM) == 0
    load.stop()
    serving.start()
    assert set(require_whole(serving, load).values()) <= {"sent", "delivered", "read"}
    require_sound(serving)


def test_a_database_that_drops_its_connections_costs_time_and_nothing_else(
    serving: Serving,
) -> None:
    load = Load(serving.url, total=300)
    drop = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    asyncio.run(every(serving.data, drop, times=6, pause=0.15))
    load.wait()
    assert load.refused == {} and load.broken == []
    asyncio.run(let_leases_run_out(serving.data))
    serving.advance(180)
    serving.advance(3)
    statuses = require_whole(serving, load)
    assert len(statuses) == 300
    assert set(statuses.values()) <= {"read", "failed"}
    require_sound(serving)


async def every(data: Path, query: str, *, times: int, pause: float) -> None:
    server = EmbeddedServer.join(data / "postgres")
    try:
        connection = await asyncpg.connect(**server.dsn)
        for _ in range(times):
            await asyncio.sleep(pause)
            await connection.execute(query)
        await connection.close()
    finally:
        server.leave()


def kill_database(data: Path) -> None:
    """The postmaster alone: nobody stops what it has forked."""
    pid_file = data / "postgres" / "server" / "data" / "postmaster.pid"
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)


READS = (
    "/api/v1/balance", "/api/v1/messages/order-000001", "/api/v1/limits", "/api/v1/invoices",
    "/api/v1/webhooks/failed", "/sandbox/v1/clock", "/r/abcdefghijkl",
)  # fmt: skip


def ask_until_it_is_back(serving: Serving) -> None:
    """Whatever is asked meanwhile: 503 and when to ask again, then answers as ever."""
    end, seen = time.monotonic() + 60, set()
    while time.monotonic() < end and not {200, 503} <= seen:
        for path in READS:
            answer = serving.http.get(path, headers=AUTH)
            seen.add(answer.status_code)
            assert answer.status_code in (200, 404, 503), (path, answer.text)
            assert answer.status_code != 503 or int(answer.headers["retry-after"]) >= 1, path
    assert {200, 503} <= seen, "it was away, and came back"


def test_a_database_that_is_killed_comes_back_by_itself(serving: Serving) -> None:
    load = Load(serving.url, total=300)
    for _ in range(2):
        before = len(load.answered)
        while len(load.answered) < before + 50:
            time.sleep(0.005)
        kill_database(serving.data)
        ask_until_it_is_back(serving)
    load.wait()
    assert len(load.answered) == 300
    assert load.refused == {}, "who sends meanwhile is told 503 too, and nothing else"
    assert load.broken == [], "and the process lives"
    asyncio.run(let_leases_run_out(serving.data))
    serving.advance(180)
    serving.advance(3)
    assert set(require_whole(serving, load).values()) <= {"read", "failed"}
    require_sound(serving)
    assert serving.end(signal.SIGTERM) == 0
