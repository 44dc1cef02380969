"""The rules for a database that was restored from a backup (reliability.md 2.16).

A restored database has forgotten what happened since the backup: messages that were sent, callbacks
that settled them, keys that were revoked. So nothing is sent until an operator confirms it, nothing
that may have been sent is sent again, and nobody stays signed in.
"""

from dataclasses import dataclass

from tidings.engine.db.tx import Tx
from tidings.engine.queue import lease
from tidings.features.accounts.pause import hold_restored
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.messages.state.restored import settle_unfinished
from tidings.features.people.sessions import end_all_sessions

SUBJECT = "database"


@dataclass(frozen=True, slots=True)
class Restored:
    """What the rules found."""

    epoch: int
    waiting: int  # messages, held until sending is resumed
    unknown: int  # messages that were being sent
    jobs: int  # were running, and are due now


async def apply_restore_rules(tx: Tx, actor: Actor, reason: str) -> Restored:
    """Once for each restore, before a process runs on the database."""
    epoch = await hold_restored(tx, actor.name, reason)
    unfinished = await settle_unfinished(tx)
    jobs = await lease.end_all(tx)
    await end_all_sessions(tx)
    details = {"epoch": epoch, "waiting": unfinished.waiting, "unknown": unfinished.unknown}
    entry = Entry(actor=actor, action="database.restored", subject=SUBJECT, details=details)
    await record(tx, entry)
    return Restored(epoch, unfinished.waiting, unfinished.unknown, jobs)
