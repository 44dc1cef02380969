"""What is measured without HTTP: groups of messages through the accept lane."""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from datetime import timedelta
from typing import Any

import uvloop

from tidings.app import Service
from tidings.clock import SystemClock
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.pool import Database as Pool
from tidings.features.messages.model import MessageRequest, TemplateRequest
from tidings.secrets import key_hash
from tidings.settings import Settings

GROUP = 1000
GROUPS = 20


class Database:
    """Keeps the embedded server running, on this process's core, until closed."""

    def __init__(self, env: dict[str, str]) -> None:
        settings = Settings.from_env(env)
        self._server = asyncio.run(EmbeddedServer.start(settings.data / "postgres"))

    def close(self) -> None:
        asyncio.run(self._server.stop())


def grouped_accepts(env: dict[str, str], key: str, rounds: int) -> int:
    """Accepted messages a second, in a process of its own on the server's core."""
    rates = []
    for _ in range(rounds):
        code = [sys.executable, "-m", "bench.inside", key]
        made = subprocess.run(
            code, env={**os.environ, **env}, check=True, capture_output=True, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, {0}),
        )  # fmt: skip
        rates.append(float(made.stdout))
    return round(statistics.median(rates))


async def _accept(env: dict[str, str], key: str) -> float:
    settings = Settings.from_env(env)
    clock = SystemClock()
    server = await EmbeddedServer.start(settings.data / "postgres")
    db = await Pool.open(server, clock, 4)
    service = await Service.open(settings, db, clock=clock, roles=frozenset())
    row: Any = await db.row("SELECT account_id FROM api_keys WHERE key_hash = $1", key_hash(key))
    later = clock.now() + timedelta(days=30)
    began = time.perf_counter()
    for group in range(GROUPS):
        wanted = [
            MessageRequest(
                account_id=row["account_id"],
                client_message_id=f"g{os.getpid()}-{group}-{n}",
                to=f"9726{group:03d}{n:06d}",
                template=TemplateRequest("hello", params=("Dana", str(n))),
                scheduled_for=later,
                meta='{"order":1}',
            )
            for n in range(GROUP)
        ]
        for result in await service.ctx.lanes.accept.put_each(wanted):
            if isinstance(result, BaseException):
                raise result
    seconds = time.perf_counter() - began
    await service.stop()
    await db.close()
    await server.stop()
    return GROUP * GROUPS / seconds


if __name__ == "__main__":
    print(uvloop.run(_accept(dict(os.environ), sys.argv[1])))
