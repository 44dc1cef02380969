"""An installation to measure: the demo's data, many tenants, and as many messages as wanted."""

import asyncio
import http.client
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from bench import callbacks
from bench.growth.fill import fill
from bench.growth.plans import Recorder
from bench.load import later
from bench.loops.installation import SUBSCRIPTION
from tests.support import demo_world
from tests.support.database import fresh_database
from tests.support.demo_world import DemoWorld
from tests.support.service import TestAccount, TestService

TENANT = """
[[accounts]]
name = "{name}"
environment = "sandbox"
requestsPerMinute = 100000000
{subscription}
[[accounts.numbers]]
number = "972555000001"
perSecond = 1000
[[accounts.templates]]
name = "hello"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hello {{{{1}}}}"
"""


@dataclass(frozen=True)
class World:
    dsn: dict[str, Any]
    folder: Path
    service: TestService
    demo: DemoWorld
    tenant: TestAccount  # charged, and one of those that have grown
    live: TestAccount
    recorder: Recorder
    fill_seconds: float

    def ask(
        self, wanted: int, method: str, path: str, headers: dict[str, str], body: Any = None
    ) -> bytes:
        """The body of an answer of the wanted status, by a client that costs little."""
        where = self.service.http.base_url
        connection = http.client.HTTPConnection(where.host, where.port)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        if answer.status != wanted:
            raise RuntimeError(f"{method} {path} was answered with {answer.status}: {said[:500]!r}")
        return said


@contextmanager
def world(tenants: int, finished: int, waiting: int) -> Iterator[World]:
    """Without workers: what is due stays."""
    dsn = fresh_database()
    asyncio.run(_plan_as_served(dsn))
    recorder = Recorder()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with TestService(
            recorder.dsn(dsn), folder, settings=callbacks.ENV, working=False
        ) as service:
            demo = demo_world.build(service, folder)
            made = [TestAccount(service, one) for one in service.apply(_tenants(tenants))]
            [live] = [TestAccount(service, one) for one in service.apply(callbacks.ACCOUNT)]
            _leave_waiting(demo.demo)
            began = time.perf_counter()
            asyncio.run(fill(dsn, [demo.demo.id, *(one.id for one in made)], finished, waiting))
            seconds = time.perf_counter() - began
            yield World(dsn, folder, service, demo, made[0], live, recorder, round(seconds, 1))


def _leave_waiting(account: TestAccount) -> None:
    """The message, charge and job of which all that wait are copies."""
    answer = account.send(
        clientMessageId="waiting-001", to=demo_world.GUESTS[0], templateName="hello",
        templateParams=["Dana"], scheduledFor=later(),
    )  # fmt: skip
    assert answer.status_code == 202, answer.text


def _tenants(count: int) -> str:
    return "".join(
        TENANT.format(name=f"tenant-{n:03d}", subscription=SUBSCRIPTION) for n in range(count)
    )


async def _plan_as_served(dsn: Any) -> None:
    """The pool's connections say how they plan. For those outside of it (`Database.dedicated`) the
    tests' server has another default than PostgreSQL."""
    connection = await asyncpg.connect(**dsn)
    await connection.execute(f"ALTER DATABASE {dsn['database']} SET plan_cache_mode = auto")
    await connection.close()
