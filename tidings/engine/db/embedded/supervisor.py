"""Restarts the embedded server when it dies; no other process supervisor watches it.

Until it is back, requests get 503 and workers wait, as with any unreachable database. Every process
that uses the server watches it: the first to notice restarts it, the others find it running.
"""

import asyncio

import structlog

from tidings import limits
from tidings.engine.db.embedded.server import EmbeddedServer, EmbeddedServerError
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database
from tidings.errors import ApiError

log = structlog.get_logger()


async def keep_running(server: EmbeddedServer, db: Database) -> None:
    """Watch and restart until cancelled."""
    logged = ""
    while True:
        await asyncio.sleep(limits.DATABASE_LOOK.total_seconds())
        try:
            await db.ping()
        except ApiError:
            continue  # all connections are in use, so it is alive
        except UNAVAILABLE_ERRORS:
            logged = await _restart(server, logged)


async def _restart(server: EmbeddedServer, logged: str) -> str:
    """Why it could not be started, or ""; the same reason is logged once."""
    try:
        await server.ensure_running()
    except EmbeddedServerError as fault:
        if str(fault) != logged:
            log.error("database.restart_failed", reason=str(fault))
        return str(fault)
    return ""
