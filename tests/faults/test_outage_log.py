"""An outage of PostgreSQL is two lines of the log, lost and back, however many tasks notice it."""

import asyncio
import io
import json
import logging
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.support import logs
from tests.support.database import reachable_folder
from tests.support.service import GUEST, TestService
from tests.support.waiting import eventually
from tidings import operations
from tidings.clock import SystemClock
from tidings.engine import log
from tidings.engine.db.connections import Unavailable
from tidings.engine.db.embedded import cluster
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.queue.periodic import PeriodicTask, repeat

SOME_ROUNDS = 2.5  # seconds: workers, listeners and periodic tasks come round every one or two


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What is logged meanwhile."""
    root, stream = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    log.configure(SystemClock(), "info", stream)
    yield stream
    logs.be_plain()
    root.handlers[:], root.level = before, level


@pytest.fixture
def server() -> Iterator[EmbeddedServer]:
    """One that may be stopped."""
    server = EmbeddedServer.join(reachable_folder() / "postgres", fast=True)
    yield server
    server.leave()


def events(written: io.StringIO) -> list[str]:
    """Of all lines but those of level info."""
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    return [line["event"] for line in lines if line["level"] != "info"]


def metric(service: TestService, name: str) -> float | None:
    """Of the operator's page, which is read also while the database is away."""
    service.call(lambda: operations.get_metrics.handle(service.ctx, None))
    return service.ctx.metrics.registry.get_sample_value(name)


async def prepare(server: EmbeddedServer) -> None:
    db = await Database.open(server, SystemClock(), size=1)
    await migrate(db)
    await db.close()


async def test_lost_and_back_are_a_line_each(server: EmbeddedServer, written: io.StringIO) -> None:
    await prepare(server)
    folder = reachable_folder()
    with TestService(server.dsn, folder) as service:
        account = service.account()
        body = {"to": GUEST, "templateName": "plain"}
        assert account.send(clientMessageId="before-it-goes", **body).status_code == 200
        cluster.stop(server.home)
        eventually(lambda: account.send(clientMessageId="while-away", **body).status_code == 503)
        time.sleep(SOME_ROUNDS)
        assert events(written) == ["database.lost"], written.getvalue()
        assert metric(service, "tidings_database_up") == 0
        cluster.ensure_running(server.home, server.folder, fast=True)
        eventually(
            lambda: account.send(clientMessageId="when-it-is-back", **body).status_code == 200
        )
        assert metric(service, "tidings_database_up") == 1
        assert metric(service, "tidings_database_outages_total") == 1
        assert metric(service, "tidings_database_outage_seconds_total") > 0
        time.sleep(SOME_ROUNDS)
    assert events(written) == ["database.lost", "database.recovered"], written.getvalue()
    assert "Traceback" not in written.getvalue()


@pytest.mark.parametrize(
    ("fault", "logged"),
    [(Unavailable("away"), []), (ZeroDivisionError("a bug"), ["periodic.failed"])],
)
async def test_a_periodic_task_logs_only_its_own_faults(
    fault: Exception, logged: list[str], written: io.StringIO
) -> None:
    ran = asyncio.Event()

    async def run() -> None:
        ran.set()
        raise fault

    task = asyncio.create_task(repeat(PeriodicTask("sweep", timedelta(seconds=0.01), run)))
    await ran.wait()
    await asyncio.sleep(0)
    task.cancel()
    assert events(written)[:1] == logged
