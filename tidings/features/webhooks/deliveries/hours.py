"""How posts went, hour by hour, for the charts of the page Webhooks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store

HOURS = 24
EVENTS_READ_MAX = 5_000  # the newest, so that the page is as fast for who has millions


@dataclass(frozen=True, slots=True)
class Hour:
    """Attempts that began in this hour. Without any, there is no time that they took."""

    begins_at: datetime
    succeeded: int = 0
    failed: int = 0
    median_ms: int | None = None
    slow_ms: int | None = None  # 95 of 100 took no longer


async def load_hours(tx: Tx, account_id: UUID, now: datetime) -> list[Hour]:
    """The last day, the oldest hour first. `now` is the account's."""
    begins_at = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS - 1)
    rows = await store.load_hours(tx, account_id, begins_at, EVENTS_READ_MAX)
    return fill([Hour(**row) for row in rows], begins_at)


def fill(found: Sequence[Hour], begins_at: datetime) -> list[Hour]:
    """Every hour of the day, also those without an attempt."""
    known = {hour.begins_at: hour for hour in found}
    times = [begins_at + timedelta(hours=number) for number in range(HOURS)]
    return [known.get(at, Hour(at)) for at in times]
