"""PgBouncer in transaction mode: what we need of a session does not depend on the session."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.support.clock import ManualClock
from tests.support.external import (
    PgBouncer,
    PostgresServer,
    needs_pgbouncer,
    needs_postgres,
    pgbouncer_version,
)
from tidings.engine.db.connections import UnusableDatabase, connect
from tidings.engine.db.pool import Database
from tidings.engine.db.pooler import Address, find_pooler
from tidings.engine.db.sessions import FREELY_PLANNED, NAME, PLANNED_BY_KEY, Pooler, at_connect
from tidings.engine.db.tx import Tx

pytestmark = [pytest.mark.anyio, needs_postgres, needs_pgbouncer]


@pytest.fixture
async def db(pooler: PgBouncer) -> AsyncIterator[Database]:
    database = await Database.open(pooler.address(), ManualClock(), 8)
    yield database
    await database.close()


async def settings(tx: Tx) -> dict[str, str]:
    rows = await tx.rows("SELECT name, setting, unit FROM pg_settings")
    found = {row["name"]: row["setting"] for row in rows}
    return {name: found[name] for name in PLANNED_BY_KEY}


async def test_every_transaction_has_the_settings_of_its_kind(db: Database) -> None:
    by_key = await db.transact(settings)
    assert by_key == {
        "statement_timeout": "5000",
        "lock_timeout": "2000",
        "plan_cache_mode": PLANNED_BY_KEY["plan_cache_mode"],
        "enable_mergejoin": "off",
        "enable_hashjoin": "off",
        "enable_seqscan": "off",
    }
    reports = await db.report(settings)
    assert reports["plan_cache_mode"] == FREELY_PLANNED["plan_cache_mode"]
    assert reports["enable_seqscan"] == reports["enable_hashjoin"] == "on"
    assert reports["statement_timeout"] == "5000"
    found = await asyncio.gather(*(db.transact(settings) for _ in range(40)))
    assert found == [by_key] * 40, "a report has left its settings behind"


async def test_what_needs_a_session_is_on_a_direct_connection(db: Database) -> None:
    connection = await db.dedicated()
    assert await connection.fetchval("SELECT pg_backend_pid()") == connection.get_server_pid()
    unlimited = {"statement_timeout": "0", "lock_timeout": "0", "enable_seqscan": "on"}
    for name, value in unlimited.items():
        assert await connection.fetchval("SELECT current_setting($1)", name) == value
    assert await connection.fetchval("SHOW idle_in_transaction_session_timeout") == "10s"
    await connection.close()


async def test_statements_of_many_clients_on_few_server_connections_do_not_mix(
    pooler: PgBouncer,
) -> None:
    """Each client would give its first prepared statement the same name."""
    databases = [await Database.open(pooler.address(), ManualClock(), 4) for _ in range(4)]

    async def ask(number: int) -> int:
        db = databases[number % len(databases)]
        found: int = await db.value(f"SELECT $1::int + {number % 7}", number)
        return found

    found = await asyncio.gather(*(ask(number) for number in range(200)))
    assert found == [number + number % 7 for number in range(200)]
    for db in databases:
        await db.close()


async def test_a_pooler_that_nobody_announced_is_refused(pooler: PgBouncer) -> None:
    with pytest.raises(UnusableDatabase, match="TIDINGS_DIRECT_DATABASE_URL"):
        await Database.open(pooler.dsn, ManualClock())


async def test_one_that_ignores_our_settings_is_refused_as_well(server: PostgresServer) -> None:
    ignored = ",".join(at_connect(PLANNED_BY_KEY, NAME, Pooler.NONE))
    with PgBouncer(server, {"ignore_startup_parameters": ignored}) as lenient:
        await (await connect(lenient.dsn, PLANNED_BY_KEY)).close()
        with pytest.raises(UnusableDatabase, match="TIDINGS_DIRECT_DATABASE_URL"):
            await Database.open(lenient.dsn, ManualClock())


async def test_a_direct_address_that_is_the_poolers_is_refused(pooler: PgBouncer) -> None:
    with pytest.raises(UnusableDatabase, match="TIDINGS_DIRECT_DATABASE_URL"):
        await Database.open(Address(pooler.dsn, pooler.dsn), ManualClock())


async def test_a_direct_address_without_a_pooler_is_no_harm(server: PostgresServer) -> None:
    db = await Database.open(Address(server.dsn, server.dsn), ManualClock())
    assert await db.value("SHOW plan_cache_mode") == "force_generic_plan"
    await db.close()


async def test_prepared_statements_are_used_where_the_pooler_keeps_them(
    server: PostgresServer,
) -> None:
    keeps = pgbouncer_version() >= (1, 21)
    settings = {"max_prepared_statements": "100"} if keeps else {}
    with PgBouncer(server, settings) as chosen:
        found = await find_pooler(chosen.dsn, server.dsn)
        assert found is (Pooler.PREPARING if keeps else Pooler.PLAIN)
        db = await Database.open(chosen.address(), ManualClock(), 8)
        answers = await asyncio.gather(*(db.value("SELECT $1::int", n) for n in range(100)))
        assert answers == list(range(100))
        await db.close()
    if keeps:
        with PgBouncer(server, {"max_prepared_statements": "0"}) as plain:
            assert await find_pooler(plain.dsn, server.dsn) is Pooler.PLAIN
