"""What every process of `tidings serve` starts with: signal handlers and its database."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial

from tidings.cli.database import EMBEDDED_FOLDER, address
from tidings.clock import Clock
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.embedded.supervisor import keep_running
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.pooler import Address
from tidings.engine.db.schema.files import MigrationError
from tidings.engine.db.schema.presence import Presence
from tidings.engine.queue import lease
from tidings.jobs import POOLS
from tidings.settings import Settings


def on_signals() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping


def stop_with(stopping: asyncio.Event, stop: Callable[[], None]) -> None:
    """Call `stop` once a signal asked the process to stop."""

    async def wait() -> None:
        await stopping.wait()
        stop()

    asyncio.ensure_future(wait())  # noqa: RUF006 - ends by its own event, or with the loop


@asynccontextmanager
async def database(
    settings: Settings, clock: Clock, name: str, stopping: asyncio.Event
) -> AsyncIterator[Database]:
    """The database of these settings, migrated. `name`: what its connections are called.

    Where a newer program changes it so that this one may not run on it any more, `stopping` is
    set, and the end is a MigrationError.
    """
    started_at = clock.now()
    async with _server(settings) as server:
        db = await Database.open(
            server,
            clock,
            settings.database_connections,
            report_size=settings.report_connections,
            name=name,
        )
        try:
            async with _present(db, stopping):
                if isinstance(server, EmbeddedServer):
                    async with _supervised(server, db, started_at):
                        yield db
                else:
                    yield db
        finally:
            await db.close()


@asynccontextmanager
async def _present(db: Database, stopping: asyncio.Event) -> AsyncIterator[None]:
    """Migrate, and be seen by newer programs that would change the schema."""
    presence = Presence(db)
    refusals: list[str] = []

    def on_too_old(reason: str) -> None:
        refusals.append(reason)
        stopping.set()

    try:
        await presence.announce()
        await migrate(db)
        watching = asyncio.create_task(presence.watch(on_too_old))
        try:
            yield
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
    finally:
        await presence.leave()
    if refusals:
        raise MigrationError(refusals[0])


@asynccontextmanager
async def _server(settings: Settings) -> AsyncIterator[Address | str | EmbeddedServer]:
    """TIDINGS_DATABASE_URL, or the embedded server."""
    external = address(settings)
    if external is not None:
        yield external
        return
    folder = settings.data / EMBEDDED_FOLDER
    server = await EmbeddedServer.start(folder, account=settings.postgres_user)
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def _supervised(
    server: EmbeddedServer, db: Database, started_at: datetime
) -> AsyncIterator[None]:
    """Restart the embedded server when it dies, since nothing else does.

    Where ours is the only process on it, jobs leased before our start belong to processes that are
    gone: their leases are released at once.
    """
    if server.alone:
        await db.transact(partial(lease.release_orphaned, pools=list(POOLS), before=started_at))
    restarting = asyncio.create_task(keep_running(server, db))
    try:
        yield
    finally:
        restarting.cancel()
