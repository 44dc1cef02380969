"""Pause and resume all sending. What waits is held meanwhile: `deferred`, SENDING_PAUSED."""

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.errors import ApiError, Code
from tidings.features.accounts.pause import set_pause
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.messages.send.reschedule import INSTALLATION, RESUME_ALL
from tidings.features.messages.state.timers import POOL

SUBJECT = "sending"


async def pause_sending(tx: Tx, actor: Actor, reason: str = "") -> bool:
    """False: it was paused already. The reason is for other operators."""
    reason = require_reason(reason)
    if not await set_pause(tx, actor.name, reason):
        return False
    await _record_and_wake(tx, actor, "sending.paused", reason)
    return True


async def resume_sending(tx: Tx, actor: Actor, reason: str = "") -> bool:
    """False: it was not paused."""
    reason = require_reason(reason)
    if not await set_pause(tx, None):
        return False
    await _record_and_wake(tx, actor, "sending.resumed", reason)
    return True


def require_reason(reason: str) -> str:
    reason = " ".join(reason.split())
    if len(reason) > limits.REASON_CHARS_MAX:
        text = f"reason must have at most {limits.REASON_CHARS_MAX} characters"
        raise ApiError(Code.VALIDATION_ERROR, text, field="reason")
    return reason


async def _record_and_wake(tx: Tx, actor: Actor, action: str, reason: str) -> None:
    """The waiting messages of every account look again: they are held, or go on."""
    details = {"reason": reason} if reason else {}
    await record(tx, Entry(actor=actor, action=action, subject=SUBJECT, details=details))
    job = NewJob(INSTALLATION, POOL, RESUME_ALL, RESUME_ALL, tx.now, unique_key=RESUME_ALL)
    await queue.enqueue(tx, [job])
