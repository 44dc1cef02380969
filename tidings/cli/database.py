"""The database as a command uses it: opened, brought up to date or checked, and closed again."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.resources import files

import asyncpg

from tidings.clock import SystemClock
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.migrate import APPLIED, decide_pending, migrate, read_migrations
from tidings.engine.db.pool import Database
from tidings.settings import Settings

from .refusal import Refused

EMBEDDED_FOLDER = "postgres"
CONNECTIONS = 2


@asynccontextmanager
async def opened(settings: Settings, *, migrating: bool = False) -> AsyncIterator[Database]:
    """The database up to date: brought so when `migrating`, else refused where it is not."""
    async with connected(settings, making=migrating) as db:
        if migrating:
            await migrate(db)
        else:
            await _require_up_to_date(db)
        yield db


@asynccontextmanager
async def connected(settings: Settings, *, making: bool) -> AsyncIterator[Database]:
    """TIDINGS_DATABASE_URL, else the embedded server, which a running `serve` shares with us."""
    async with AsyncExitStack() as stack:
        target: str | EmbeddedServer | None = settings.database_url
        if target is None:
            target = await _start_embedded(settings, making=making)
            stack.push_async_callback(target.stop)
        db = await Database.open(target, SystemClock(), CONNECTIONS)
        stack.push_async_callback(db.close)
        yield db


def is_missing(settings: Settings) -> bool:
    """Whether the embedded database has not been made yet."""
    return settings.database_url is None and not (settings.data / EMBEDDED_FOLDER).exists()


async def _start_embedded(settings: Settings, *, making: bool) -> EmbeddedServer:
    folder = settings.data / EMBEDDED_FOLDER
    if not making and is_missing(settings):
        raise Refused(
            f"There is no database in {settings.data} yet: tidings serve, apply or migrate makes "
            "one. Is TIDINGS_DATA right?"
        )
    return await EmbeddedServer.start(folder, account=settings.postgres_user)


async def _require_up_to_date(db: Database) -> None:
    migrations = read_migrations(files("tidings").joinpath("migrations"))
    try:
        pending = decide_pending(migrations, await db.rows(APPLIED))
    except asyncpg.UndefinedTableError:
        pending = migrations
    if pending:
        raise Refused(
            f"The database is not up to date ({len(pending)} of {len(migrations)} migrations are "
            "missing); run tidings migrate first."
        )
