"""A real PostgreSQL for tests: one server a test run, a fresh migrated database for the asking.

    dsn = fresh_database()                      # from a plain function or inside a running loop
    db = await Database.open(dsn, clock)

All workers of a parallel run share the server; it stops with the last of them. It is the embedded
one, or where TIDINGS_TEST_DATABASE says so another one behind a pooler (`make test-external`). Its
files are in memory where there is enough. Databases are copies of one migrated template (20 ms in
memory, 150 on a disk), and the next one is made while the test before it runs.
"""

import asyncio
import atexit
import itertools
import json
import os
import shutil
import tempfile
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import asyncpg
import pytest

from tidings.clock import Clock, SystemClock
from tidings.engine.db.embedded.server import EmbeddedServer, EmbeddedServerError
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.pooler import Address

T = TypeVar("T")
Dsn = dict[str, Any]

PREFIX = "tidings-tests-"
EXTERNAL = "TIDINGS_TEST_DATABASE"
ABANDONED_SECONDS = 3600
TEMPLATE = "template_of_tests"
TEMPLATE_LOCK = 1
KEPT = 20  # databases; older ones without connections are dropped
# Through a pooler our connections do not end with those of the server.
needs_direct = pytest.mark.skipif(
    EXTERNAL in os.environ, reason="is about connections that a pooler hides"
)
MEMORY = Path("/dev/shm")
MEMORY_BYTES_MIN = 6 * 1024**3  # free, to be used: a run takes up to 2 GB of it


def fresh_database() -> Dsn:
    """Keyword arguments for asyncpg of a new, migrated, empty database."""
    return _server().fresh()


def empty_database() -> Dsn:
    """The same without any table."""
    return _server().empty()


def url_of(dsn: Dsn) -> str:
    """The same as a TIDINGS_DATABASE_URL."""
    keys = [key for key in ("host", "port", "passfile") if key in dsn]
    where = "&".join(f"{key}={dsn[key]}" for key in keys)
    return f"postgresql://{dsn['user']}@/{dsn['database']}?{where}"


def variables_of(dsn: Dsn) -> dict[str, str]:
    """The same as the environment of a command."""
    if not isinstance(dsn, Address):
        return {"TIDINGS_DATABASE_URL": url_of(dsn)}
    pooled = url_of(dict(dsn.pooled))
    return {"TIDINGS_DATABASE_URL": pooled, "TIDINGS_DIRECT_DATABASE_URL": url_of(dsn)}


@asynccontextmanager
async def opened_database(
    dsn: Dsn, clock: Clock, *tables: str, **options: Any
) -> AsyncIterator[Database]:
    """Connected as long as this lasts, and with nothing in these tables. Whoever waits for one of
    its connections gets it, however busy the machine is."""
    db = await Database.open(dsn, clock, **{"wait_seconds_max": 30} | options)
    try:
        if tables:
            await db.rows(f"TRUNCATE {', '.join(tables)}")
        yield db
    finally:
        await db.close()


def reachable_folder() -> Path:
    """A temporary folder that PostgreSQL's account may enter; pytest's own is private to us.

    Use it as TIDINGS_DATA. It is removed when the run ends.
    """
    folder = Path(tempfile.mkdtemp(prefix="tidings-", dir=temporary()))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def temporary() -> Path:
    """Where databases of tests are: in memory, as copying one is 600 files. They are not kept over
    a power cut, which no test makes; a killed process or server finds its files there. Whoever has
    set TMPDIR has chosen another place: the bench, with databases larger than memory."""
    with suppress(OSError):
        if "TMPDIR" in os.environ:
            return Path(tempfile.gettempdir())
        if shutil.disk_usage(MEMORY).free >= MEMORY_BYTES_MIN and os.access(MEMORY, os.W_OK):
            return MEMORY
    return Path(tempfile.gettempdir())


