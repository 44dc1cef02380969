"""The history of a number: its status, quality and limit, written where they change."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

import structlog

from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import history_store
from .model import Number, NumberChange, ReportedHealth, shown_status

log = structlog.get_logger()


async def record_health(
    tx: Tx, account: Account, number: str, before: ReportedHealth, after: ReportedHealth
) -> None:
    """As it is shown: a number whose messages are refused is blocked, whatever its status."""
    pairs = {
        "status": (
            shown_status(before.status, blocked=before.blocked),
            shown_status(after.status, blocked=after.blocked),
        ),
        "quality": (before.quality, after.quality),
    }
    at = account.now(tx.now)
    changed = [
        NumberChange(number, at, what, *pair) for what, pair in pairs.items() if pair[0] != pair[1]
    ]
    await _insert(tx, account, changed)


async def record_limits(
    tx: Tx, account: Account, before: Sequence[Number], after: Sequence[Number]
) -> None:
    """Of the numbers that there were before."""
    known = {number.number: _limit(number) for number in before}
    at = account.now(tx.now)
    changed = [
        NumberChange(one.number, at, "limit", known[one.number], _limit(one))
        for one in after
        if one.number in known and known[one.number] != _limit(one)
    ]
    await _insert(tx, account, changed)


async def _insert(tx: Tx, account: Account, changed: Sequence[NumberChange]) -> None:
    if changed:
        await history_store.insert(tx, account.id, changed)
        tx.after_commit(partial(_log, account.id, changed))


def _log(account_id: UUID, changed: Sequence[NumberChange]) -> None:
    for one in changed:
        log.info(
            "number.changed",
            account=account_id,
            number=one.number,
            field=one.what,
            before=one.before,
            after=one.after,
        )


def _limit(number: Number) -> str | None:
    return None if number.limit is None else str(number.limit)
