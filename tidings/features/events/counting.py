"""How many guests an event has, by how they have replied.

Counting reads every invitation of the event, a third of a second for 100,000 guests. So the counts
of larger events are kept and used again while nothing was published in the account, and no longer
than a minute. While replies come in, the counts of an event with more than a thousand guests may
lag: by ten seconds for 100,000 guests.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import count_store
from .count_store import KeptCounts
from .model import Counts


async def load_counts(tx: Tx, account: Account, event_ids: Sequence[str]) -> dict[str, Counts]:
    """By event id."""
    if not event_ids:
        return {}
    now = account.now(tx.now)
    kept = await count_store.find_kept(tx, account.id, event_ids)
    found = {event_id: one.counts for event_id, one in kept.items() if _holds(one, tx.now, now)}
    missing = [event_id for event_id in event_ids if event_id not in found]
    return found | await _count(tx, account.id, missing, now) if missing else found


def _holds(kept: KeptCounts, real_now: datetime, now: datetime) -> bool:
    if kept.holds_until is not None and now >= kept.holds_until:
        return False
    age = real_now - kept.counted_at
    return age < (limits.EVENT_COUNTS_KEPT if kept.unchanged else lag_allowed(kept.counts))


def lag_allowed(counts: Counts) -> timedelta:
    """How old the counts of an event may be while its guests reply."""
    if counts.invited < limits.EVENT_COUNTS_STALE_FROM:
        return timedelta(0)
    return timedelta(seconds=counts.invited / limits.EVENT_COUNTS_LAG_GUESTS)


async def _count(
    tx: Tx, account_id: UUID, event_ids: Sequence[str], now: datetime
) -> dict[str, Counts]:
    snapshot = await count_store.find_snapshot(tx)
    counted = await count_store.count(tx, account_id, event_ids, now)
    large = [
        (event_id, counts, holds_until)
        for event_id, (counts, holds_until) in counted.items()
        if counts.invited >= limits.EVENT_COUNTS_KEPT_FROM
    ]
    if large:
        await count_store.keep(tx, account_id, large, snapshot)
    found = {event_id: counts for event_id, (counts, _) in counted.items()}
    return {event_id: found.get(event_id, Counts()) for event_id in event_ids}


async def forget(tx: Tx, account_id: UUID, event_id: str) -> None:
    """Count anew next time: something changed that no event tells of, or that must show at once."""
    await count_store.forget(tx, account_id, event_id)
