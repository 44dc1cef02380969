"""Tidings on its hosts, a way in that takes whichever host answers, and a customer's load."""

import asyncio
import base64
import itertools
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from tests.cluster.hosts import Host
from tests.support.plain_http import NO_TLS
from tests.support.threaded import Threaded
from tests.support.waiting import eventually

ROOT = Path(__file__).parents[2]
PORT = 8080
KEY = "td_live_" + "K" * 43
AUTH = {"x-api-key": KEY}
MASTER_KEY = base64.b64encode(b"k" * 32).decode()
REQUEST_SECONDS_MAX = 15  # longer than any time limit of the gateway towards its database
CONNECT_SECONDS_MAX = 1  # a host that is cut off does not even refuse
SENDERS = 12


class Gateway:
    """`tidings serve --processes 2` on a host, whose clock may be wrong."""

    def __init__(self, host: Host, database_url: str, env: dict[str, str], clock: str = "") -> None:
        self.host = host
        self.env = {
            "PATH": os.defpath,
            "PYTHONPATH": str(ROOT),
            "TIDINGS_DATA": str(host.folder / "data"),
            "TIDINGS_DATABASE_URL": database_url,
            "TIDINGS_MASTER_KEY": MASTER_KEY,
            "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
            "TIDINGS_OPERATOR_ADDRESS": "off",
            "TIDINGS_DATABASE_CONNECTIONS": "8",
            **env,
            **(_faked(clock) if clock else {}),
        }

    def start(self) -> None:
        """After the host has booted."""
        words = ["serve", "--host", self.host.address, "--port", str(PORT), "--processes", "2"]
        program = [sys.executable, "-m", "tidings.cli.main", *words]
        self.host.start("tidings", program, self.env)
        eventually(self.answers, 180)

    def answers(self) -> bool:
        with suppress(httpx.TransportError):
            url = f"http://{self.host.address}:{PORT}/api/v1/health"
            return httpx.get(url, timeout=5, verify=NO_TLS).status_code == 200
        return False

    def get(self, path: str) -> Any:
        url = f"http://{self.host.address}:{PORT}{path}"
        return httpx.get(url, headers=AUTH, timeout=30, verify=NO_TLS).json()

    def command(self, *words: str, text: str = "") -> str:
        """Of the command line on this host; it must succeed."""
        return self.host.run([sys.executable, "-m", "tidings.cli.main", *words], self.env, text)

    def processes(self) -> list[str]:
        """Those that serve. A restarted one would have another number."""
        return self.host.shell("pgrep -f '[s]erve'").split()  # without the shell that asks

    @property
    def faults(self) -> list[str]:
        """What was logged with its trace: a loss of the database is no such fault."""
        lines = (self.host.folder / "tidings.log").read_text().splitlines()
        return [line for line in lines if "Traceback" in line]


def _faked(clock: str) -> dict[str, str]:
    """The wall clock alone is wrong. Without shared memory, which hosts would have in common."""
    [library] = Path("/usr/lib").glob("*/faketime/libfaketime.so.1")
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME": clock,
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DISABLE_SHM": "1",
    }


class WayIn(Threaded):
    """Where the platform posts its callbacks: each connection goes to a host that takes it."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        super().__init__()
        self._addresses = itertools.cycle([host.address for host in hosts])
        self._count = len(hosts)
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        await self._until_closed()
        server.close()

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        for _ in range(self._count):
            with suppress(OSError):
                async with asyncio.timeout(2):
                    opened = await asyncio.open_connection(next(self._addresses), PORT)
                with suppress(OSError, asyncio.CancelledError):  # also when the test ends
                    await asyncio.gather(_copy(source, opened[1]), _copy(opened[0], target))
                return
        target.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65536):
            target.write(data)
    finally:
        target.close()


class Load(Threaded):
    """A customer: a message to each of many people. What got no good answer is sent again with the
    same id, to the other host."""

    def __init__(self, gateways: Sequence[Gateway], per_second: float) -> None:
        super().__init__()
        self._urls = [f"http://{gateway.host.address}:{PORT}" for gateway in gateways]
        self._pause = SENDERS / per_second
        self._numbers = itertools.count()
        self._ending = asyncio.Event()
        self.answered: dict[str, float] = {}  # by client id: when, by the steady clock
        self.repeated = 0
        self.refused: list[str] = []
        self.start()

    def longest_gap(self, since: float, until: float) -> float:
        """Between two good answers."""
        times = [since, *sorted(at for at in self.answered.values() if since < at < until), until]
        return max(after - before for before, after in itertools.pairwise(times))

    async def _serve(self) -> None:
        async with httpx.AsyncClient(
            headers=AUTH,
            timeout=httpx.Timeout(REQUEST_SECONDS_MAX, connect=CONNECT_SECONDS_MAX),
            verify=NO_TLS,
            limits=httpx.Limits(max_keepalive_connections=0),
        ) as http:
            senders = [asyncio.create_task(self._send_all(http)) for _ in range(SENDERS)]
            self._came_up(self._ending.set)  # every message begun still gets its answer
            await asyncio.gather(*senders)

    async def _send_all(self, http: httpx.AsyncClient) -> None:
        while not self._ending.is_set():
            await self._send(http, next(self._numbers))
            await asyncio.sleep(self._pause)

    async def _send(self, http: httpx.AsyncClient, number: int) -> None:
        cid = f"order-{number:06}"
        body = {"clientMessageId": cid, "to": f"9725{number:08}", "templateName": "plain"}
        for attempt in itertools.count():
            url = self._urls[(number + attempt) % len(self._urls)]
            with suppress(httpx.TransportError):
                answer = await http.post(f"{url}/api/v1/messages/text", json=body)
                if answer.status_code in (200, 202):
                    self.answered[cid] = time.monotonic()
                    return
                if answer.status_code != 503:
                    self.refused.append(f"{cid} {answer.status_code} {answer.text}")
            self.repeated += 1
            await asyncio.sleep(0.3)
