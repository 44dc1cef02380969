"""Two roles: one owns the tables, the other one runs the service and may only read and write rows.

The statements that make them are those of docs/operating/postgresql.md.
"""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from tests.support.billing import subscribed
from tests.support.commands import run
from tests.support.database import url_of
from tests.support.external import PostgresServer, needs_postgres
from tests.support.house_rules import ROOT
from tests.support.retention import aging_service, count, pass_time, retain
from tests.support.service import GUEST, account_toml, require_sound
from tests.support.serving import KEY, QUICK, Load, Serving, serving_of
from tidings.clock import SystemClock
from tidings.engine.db.partitions import make_ahead
from tidings.engine.db.pool import Database

pytestmark = needs_postgres

PAGE = (ROOT / "docs/operating/postgresql.md").read_text()


def statements(heading: str) -> str:
    """The first block of SQL below this heading."""
    [_, below] = PAGE.split(f"\n## {heading}\n")
    found = re.search(r"```sql\n(.*?)```", below, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as running:
        yield running


@pytest.fixture
def dsn(server: PostgresServer) -> Iterator[dict[str, Any]]:
    """Of an empty database, as the page makes it; the role is the one that runs the service."""
    before, after = statements("Roles").split("\\c tidings\n")
    server.execute(*(line for line in before.split(";\n") if line.strip()))
    server.execute(after, database="tidings")
    yield {**server.dsn, "database": "tidings", "user": "tidings_run"}
    server.execute(
        "DROP DATABASE tidings WITH (FORCE)", "DROP ROLE tidings_run", "DROP ROLE tidings_owner"
    )


def of_owner(dsn: dict[str, Any]) -> dict[str, str]:
    return {"TIDINGS_DATABASE_URL": url_of({**dsn, "user": "tidings_owner"})}


def test_the_service_runs_without_owning_a_table(dsn: dict[str, Any], tmp_path: Path) -> None:
    env = {"TIDINGS_DATABASE_URL": url_of(dsn), "TIDINGS_DATA": str(tmp_path)}
    run("serve", "--port", "0", env=env).refused("by the role that owns the tables")
    run("migrate", env=of_owner(dsn)).good()
    toml = account_toml(QUICK, name="acme", apiKey=KEY)
    with serving_of(toml, Serving(tmp_path, dsn)) as one:
        load = Load(one.url, 50)
        load.wait()
        assert len(load.answered) == 50
        one.advance(60)
        assert one.get("/api/v1/messages/order-000001")["status"] in ("delivered", "read")
        assert "denied" not in one.log
        assert "owner" not in one.log


def test_partitions_are_made_by_the_owner(dsn: dict[str, Any]) -> None:
    run("migrate", env=of_owner(dsn)).good()
    asyncio.run(require_a_missing_month_to_be_said(dsn))
    run("migrate", env=of_owner(dsn)).good()
    assert asyncio.run(months_of(dsn)) == 3


async def months_of(dsn: dict[str, Any]) -> int:
    connection = await asyncpg.connect(**dsn)
    query = "SELECT count(*) FROM pg_class WHERE relname ~ '^messages_[0-9]{4}_[0-9]{2}$'"
    found: int = await connection.fetchval(query)
    await connection.close()
    return found


async def require_a_missing_month_to_be_said(dsn: dict[str, Any]) -> None:
    owner = await asyncpg.connect(**{**dsn, "user": "tidings_owner"})
    query = "SELECT max(relname) FROM pg_class WHERE relname ~ '^messages_[0-9]{4}_[0-9]{2}$'"
    last = await owner.fetchval(query)
    await owner.execute(f"DROP TABLE {last}")
    await owner.close()
    db = await Database.open(dsn, SystemClock(), 2)
    with capture_logs() as lines:
        assert await make_ahead(db) == []
    await db.close()
    assert [(line["event"], line["partition"]) for line in lines] == [
        ("partition.creation_failed", last)
    ]
    assert "permission denied" in lines[0]["error"]


def test_old_messages_go_though_their_month_cannot_be_dropped(
    dsn: dict[str, Any], tmp_path: Path
) -> None:
    run("migrate", env=of_owner(dsn)).good()
    with aging_service(tmp_path, dsn) as service:
        account = subscribed(service)
        answer = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
        assert answer.status_code == 200, answer.text
        account.advance(seconds=60)
        pass_time(service, days=430)
        retain(service)
        assert {table: count(service, table) for table in ("messages", "charges")} == {
            "messages": 0,
            "charges": 0,
        }
        require_sound(service)
    assert asyncio.run(months_of(dsn)) == 3
