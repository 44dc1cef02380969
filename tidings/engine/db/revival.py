"""Bring the embedded server back where it dies under us; nobody else would.

Meanwhile requests are answered 503 and workers wait, as for any database that is away. Every
process that uses the server looks after it: the first to notice starts it, the others find it.
"""

import asyncio

import structlog

from tidings import limits
from tidings.engine.db.embedded import EmbeddedServer, EmbeddedServerError
from tidings.engine.db.pool import UNAVAILABLE_ERRORS, Database
from tidings.errors import ApiError

log = structlog.get_logger()


async def look_after(server: EmbeddedServer, db: Database) -> None:
    """Until cancelled."""
    while True:
        await asyncio.sleep(limits.DATABASE_LOOK.total_seconds())
        try:
            await db.ping()
        except ApiError:
            continue  # all connections are at work, so it lives
        except UNAVAILABLE_ERRORS as error:
            await _revive(server, type(error).__name__)


async def _revive(server: EmbeddedServer, reason: str) -> None:
    log.error("database.away", error=reason)
    try:
        await server.revive()
        log.warning("database.back")
    except EmbeddedServerError as fault:
        log.error("database.not_revived", reason=str(fault))