class _TestServer:
    """The server, and a thread whose loop makes databases on it."""

    def __init__(self) -> None:
        # Workers of one parallel run have the same id; runs side by side do not disturb each other.
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
        self.folder = temporary() / f"{PREFIX}{run[:12]}"
        _sweep()
        external = os.environ.get(EXTERNAL)
        self._external: dict[str, Dsn] | None = json.loads(external) if external else None
        if self._external is None:
            self._embedded = EmbeddedServer.join(self.folder, fast=True)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._names = (f"test_{os.getpid()}_{n}" for n in itertools.count(1))
        self._given: deque[str] = deque()  # to tests
        self._old: deque[str] = deque()  # to be dropped
        self._one_at_a_time = asyncio.Lock()
        self._admin: asyncpg.Connection = self._do(self._prepare())
        self._next = self._submit(self._create(TEMPLATE))

    def fresh(self) -> Dsn:
        name = self._next.result()
        self._given.append(name)
        self._next = self._submit(self._create(TEMPLATE))
        return self._dsn(name)

    def empty(self) -> Dsn:
        name = self._do(self._create("template0"))
        self._given.append(name)
        return self._dsn(name)

    def close(self) -> None:
        with suppress(Exception):
            self._next.result(10)
            self._do(self._admin.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        if self._external is None and self._embedded.leave():
            shutil.rmtree(self.folder, ignore_errors=True)

    def _dsn(self, name: str) -> Dsn:
        if self._external is None:
            return {**self._embedded.dsn, "database": name}
        direct, pooled = self._external["direct"], self._external["pooled"]
        return Address({**direct, "database": name}, {**pooled, "database": name})

    def _submit(self, work: Coroutine[Any, Any, T]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return self._submit(work).result(60)

    async def _prepare(self) -> asyncpg.Connection:
        """Connect, and make the template unless another worker has."""
        admin = await asyncpg.connect(**self._dsn("postgres"))
        await admin.execute("SELECT pg_advisory_lock($1)", TEMPLATE_LOCK)
        known = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)"
        if not await admin.fetchval(known, TEMPLATE):
            half_made = f"{TEMPLATE}_{os.getpid()}"
            await admin.execute(f"CREATE DATABASE {half_made}")
            # Not through the pooler, which would keep its connection after this one has ended.
            direct = dict(self._dsn(half_made))
            db = await Database.open(direct, SystemClock(), size=1)
            await migrate(db)
            await db.close()
            await admin.execute(f"ALTER DATABASE {half_made} RENAME TO {TEMPLATE}")
        await admin.execute("SELECT pg_advisory_unlock($1)", TEMPLATE_LOCK)
        return admin

    async def _create(self, template: str) -> str:
        async with self._one_at_a_time:
            name = next(self._names)
            create = f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"
            await self._admin.execute(create)
            if len(self._given) > KEPT:
                self._old.append(self._given.popleft())
                await self._drop(self._old.popleft())
            return name

    async def _drop(self, name: str) -> None:
        try:
            await self._admin.execute(f"DROP DATABASE {name}")
        except asyncpg.ObjectInUseError:
            if self._external is not None:  # the pooler keeps its connections for some seconds
                self._old.append(name)


def _sweep() -> None:
    """Stop and remove what runs that were killed have left behind."""
    for folder in temporary().glob(f"{PREFIX}*"):
        with suppress(OSError):
            old = time.time() - folder.stat().st_mtime > ABANDONED_SECONDS
            if old and _is_nobodys(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_nobodys(folder: Path) -> bool:
    """Nobody else has joined its server; one that does not even start can have nobody."""
    try:
        return EmbeddedServer.join(folder, fast=True).leave()
    except EmbeddedServerError:
        return True


@cache
def _server() -> _TestServer:
    server = _TestServer()
    atexit.register(server.close)
    return server


async def break_off_the_writer(
    dsn: Mapping[str, Any], table: str, account_id: UUID, let_go: Callable[[], object]
) -> None:
    """Lock the account's rows until a transaction waits for them, then end that connection."""
    connection = await asyncpg.connect(**dsn)
    waiting = """
        SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'
    """
    async with asyncio.timeout(30), connection.transaction():
        lock = f"SELECT FROM {table} WHERE account_id = $1 FOR UPDATE"
        await connection.execute(lock, account_id)
        let_go()
        while (pid := await connection.fetchval(waiting)) is None:
            await asyncio.sleep(0.01)
        await connection.execute("SELECT pg_terminate_backend($1)", pid)
    await connection.close()
