"""Old months of messages go at once or not at all: what holds them, and what others hold."""

import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.clock import ManualClock
from tidings import ids, limits
from tidings.engine.db.partitions import create_ahead, find_ended
from tidings.engine.db.pool import Database
from tidings.engine.recent import Recent
from tidings.features.retention.enforce import enforce
from tidings.settings import Settings

MARCH = datetime(2025, 3, 1, tzinfo=UTC)
DUE = datetime(2026, 5, 1, tzinfo=UTC)
LONG_DUE = DUE + limits.OLD_MONTH_WAIT + timedelta(days=1)
ACCOUNT = uuid4()
TABLES = ("messages", "platform_ids", "lost_messages", "charges")
SUMS = "SELECT kind, charged, refunded FROM charge_sums ORDER BY kind"


@pytest.fixture(autouse=True)
async def march(db: Database) -> None:
    """An account, and the partitions of March 2025."""
    connection = await db.dedicated()
    await create_ahead(connection, MARCH)
    await connection.execute(
        """
        WITH o AS (INSERT INTO organisations VALUES ($1, 'acme', 'Acme', now()) RETURNING id)
        INSERT INTO accounts (id, organisation_id, name, environment, created_at)
        SELECT $1, id, 'acme', 'live', now() FROM o
        """,
        ACCOUNT,
    )
    await connection.close()


async def write(db: Database, n: int, status: str = "delivered", day: int = 9) -> UUID:
    """A message of March with its charge, settled or refunded as its status says."""
    at = MARCH + timedelta(days=day, seconds=n)
    message_id = ids.first_id(at)
    await db.rows(
        """
        INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content, status,
                              created_at, times_out_at, charge, platform_id)
        VALUES ($1, $2, $3, 'notification', '972501234567', '{}', $4, $5, $5, 'CAPACITY', $6)
        """,
        ACCOUNT, message_id, f"order-{n}", status, at, f"wamid.{n}",
    )  # fmt: skip
    await db.rows("INSERT INTO platform_ids VALUES ($1, $2, $3)", ACCOUNT, f"wamid.{n}", message_id)
    await db.rows("INSERT INTO lost_messages VALUES ($1, 'failed', $2)", ACCOUNT, message_id)
    entries = ["RESERVE"]
    if status != "sent":
        entries.append("REFUND" if status == "failed" else "SETTLE")
    for entry in entries:
        await db.rows(
            """
            INSERT INTO charges (account_id, message_id, entry, kind, at)
            VALUES ($1, $2, $3, 'CAPACITY', $4)
            """,
            ACCOUNT, message_id, entry, at,
        )  # fmt: skip
    return message_id


async def retain(db: Database, now: datetime = DUE, **settings: str) -> None:
    context: Any = SimpleNamespace(
        db=db,
        clock=ManualClock(now),
        settings=Settings.from_env(settings),
        recent_messages=Recent(9),
    )
    await enforce(context)


async def counts(db: Database) -> set[int]:
    return {await db.value(f"SELECT count(*) FROM {table}") for table in TABLES}


async def test_a_month_goes_with_its_sums_kept(db: Database) -> None:
    await write(db, 1)
    await write(db, 2, "failed")
    await retain(db, DUE - timedelta(seconds=1))
    assert await db.value("SELECT count(*) FROM messages") == 2
    await retain(db)
    assert await counts(db) == {0}
    assert await find_ended(db, "messages", DUE) != []  # later months, which are not due
    assert "messages_2025_03" not in await find_ended(db, "messages", DUE)
    assert [tuple(row) for row in await db.rows(SUMS)] == [("CAPACITY", 2, 1)]
    await retain(db)
    assert [tuple(row) for row in await db.rows(SUMS)] == [("CAPACITY", 2, 1)]


