"""A real `tidings serve` for tests that kill it, and clients that do not give up."""

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from tests.support.commands import run
from tests.support.database import (
    Dsn,
    fresh_database,
    opened_database,
    reachable_folder,
    variables_of,
)
from tests.support.forked import ForkedCommand
from tests.support.plain_http import NO_TLS
from tests.support.sound import find_broken
from tests.support.waiting import eventually
from tidings.clock import SystemClock
from tidings.engine.db.embedded.server import EmbeddedServer

KEY = "td_sandbox_" + "K" * 43
AUTH = {"x-api-key": KEY}
SECRET = "whsec_" + "S" * 43
QUICK = '[[accounts.numbers]]\nnumber = "972555000001"\nperSecond = 1000\n'
SENDERS = 8
ON_THEIR_WAY = 60


def a_connection_each(url: str) -> httpx.Client:
    """A client that opens a connection for each request, so that none is cut off between two."""
    return httpx.Client(
        base_url=url, timeout=60, limits=httpx.Limits(max_keepalive_connections=0), verify=NO_TLS
    )


class Serving:
    """`tidings serve` as a process of its own, on a folder and a database that outlive it.

    Without `dsn` it runs the embedded PostgreSQL in that folder.
    """

    def __init__(self, data: Path, dsn: Dsn | None = None) -> None:
        self.data = data
        self._dsn = dsn
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
        if dsn is not None:
            self.env |= variables_of(dsn)
        self.process: ForkedCommand | subprocess.Popen[bytes] | None = None
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

    def start(self, *arguments: str) -> None:
        words = ["serve", "--port", str(self.port), *arguments]
        self.process = self.launch(words)
        end = time.monotonic() + 60
        while True:
            try:
                self.http.get("/api/v1/health").raise_for_status()
                self.reads = httpx.Client(
                    base_url=self.url, headers=AUTH, timeout=60, verify=NO_TLS
                )
                return
            except httpx.TransportError:
                assert self.process.poll() is None, (self.data / "serve.log").read_text()[-3000:]
                assert time.monotonic() < end, "it did not start"
                time.sleep(0.05)

    def launch(self, words: list[str]) -> ForkedCommand | subprocess.Popen[bytes]:
        return ForkedCommand(words, self.env, self.data / "serve.log")

    def children(self) -> list[int]:
        """The process ids below the supervisor, with --processes."""
        assert self.process is not None
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes().split(b"\0")
                if parent == self.process.pid and b"serve" in command:
                    found.append(int(folder.name))
        return sorted(found)

    @contextmanager
    def dsn(self) -> Iterator[Dsn]:
        """Of its database, for a look beside the service."""
        if self._dsn is not None:
            yield self._dsn
            return
        server = EmbeddedServer.join(self.data / "postgres")
        try:
            yield server.dsn
        finally:
            server.leave()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[asyncpg.Connection]:
        with self.dsn() as dsn:
            connection = await asyncpg.connect(**dsn)
            try:
                yield connection
            finally:
                await connection.close()

    def apply(self, toml: str) -> None:
        """`tidings apply` of a file."""
        if self._dsn is None:
            made = self.command("apply", "-", text=toml)
            assert made.returncode == 0, made.stderr
        else:
            run("apply", "-", env=self.env, text=toml).good()

    def end(self, number: int) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(60)
        self.process = None
        return status

    def stop_database(self) -> None:
        """The last to leave an embedded server stops it, also after a failed test."""
        if self._dsn is None:
            EmbeddedServer.join(self.data / "postgres").leave()

    @property
    def log(self) -> str:
        return (self.data / "serve.log").read_text()

    def get(self, path: str) -> Any:
        answer = self.reads.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def advance(self, seconds: int) -> None:
        step = {"advanceSeconds": seconds}
        answer = self.http.post("/sandbox/v1/clock", json=step, headers=AUTH)
        assert answer.status_code == 200, answer.text


async def expire_leases(serving: Serving) -> None:
    """A killed process holds its leases for a minute: let them end now, and wait until the jobs
    have been taken up again."""
    async with asyncio.timeout(120), serving.connection() as connection:
        done = False
        while not done:
            # The service works on the same rows, and of two in a deadlock one must yield.
            with suppress(asyncpg.DeadlockDetectedError):
                await connection.execute("UPDATE jobs SET due_at = now() WHERE leased")
                done = True
        while await connection.fetchval("SELECT EXISTS (SELECT FROM jobs WHERE leased)"):
            await asyncio.sleep(0.05)


@contextmanager
def serving_of(toml: str, serving: Serving | None = None, *arguments: str) -> Iterator[Serving]:
    """A process that serves these accounts, on a database of the test run's server unless told
    otherwise: one that has its own takes seconds longer to start."""
    serving = serving or Serving(reachable_folder(), fresh_database())
    serving.apply(toml)
    serving.start(*arguments)
    try:
        yield serving
    finally:
        if serving.process is not None:
            serving.end(signal.SIGTERM)
        serving.stop_database()


class Load:
    """So many senders, each with one message after another to a person of its own.

    `room` is how many messages may be begun, until `reach` and `wait` make more: however long a
    service takes to come back, there is always something left to be cut off by the next kill.
    """

    def __init__(self, url: str, total: int, room: int | None = None) -> None:
        self.http = a_connection_each(url)
        self.answered: dict[str, dict[str, Any]] = {}
        self.refused: dict[str, httpx.Response] = {}
        self.broken: list[httpx.TransportError] = []
        self.unavailable: list[str] = []  # texts of 503s; each is tried again
        self.stopping = threading.Event()
        self._numbers = itertools.count()
        self._total = total
        self._room = total if room is None else room
        self._threads = [threading.Thread(target=self._send_all) for _ in range(SENDERS)]
        for thread in self._threads:
            thread.start()

    def reach(self, count: int) -> None:
        """Until so many have been answered in all, while others are on their way."""
        self._room = max(self._room, count + ON_THEIR_WAY)
        eventually(lambda: len(self.answered) + len(self.refused) >= count, 60)

    def wait(self) -> None:
        self._room = self._total
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive()

    def stop(self) -> None:
        self.stopping.set()
        self.wait()

    def _send_all(self) -> None:
        while not self.stopping.is_set() and (number := next(self._numbers)) < self._total:
            while number >= self._room and not self.stopping.is_set():
                time.sleep(0.005)
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
                self.unavailable.append(answer.text)
                time.sleep(0.05)
                continue
            if answer.status_code in (200, 202):
                self.answered[cid] = answer.json()["data"]
            else:
                self.refused[cid] = answer
            return


def phone(number: int) -> str:
    return f"972501{number:06}"


async def require_sound(serving: Serving) -> None:
    """`tidings doctor` finds nothing."""
    with serving.dsn() as dsn:
        async with opened_database(dsn, SystemClock(), size=1) as db:
            broken = await find_broken(db)
    assert not broken, "\n".join(broken)
