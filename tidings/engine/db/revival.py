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
    told = ""
    while True:
        await asyncio.sleep(limits.DATABASE_LOOK.total_seconds())
        try:
            await db.ping()
        except ApiError:
            continue  # all connections are at work, so it lives
        except UNAVAILABLE_ERRORS:
            told = await _revive(server, told)


async def _revive(server: EmbeddedServer, told: str) -> str:
    """Why it cannot be started, which is said once; else nothing."""
    try:
        await server.revive()
    except EmbeddedServerError as fault:
        if str(fault) != told:
            log.error("database.not_revived", reason=str(fault))
        return str(fault)
    return ""
