"""A machine that vanishes without a word: the server ends its sessions, and their locks, soon."""

from collections.abc import Iterator

import pytest

from tests.support.clock import ManualClock
from tests.support.external import PostgresServer, free_port, needs_postgres
from tidings.engine.db.pool import Database

pytestmark = [pytest.mark.anyio, needs_postgres]

RULES = """\
local all all              trust
host  all all 127.0.0.1/32 trust
"""
WAITS = """
    SELECT sum(setting::int * CASE name WHEN 'tcp_keepalives_interval' THEN
               current_setting('tcp_keepalives_count')::int ELSE 1 END)
      FROM pg_settings WHERE name IN ('tcp_keepalives_idle', 'tcp_keepalives_interval')
"""


@pytest.fixture
def url() -> Iterator[str]:
    port = free_port()
    settings = {"listen_addresses": "127.0.0.1", "port": str(port)}
    with PostgresServer(settings, RULES) as server:
        yield f"postgresql://{server.dsn['user']}@127.0.0.1:{port}/postgres"


async def test_the_server_asks_whether_we_are_still_there(url: str) -> None:
    db = await Database.open(url, ManualClock(), 1)
    holding = await db.dedicated()
    assert await holding.fetchval(WAITS) == 25
    assert await db.value(WAITS) == 25
    await holding.close()
    await db.close()
