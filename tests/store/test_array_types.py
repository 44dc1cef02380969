"""No connection asks the server what PostgreSQL's own array types are (db/array_types.py)."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from tests.support import batches, passcodes
from tests.support.billing import FAILS, phone, sent
from tests.support.clock import ManualClock
from tests.support.database import Dsn, empty_database, fresh_database, needs_direct
from tests.support.receiver import Receiver
from tests.support.service import TEMPLATES, TestAccount, TestService
from tests.support.waiting import until
from tidings.engine.db.array_types import BUILT_IN
from tidings.engine.db.pool import Database

# In the server's log, which is the last to be told.
COUNTED = """
    SELECT regexp_count(log, 'RECURSIVE typeinfo_tree') AS asked,
           regexp_count(log, 'INSERT INTO messages') AS sent
      FROM pg_read_file(pg_current_logfile()) AS log
"""
# In PostgreSQL's notation, and what asyncpg makes of it.
ID = "00000000-0000-7000-8000-000000000001"
LISTS: dict[str, tuple[str, list[Any]]] = {
    "bool": ("{true,null}", [True, None]),
    "bytea": ('{"\\\\x00ff",""}', [b"\x00\xff", b""]),
    "int2": ("{1,-32768}", [1, -32768]),
    "int4": ("{}", []),
    "int8": ("{{1,2},{3,4}}", [[1, 2], [3, 4]]),
    "float8": ("{0.5}", [0.5]),
    "date": ("{2026-01-02}", [date(2026, 1, 2)]),
    "timestamptz": ("{2026-01-02T03:04:05Z}", [datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)]),
    "interval": ('{"1 hour"}', [timedelta(hours=1)]),
    "numeric": ("{0.20}", [Decimal("0.20")]),
    "uuid": (f"{{{ID}}}", [UUID(ID)]),
    "jsonb": ('{"{\\"a\\": 1}"}', ['{"a": 1}']),
}


@needs_direct
async def test_a_service_that_sends_delivers_and_reads_never_asks(
    tmp_path: Path, receiver: Receiver
) -> None:
    dsn = fresh_database()
    watch = await asyncpg.connect(**fresh_database())
    await watch.execute(f"ALTER DATABASE {dsn['database']} SET log_statement = 'all'")
    before = await watch.fetchrow(COUNTED)
    with TestService(dsn, tmp_path) as service:
        _use(service.account(passcodes.template() + TEMPLATES, webhookUrl=receiver.url), receiver)
    await ask(dsn)
    await until(lambda: has_grown(watch, before["asked"]))
    after = await watch.fetchrow(COUNTED)
    assert after["sent"] > before["sent"], "the log does not show what was executed"
    assert after["asked"] == before["asked"] + 1
    await watch.close()


async def ask(dsn: Dsn) -> None:
    """As asyncpg does by itself: what comes last in the log."""
    connection = await asyncpg.connect(**dsn)
    await connection.fetchval("SELECT $1::bytea[]", [b"x"])
    await connection.close()


async def has_grown(watch: Any, before: int) -> bool:
    found: int = (await watch.fetchrow(COUNTED))["asked"]
    return found > before


def _use(account: TestAccount, receiver: Receiver) -> None:
    for n in range(3):
        sent(account, n, phone(n))
    sent(account, 4, FAILS)
    passcodes.send(account)
    items = [{"clientMessageId": f"batch-{n:04}", "to": phone(n), "templateName": "plain"}
             for n in range(3)]  # fmt: skip
    batches.submit(account, items)
    account.reply(phone(1), "Hello")
    account.advance(seconds=5)
    receiver.wait_for(6)
    assert account.get("/messages?limit=5").is_success


async def test_the_numbers_are_those_of_the_catalogue() -> None:
    connection = await asyncpg.connect(**empty_database())
    found = await connection.fetch(
        """
        SELECT t.typname AS name, t.oid AS element, t.typarray AS list FROM pg_type t
         WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typname = ANY($1)
        """,
        [name for name, _, _ in BUILT_IN],
    )
    await connection.close()
    assert {tuple(row) for row in found} == set(BUILT_IN)


@pytest.fixture
async def db() -> Any:
    db = await Database.open(empty_database(), ManualClock())
    yield db
    await db.close()


@pytest.mark.parametrize("kind", LISTS)
async def test_a_list_is_read_as_a_list_of_its_values(db: Database, kind: str) -> None:
    notation, values = LISTS[kind]
    assert await db.value(f"SELECT $1::text::{kind}[]", notation) == values


async def test_rows_within_a_row_are_read_as_tuples(db: Database) -> None:
    found = await db.value("SELECT ARRAY(SELECT r FROM (SELECT 1 AS a, 'x' AS b) AS r)")
    assert [tuple(row) for row in found] == [(1, "x")]


def test_every_type_is_read_here() -> None:
    assert {name for name, _, _ in BUILT_IN} == {"record", *LISTS}


async def test_a_type_of_somebody_else_is_asked_for(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.run("CREATE TYPE mood AS ENUM ('good', 'bad')")
        assert await tx.value("SELECT ARRAY['good', 'bad']::mood[]") == ["good", "bad"]
