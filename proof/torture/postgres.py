"""A PostgreSQL of its own that is killed and started again, durable as in production."""

import asyncio
import time
from pathlib import Path
from typing import Any

import asyncpg

from tests.support.external import PostgresServer, free_port, programs

DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
RULES = "local all all trust\nhost all all 127.0.0.1/32 trust\n"
BACK_SECONDS_MAX = 60


class TorturedServer(PostgresServer):
    """What it has committed is on its disk before it says so; only the machine stays up."""

    def __init__(self, folder: Path | None = None, **settings: str) -> None:
        own = {"listen_addresses": "127.0.0.1", "port": str(free_port())}
        super().__init__({**DURABLE, **own, **settings}, RULES)
        if folder is not None:
            self.folder.rmdir()
            self.folder = folder
            self.dsn["host"] = str(folder)

    def immediate_restart(self) -> None:
        """As `pg_ctl -m immediate restart`."""
        self.restart()

    def kill_restart(self) -> None:
        """The postmaster alone dies; those it forked end when they notice, and only then does
        another one start."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        end = time.monotonic() + BACK_SECONDS_MAX
        while True:
            try:
                return self.restart()
            except AssertionError:  # the old ones still hold the shared memory
                self.process = None
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def url(self) -> str:
        return self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """By TCP, such as through a proxy."""
        return f"postgresql://{self.dsn['user']}@127.0.0.1:{port}/postgres"

    def rows(self, query: str, *arguments: Any) -> list[dict[str, Any]]:
        async def ask() -> list[dict[str, Any]]:
            connection = await asyncpg.connect(**self.dsn)
            try:
                return [dict(row) for row in await connection.fetch(query, *arguments)]
            finally:
                await connection.close()

        return asyncio.run(ask())

    def value(self, query: str, *arguments: Any) -> Any:
        [row] = self.rows(query, *arguments)
        return next(iter(row.values()))


def is_installed() -> bool:
    return (programs() / "initdb").exists()
