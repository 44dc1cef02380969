"""Whether the platform's callbacks reach us, account by account.

Each business account is subscribed on its own, so that one may be silent while others are not. The
time is written down every few seconds at most: it is a sign of life, not a log.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx

from . import platform_store as store


async def mark_called(
    tx: Tx, account_ids: Iterable[UUID], known: Mapping[UUID, datetime]
) -> dict[UUID, datetime]:
    """Verified callbacks have come. `known`: what this process has written down before.

    What was written now, to be known once it is committed.
    """
    early = tx.now - limits.CALLBACK_MARK_INTERVAL
    due = {one: tx.now for one in account_ids if one not in known or known[one] <= early}
    if due:
        await store.mark_called(tx, due)
    return due


async def load_called(tx: Tx, account_ids: Iterable[UUID]) -> dict[UUID, datetime]:
    """When the platform last called back for these accounts, in real time; never: absent."""
    asked = sorted(set(account_ids))
    return await store.load_called(tx, asked) if asked else {}
