"""The PostgreSQL of all trials: one server, which this process keeps running, and the databases of
a trial, which are dropped after it."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tests.support.database import PREFIX, temporary
from tidings.engine.db.embedded.server import EmbeddedServer

RUN = "PYTEST_XDIST_TESTRUNUID"  # the tests' processes that share one server have the same


@contextmanager
def kept_server() -> Iterator[dict[str, Any]]:
    """How to connect; children join the server and leave it running."""
    name = f"mut{os.getpid()}"
    os.environ[RUN] = name
    folder = temporary() / f"{PREFIX}{name[:12]}"
    server = EmbeddedServer.join(folder, fast=True)
    try:
        yield server.dsn | {"database": "postgres"}
    finally:
        if server.leave():
            shutil.rmtree(folder, ignore_errors=True)


def drop_databases(dsn: dict[str, Any], pid: int) -> None:
    """Those that a trial's process made."""
    asyncio.run(_drop(dsn, f"test_{pid}_"))


async def _drop(dsn: dict[str, Any], prefix: str) -> None:
    connection = await asyncpg.connect(**dsn)
    query = "SELECT datname FROM pg_database WHERE starts_with(datname, $1)"
    for row in await connection.fetch(query, prefix):
        await connection.execute(f'DROP DATABASE IF EXISTS "{row[0]}" WITH (FORCE)')
    await connection.close()


def leftovers(folder: Path) -> None:
    """Remove the temporary folder of a run."""
    shutil.rmtree(folder, ignore_errors=True)
