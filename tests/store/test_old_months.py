"""Events of months that have left the catch-up feed go with their partition."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest

from tests.support.clock import ManualClock
from tidings import ids, limits
from tidings.engine.db.partitions import create_ahead, find_ended
from tidings.engine.db.pool import Database
from tidings.features.webhooks.old_months import drop_old_months
from tidings.settings import Settings

MONTH = datetime(2025, 3, 1, tzinfo=UTC)
LEFT = datetime(2025, 4, 1, tzinfo=UTC) + limits.WEBHOOK_FEED_KEPT  # the last of March does so


@pytest.fixture
async def old(db: Database) -> str:
    """A delivered event of March 2025, in its partition; its id."""
    connection = await db.dedicated()
    await create_ahead(connection, MONTH)
    await connection.close()
    webhook_id = "whk_" + ids.first_id(MONTH + timedelta(days=9)).hex
    await db.rows(
        """
        INSERT INTO webhooks (account_id, id, type, body, created_at, state)
        VALUES ($1, $2, 'message.sent', '', $3, 'delivered')
        """,
        uuid4(),
        webhook_id,
        MONTH,
    )
    return webhook_id


def context(db: Database, now: datetime, **env: str):
    return SimpleNamespace(db=db, clock=ManualClock(now), settings=Settings.from_env(env))


async def test_a_month_is_dropped_once_its_last_event_has_left_the_feed(
    db: Database, old: str
) -> None:
    assert await drop_old_months(context(db, LEFT - timedelta(seconds=1))) == []
    assert await db.value("SELECT count(*) FROM webhooks") == 1
    assert await drop_old_months(context(db, LEFT)) == ["webhooks_2025_03"]
    assert await db.value("SELECT count(*) FROM webhooks") == 0
    assert await drop_old_months(context(db, LEFT)) == []


@pytest.mark.parametrize("columns", ["subject", "subjects"])
async def test_a_month_with_an_event_that_is_still_owed_stays(
    db: Database, old: str, columns: str
) -> None:
    subjects = [old] if columns == "subjects" else None
    await db.rows(
        """
        INSERT INTO jobs (account_id, pool, kind, due_at, subject, subjects)
        VALUES ($1, 'webhooks', 'webhook.deliver', now(), $2, $3)
        """,
        uuid4(),
        old if subjects is None else "",
        subjects,
    )
    assert await drop_old_months(context(db, LEFT)) == []
    await db.rows("DELETE FROM jobs")
    assert await drop_old_months(context(db, LEFT)) == ["webhooks_2025_03"]


async def test_the_default_partition_and_later_months_stay(db: Database, old: str) -> None:
    assert await find_ended(db, "webhooks", LEFT - limits.WEBHOOK_FEED_KEPT) == ["webhooks_2025_03"]
    every = await find_ended(db, "webhooks", datetime(2999, 1, 1, tzinfo=UTC))
    assert "webhooks_default" not in every and len(every) > 1


async def test_a_month_stays_for_the_days_that_are_set(db: Database, old: str) -> None:
    longer = {"TIDINGS_WEBHOOK_FEED_DAYS": "60"}
    assert await drop_old_months(context(db, LEFT, **longer)) == []
    later = LEFT - limits.WEBHOOK_FEED_KEPT + timedelta(days=60)
    assert await drop_old_months(context(db, later, **longer)) == ["webhooks_2025_03"]