async def test_a_reader_is_not_waited_for_and_loses_nothing(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DROP_MONTH_TRIES", 1)
    await write(db, 1)
    reader = await db.dedicated()
    async with reader.transaction():
        await reader.fetch("SELECT FROM charges")
        await retain(db)
        assert await reader.fetchval("SELECT count(*) FROM messages") == 1
    await reader.close()
    assert await db.rows(SUMS) == [], "they are kept with the drop, or not"
    assert await counts(db) == {1, 2}
    await retain(db)
    assert await counts(db) == {0}


async def test_a_message_under_way_keeps_its_month_and_then_only_itself(db: Database) -> None:
    waiting = await write(db, 1, "sent")
    await write(db, 2)
    await retain(db)
    assert await db.value("SELECT count(*) FROM messages") == 2
    await retain(db, LONG_DUE)
    assert [row["id"] for row in await db.rows("SELECT id FROM messages")] == [waiting]
    assert [tuple(row) for row in await db.rows(SUMS)] == [("CAPACITY", 1, 0)]
    await db.rows("UPDATE messages SET status = 'delivered'")
    await db.rows(
        """
        INSERT INTO charges (account_id, message_id, entry, kind, at)
        VALUES ($1, $2, 'SETTLE', 'CAPACITY', now())
        """,
        ACCOUNT,
        waiting,
    )
    await retain(db, LONG_DUE)
    assert await counts(db) == {0}
    assert [tuple(row) for row in await db.rows(SUMS)] == [("CAPACITY", 2, 0)]


@pytest.mark.parametrize("columns", ["subject", "subjects"])
async def test_a_job_about_a_message_keeps_its_month(db: Database, columns: str) -> None:
    message_id = await write(db, 1)
    subjects = [message_id.hex] if columns == "subjects" else None
    await db.rows(
        """
        INSERT INTO jobs (account_id, pool, kind, due_at, subject, subjects)
        VALUES ($1, 'timers', 'message.timeout', now(), $2, $3)
        """,
        ACCOUNT, "" if subjects else message_id.hex, subjects,
    )  # fmt: skip
    await retain(db, LONG_DUE)
    assert await counts(db) == {1, 2}
    await db.rows("DELETE FROM jobs")
    await retain(db, LONG_DUE)
    assert await counts(db) == {0}


async def test_an_event_that_is_owed_keeps_its_messages_month(db: Database) -> None:
    message_id = await write(db, 1)
    webhook = "whk_" + ids.first_id(DUE).hex
    await db.rows(
        """
        INSERT INTO webhooks (account_id, id, type, body, created_at, message_id, state)
        VALUES ($1, $2, 'message.status', '', now(), $3, 'pending')
        """,
        ACCOUNT, webhook, message_id,
    )  # fmt: skip
    await retain(db)
    assert await counts(db) == {1, 2}
    await db.rows("UPDATE webhooks SET state = 'delivered'")
    await retain(db)
    assert await counts(db) == {0}
    assert await db.value("SELECT count(*) FROM webhooks") == 0, "it would name an unknown message"


async def test_messages_without_a_partition_of_their_month_go_by_rows(db: Database) -> None:
    await write(db, 1, day=-60)  # January has no partitions
    assert await db.value("SELECT count(*) FROM messages_default") == 1
    await retain(db)
    assert await counts(db) == {0}
    assert [tuple(row) for row in await db.rows(SUMS)] == [("CAPACITY", 1, 0)]


async def test_a_month_that_is_partly_in_a_default_partition_goes_by_rows(db: Database) -> None:
    await db.rows("DROP TABLE charges_2025_03")
    await write(db, 1)
    await retain(db)
    assert await counts(db) == {0}
    assert [tuple(row) for row in await db.rows(SUMS)] == [("CAPACITY", 1, 0)]


async def test_several_processes_add_up_a_month_once(db: Database) -> None:
    await write(db, 1)
    await asyncio.gather(*(retain(db) for _ in range(3)))
    assert [tuple(row) for row in await db.rows(SUMS)] == [("CAPACITY", 1, 0)]


async def test_longer_and_for_ever(db: Database) -> None:
    await write(db, 1)
    await retain(db, TIDINGS_MESSAGES_MONTHS="14")
    await retain(db, LONG_DUE, TIDINGS_MESSAGES_MONTHS="off")
    assert await counts(db) == {1, 2}
    await retain(db, datetime(2026, 6, 1, tzinfo=UTC), TIDINGS_MESSAGES_MONTHS="14")
    assert await counts(db) == {0}
