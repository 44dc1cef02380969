"""PostgreSQL and PgBouncer as an operator installs them: programs of this machine, run in a folder
of the tests on a socket of their own. The clusters and services of the packages are not touched.

    with PostgresServer() as server, PgBouncer(server) as pooler:
        await asyncpg.connect(**server.dsn)
        await Database.open(pooler.address(), clock)
"""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import asyncpg
import pytest

from tests.support.database import reachable_folder
from tidings.engine.db.pooler import Address

INSTALLED = Path("/usr/lib/postgresql")  # a folder for each version
ROLE = "tidings"
READY_SECONDS_MAX = 120
USERS = ("postgres", "nobody")
POSTGRES = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "512MB",
    "max_connections": "300",
    "autovacuum_naptime": "5min",
    "client_connection_check_interval": "100ms",
    "timezone": "Asia/Jerusalem",  # ours must not depend on it
}
# Pools are small, so that clients do change server connections; those of old databases end soon.
PGBOUNCER = {
    "pool_mode": "transaction",
    "default_pool_size": "4",
    "max_client_conn": "2000",
    "server_idle_timeout": "5",
    "server_lifetime": "60",
    "ignore_startup_parameters": "",
    "log_connections": "0",
    "log_disconnections": "0",
    "unix_socket_mode": "0777",
    "auth_type": "trust",
}


def programs() -> Path:
    """PostgreSQL's of Debian, the oldest one; or those that the environment names."""
    chosen = os.environ.get("TIDINGS_TEST_POSTGRES_PROGRAMS")
    installed = sorted(INSTALLED.glob("*/bin"), key=lambda folder: float(folder.parent.name))
    return Path(chosen) if chosen else next(iter(installed), INSTALLED)


def find_pgbouncer() -> str | None:
    return os.environ.get("TIDINGS_TEST_PGBOUNCER") or shutil.which(
        "pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin"
    )


needs_postgres = pytest.mark.skipif(
    not (programs() / "initdb").exists(), reason=f"needs PostgreSQL in {programs()}"
)
needs_pgbouncer = pytest.mark.skipif(find_pgbouncer() is None, reason="needs pgbouncer")


def account() -> pwd.struct_passwd | None:
    """Who runs the servers: as root a system user, since neither of them runs as root."""
    if os.geteuid() != 0:
        return None
    known = {each.pw_name: each for each in pwd.getpwall()}
    return next(known[name] for name in USERS if name in known)


def start(folder: Path, *command: str) -> subprocess.Popen[bytes]:
    user = account()
    who: dict[str, Any] = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid}
    if user is not None:
        shutil.chown(folder, user.pw_uid, user.pw_gid)
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **who
        )


def free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        found: int = asking.getsockname()[1]
        return found


class Program:
    """A server in a folder of its own, stopped at the end."""

    port: int
    ends_by: int

    def __init__(self) -> None:
        self.folder = reachable_folder()
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, *command: str) -> None:
        self.process = start(self.folder, *command)
        end = time.monotonic() + READY_SECONDS_MAX
        while not self._answers():
            log = (self.folder / "log").read_text(errors="replace")
            assert self.process.poll() is None, log
            assert time.monotonic() < end, log
            time.sleep(0.05)

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(self.ends_by)
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as asking:
            return asking.connect_ex(str(self.folder / f".s.PGSQL.{self.port}")) == 0

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class PostgresServer(Program):
    """`settings` are added to postgresql.conf, `rules` replace pg_hba.conf."""

    port = 5432
    ends_by = 3  # SIGQUIT: nothing of it is kept

    def __init__(self, settings: Mapping[str, str] | None = None, rules: str = "") -> None:
        super().__init__()
        self.settings = {**POSTGRES, **(settings or {})}
        self.port = int(self.settings.get("port", PostgresServer.port))
        self.rules = rules or "local all all trust\n"
        self.dsn: dict[str, Any] = {
            "host": str(self.folder),
            "port": self.port,
            "user": ROLE,
            "database": "postgres",
        }

    def __enter__(self) -> Self:
        data = self.folder / "data"
        made = start(
            self.folder,
            *(str(programs() / "initdb"), "--pgdata", str(data), "--username", ROLE),
            *("--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
        )
        assert made.wait() == 0, (self.folder / "log").read_text()
        own = {"listen_addresses": "", "unix_socket_directories": str(self.folder)}
        lines = [f"{name} = '{value}'\n" for name, value in {**own, **self.settings}.items()]
        with (data / "postgresql.conf").open("a") as conf:
            conf.writelines(lines)
        (data / "pg_hba.conf").write_text(self.rules)
        self.restart()
        return self

    def restart(self) -> None:
        self.stop()
        self.run(str(programs() / "postgres"), "-D", str(self.folder / "data"))
        asyncio.run(self._wait_until_it_takes_connections())

    def execute(self, *statements: str, database: str = "postgres") -> None:
        asyncio.run(self._execute(statements, database))

    async def _execute(self, statements: tuple[str, ...], database: str) -> None:
        connection = await asyncpg.connect(**{**self.dsn, "database": database})
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    async def _wait_until_it_takes_connections(self) -> None:
        while True:
            try:
                return await self._execute((), "postgres")
            except asyncpg.CannotConnectNowError:
                await asyncio.sleep(0.05)


def pgbouncer_version() -> tuple[int, int]:
    said = subprocess.check_output([find_pgbouncer() or "pgbouncer", "--version"], text=True)
    major, minor, *_ = said.split()[1].split(".")
    return int(major), int(minor)


class PgBouncer(Program):
    """In front of all databases of a server."""

    port = 6432
    ends_by = 15

    def __init__(self, server: PostgresServer, settings: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.server = server
        self.settings = {**PGBOUNCER, **(settings or {})}

    def __enter__(self) -> Self:
        users = self.folder / "users.txt"
        users.write_text("".join(f'"{role}" ""\n' for role in (ROLE, "pooled", "runner")))
        own = {
            "listen_addr": "",
            "listen_port": str(self.port),
            "unix_socket_dir": str(self.folder),
            "auth_file": str(users),
            "admin_users": ROLE,
        }
        lines = [f"{name} = {value}" for name, value in {**own, **self.settings}.items() if value]
        where = f"* = host={self.server.folder} port={self.server.port}"
        conf = self.folder / "pgbouncer.ini"
        conf.write_text("\n".join(["[databases]", where, "[pgbouncer]", *lines, ""]))
        self.run(find_pgbouncer() or "pgbouncer", str(conf))
        return self

    @property
    def dsn(self) -> dict[str, Any]:
        return {**self.server.dsn, "host": str(self.folder), "port": self.port}

    def address(self, **more: str) -> Address:
        return Address({**self.server.dsn, **more}, {**self.dsn, **more})
