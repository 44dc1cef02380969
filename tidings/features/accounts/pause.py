"""The pause of all sending, for every account at once.

It is part of every account (`Account.all_paused`), so that whatever holds the messages of a paused
account holds all messages, and no query is added to a send. Every process notices it as it notices
a changed account: at once by a notification, or within a second.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

import structlog

from tidings.engine.db.tx import Tx

from . import changes, pause_store

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Pause:
    since: datetime
    by: str
    reason: str
    after_restore: bool  # held until the operator has confirmed that what waits may be sent


async def find_pause(tx: Tx) -> Pause | None:
    row = await pause_store.find(tx)
    return None if row is None else Pause(*row)


async def hold_restored(tx: Tx, by: str, reason: str) -> int:
    """Pause all sending, whoever had paused it when the backup was made, and begin the next epoch;
    which one it is."""
    await changes.begin_all(tx)
    epoch = await pause_store.hold(tx, by, reason)
    await changes.forget_versions(tx)
    await changes.announce_all(tx)
    return epoch


async def set_pause(tx: Tx, by: str | None, reason: str = "") -> bool:
    """Pause all sending in this name, or end the pause. False: nothing changed."""
    await changes.begin_all(tx)
    changed = await (pause_store.end(tx) if by is None else pause_store.begin(tx, by, reason))
    if changed:
        await changes.announce_all(tx)
        tx.after_commit(partial(_log, by is not None))
    return changed


def _log(is_paused: bool) -> None:
    """Who did it, and why, is in the audit log."""
    if is_paused:
        log.warning("sending.paused")
    else:
        log.info("sending.resumed")
