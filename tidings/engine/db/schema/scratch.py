"""An empty database for a moment, to try migrations on.

On the server itself where its role may create databases, so that the trial is of the very version,
and where scans are counted, which show what is read; otherwise on an embedded PostgreSQL in a
temporary folder. What a killed trial left on the server is dropped by the next one.
"""

import asyncio
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg

from tidings.engine.db.connections import Connection
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.pool import Database

PREFIX = "tidings_plan_"
ADVISORY_LOCK = 0x706C_616E_0000  # "plan": one at a time

_SUITS = """
    SELECT (rolsuper OR rolcreatedb) AND current_setting('track_counts')::boolean
      FROM pg_roles WHERE rolname = current_user
"""
_OWN = "SELECT oid FROM pg_database WHERE datname = current_database()"
_LEFT = "SELECT datname FROM pg_database WHERE starts_with(datname, $1)"


@asynccontextmanager
async def scratch(db: Database, *, here: bool = True) -> AsyncIterator[Connection]:
    """`here`: on the same server, if that is allowed."""
    connection = await db.dedicated()
    try:
        if here and await connection.fetchval(_SUITS):
            async with _on_server(db, connection) as trial:
                yield trial
        else:
            async with _embedded(db) as trial:
                yield trial
    finally:
        await connection.close()


@asynccontextmanager
async def _on_server(db: Database, admin: Connection) -> AsyncIterator[Connection]:
    await admin.execute("SELECT pg_advisory_lock($1)", ADVISORY_LOCK)
    prefix = f"{PREFIX}{await admin.fetchval(_OWN)}_"  # of this database, as the lock is
    for row in await admin.fetch(_LEFT, prefix):
        with suppress(asyncpg.PostgresError):  # somebody looks at it
            await admin.execute(f"DROP DATABASE IF EXISTS {row['datname']}")
    name = prefix + secrets.token_hex(4)
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        trial = await db.dedicated(database=name)
        try:
            yield trial
        finally:
            await trial.close()
    finally:
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@asynccontextmanager
async def _embedded(db: Database) -> AsyncIterator[Connection]:
    folder = await asyncio.to_thread(_make_folder)
    try:
        server = await EmbeddedServer.start(folder / "postgres", fast=True)
        trial_db = await Database.open(server, db.clock, 1)
        try:
            trial = await trial_db.dedicated()
            yield trial
            await trial.close()
        finally:
            await trial_db.close()
            await server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tidings-plan-"))
    folder.chmod(0o711)  # where we are root, PostgreSQL's own account must pass
    return folder
