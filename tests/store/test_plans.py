"""How PostgreSQL runs statements: by key through indexes, on new tables and on large ones; reports
as it finds best (docs/decisions/0015)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any
from uuid import UUID

import msgspec
import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database, opened_database
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.accept import idempotency_store
from tidings.features.messages.state import store as messages
from tidings.features.recipients import contacts
from tidings.ids import new_id

ACCOUNT = UUID(int=1)
EVENT = "wedding"
ROWS = 100_000
KEYS = 32
REPORT = """
    SELECT m.status, count(*) FROM invitations i
      JOIN messages m ON m.account_id = i.account_id AND m.id = i.message_id
     WHERE i.account_id = $1 AND i.event_id = $2 GROUP BY 1
"""
OTHERWISE = {"Hash Join", "Merge Join", "Seq Scan"}
BASE = str(new_id())[:24]  # ids of now, in the order of their numbers

Work = Callable[[Tx], Awaitable[Any]]


def message_id(number: int) -> UUID:
    return UUID(f"{BASE}{number:012x}")


@pytest.fixture(scope="module", params=["new", "large"])
async def db(request: pytest.FixtureRequest) -> AsyncIterator[Database]:
    """`new`: no rows and no statistics. `large`: many rows, analysed."""
    async with opened_database(fresh_database(), ManualClock(), size=2) as db:
        if request.param == "large":
            await fill(db)
        yield db


async def fill(db: Database) -> None:
    connection = await db.dedicated()
    for statement in (
        f"""
        INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content, status,
                              created_at, times_out_at, event_id)
        SELECT $1, ('{BASE}' || lpad(to_hex(n), 12, '0'))::uuid, 'order-' || n, 'invitation',
               (972500000000 + n)::text, '{{}}', 'sent', now(), now(), '{EVENT}'
          FROM generate_series(1, $2::int) n
        """,
        """
        INSERT INTO invitations (account_id, message_id, event_id, phone, expires_at, sent_at)
        SELECT account_id, id, event_id, recipient, now(), now() FROM messages
         WHERE account_id = $1 LIMIT $2
        """,
        """
        INSERT INTO idempotency_keys (account_id, client_message_id, message_id, used_at)
        SELECT account_id, client_message_id, id, created_at FROM messages
         WHERE account_id = $1 LIMIT $2
        """,
        """
        INSERT INTO contacts (account_id, phone) SELECT account_id, recipient FROM messages
         WHERE account_id = $1 LIMIT $2
        """,
    ):
        await connection.execute(statement, ACCOUNT, ROWS)
    await connection.execute("ANALYZE")
    await connection.close()


BY_KEY: dict[str, Work] = {
    "messages": lambda tx: messages.load(tx, [(ACCOUNT, message_id(n)) for n in range(KEYS)]),
    "duplicates": lambda tx: idempotency_store.find_originals(
        tx, [(ACCOUNT, f"order-{n}") for n in range(KEYS)]
    ),
    "contacts": lambda tx: contacts.load(
        tx, [(ACCOUNT, str(972500000000 + n)) for n in range(KEYS)]
    ),
    "accounts": lambda tx: load_accounts(tx, [ACCOUNT], for_share=True),
}


@pytest.mark.parametrize("name", BY_KEY)
async def test_a_statement_by_key_uses_indexes_and_nested_loops(db: Database, name: str) -> None:
    async with db.transaction() as tx:
        for plan in await plans(tx, BY_KEY[name]):
            assert not any(node["Node Type"] in OTHERWISE for node in walk(plan))


async def test_a_report_may_hash_what_it_joins(db: Database) -> None:
    async def find(tx: Tx) -> list[dict[str, Any]]:
        return await plans(tx, lambda tx: tx.rows(REPORT, ACCOUNT, EVENT))

    large = await db.value("SELECT count(*) FROM (SELECT FROM messages LIMIT 1) m") == 1
    (free,), (by_key,) = await db.report(find), await db.transact(find)
    assert any(node["Node Type"] == "Hash Join" for node in walk(free)) == large
    assert not any(node["Node Type"] in OTHERWISE for node in walk(by_key))


async def plans(tx: Tx, work: Work) -> list[dict[str, Any]]:
    """How the statements of `work` are run in this session."""
    seen: list[Any] = []
    await work(tx)  # asyncpg asks for types that it does not know yet
    with tx.connection.query_logger(seen.append):
        await work(tx)
        await asyncio.sleep(0)  # asyncpg calls the logger from the event loop
    found = []
    for query in seen:
        if query.query.lstrip().startswith(("SELECT", "WITH")):
            text = await tx.connection.fetchval(f"EXPLAIN (FORMAT JSON) {query.query}", *query.args)
            found.append(msgspec.json.decode(text)[0]["Plan"])
    assert found
    return found


def walk(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if plan.get("Relation Name") != "accounts_version":  # which has one row
        yield plan
    for child in plan.get("Plans", []):
        yield from walk(child)
