"""A pooler between us and PostgreSQL, such as PgBouncer in transaction mode: is there one, what can
it do, and what must be set up for it (docs/decisions/0038-pgbouncer.md).
"""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import asyncpg
import structlog

from tidings.engine.db.connections import (
    POOLER_IN_THE_WAY,
    Connection,
    UnusableDatabase,
    connect_patiently,
)
from tidings.engine.db.sessions import OF_ROLE, PLANNED_BY_KEY, Pooler

log = structlog.get_logger()

VERSION_MIN = 15
ADVISORY_LOCK = 0x726F_6C65_0000  # "role": one process at a time sets its defaults

_DEFAULTS = """
    SELECT unnest(setconfig) FROM pg_db_role_setting
     WHERE setrole = session_user::regrole AND setdatabase IN (
           0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""


class Address(dict[str, Any]):
    """asyncpg's keyword arguments for PostgreSQL itself, and those for the pooler before it."""

    def __init__(self, direct: Mapping[str, Any], pooled: Mapping[str, Any]) -> None:
        super().__init__(direct)
        self.pooled = pooled


async def require_usable(connection: Connection, pooler: Pooler = Pooler.NONE) -> None:
    """Refuse a PostgreSQL that is too old, and a pooler that nobody told us about."""
    version = connection.get_server_version()
    if version.major < VERSION_MIN:
        raise UnusableDatabase(
            f"Tidings needs PostgreSQL {VERSION_MIN} or newer; this is {version.major}"
        )
    if pooler is Pooler.NONE and await _is_pooled(connection):
        raise UnusableDatabase(POOLER_IN_THE_WAY)


async def find_pooler(dsn: Mapping[str, Any], direct: Mapping[str, Any]) -> Pooler:
    """What is at the first address; the second one must lead to PostgreSQL itself. The role of the
    first gets its defaults if it lacks some."""
    connection = await connect_patiently(direct)
    try:
        await require_usable(connection)
    finally:
        await connection.close()
    connection = await connect_patiently(dsn, PLANNED_BY_KEY, Pooler.PLAIN)
    try:
        if not await _is_pooled(connection):
            return Pooler.NONE
        if await _set_defaults(connection):
            # Server connections that exist keep the old defaults: this one is not to be used.
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            return await find_pooler(dsn, direct)
        return await _find_kind(connection)
    finally:
        connection.terminate()


async def _is_pooled(connection: Connection) -> bool:
    """A pooler hands out keys for cancelling of its own, so the process id in it is none."""
    process_id: int = await connection.fetchval("SELECT pg_backend_pid()")
    return bool(process_id != connection.get_server_pid())


async def _find_kind(connection: Connection) -> Pooler:
    """A pooler that keeps prepared statements gives them names of its own."""
    name = f"tidings_{secrets.token_hex(8)}"
    ask = f"SELECT name FROM pg_prepared_statements WHERE position('{name}' IN statement) > 0"
    async with connection.transaction():  # all on one server connection
        statement = await connection.prepare(ask, name=name)
        if await statement.fetchval() != name:
            return Pooler.PREPARING
        await connection.execute(f"DEALLOCATE {name}")
    return Pooler.PLAIN


async def _set_defaults(connection: Connection) -> bool:
    """Whether the role lacked some of its defaults, which it then has. A role may set its own."""
    async with connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")
        present = {row[0] for row in await connection.fetch(_DEFAULTS)}
        lacking = {
            name: value for name, value in OF_ROLE.items() if f"{name}={value}" not in present
        }
        if not lacking:
            return False
        database = await connection.fetchval("SELECT quote_ident(current_database())")
        alter = f"ALTER ROLE SESSION_USER IN DATABASE {database} SET"
        await connection.execute("; ".join(f"{alter} {n} = '{v}'" for n, v in lacking.items()))
    log.warning("database.role_defaults_set", settings=sorted(lacking))
    return True
