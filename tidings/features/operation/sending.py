"""Pause and resume all sending. What waits is held meanwhile: `deferred`, SENDING_PAUSED."""

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.pause import set_pause
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.messages.send.reschedule import INSTALLATION, RESUME_ALL
from tidings.features.messages.state.timers import POOL

SUBJECT = "sending"


async def pause_sending(tx: Tx, actor: Actor) -> bool:
    """False: it was paused already."""
    if not await set_pause(tx, actor.name):
        return False
    await _record_and_wake(tx, actor, "sending.paused")
    return True


async def resume_sending(tx: Tx, actor: Actor) -> bool:
    """False: it was not paused."""
    if not await set_pause(tx, None):
        return False
    await _record_and_wake(tx, actor, "sending.resumed")
    return True


async def _record_and_wake(tx: Tx, actor: Actor, action: str) -> None:
    """The waiting messages of every account look again: they are held, or go on."""
    await record(tx, Entry(actor=actor, action=action, subject=SUBJECT))
    job = NewJob(INSTALLATION, POOL, RESUME_ALL, RESUME_ALL, tx.now, unique_key=RESUME_ALL)
    await queue.enqueue(tx, [job])
