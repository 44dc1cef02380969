"""Parked work: dead-lettered jobs and callbacks, tried again or discarded by an operator."""

from collections.abc import Awaitable, Callable

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.queue import dead_letters as jobs
from tidings.engine.queue.dead_letters import DeadJob
from tidings.errors import ApiError, Code
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.callbacks import dead_letters as callbacks
from tidings.features.callbacks.receive import retry_dead_letters


async def retry_job(tx: Tx, actor: Actor, job_id: int) -> DeadJob:
    """Run the job once more. What it is about may be settled: then it ends without an effect."""
    return await _settle(tx, actor, job_id, jobs.revive, "job.retried")


async def discard_job(tx: Tx, actor: Actor, job_id: int) -> DeadJob:
    """Delete the job for good."""
    return await _settle(tx, actor, job_id, jobs.discard, "job.discarded")


async def _settle(
    tx: Tx,
    actor: Actor,
    job_id: int,
    act: Callable[[Tx, int], Awaitable[DeadJob | None]],
    action: str,
) -> DeadJob:
    found = await act(tx, job_id)
    if found is None:
        raise ApiError(Code.NOT_FOUND, f"no job {job_id} is parked")
    entry = Entry(
        actor=actor,
        action=action,
        subject=f"{found.kind} {found.subject}",
        account_id=found.account_id,
        details={"job": found.id, "pool": found.pool, "crashes": found.crashes},
    )
    await record(tx, entry)
    return found


async def retry_callbacks(ctx: Context, actor: Actor, callback_id: int | None = None) -> int:
    """Process one parked callback again, or all of them; how many. One that fails again is parked
    again. Processing one twice has no effect."""
    if callback_id is not None:
        await ctx.db.transact(lambda tx: callbacks.load(tx, callback_id))
    retried = await retry_dead_letters(ctx, callback_id)
    if retried:
        subject = "all" if callback_id is None else str(callback_id)
        entry = Entry(
            actor=actor, action="callback.retried", subject=subject, details={"count": retried}
        )
        await ctx.db.transact(lambda tx: record(tx, entry))
    return retried


async def discard_callback(tx: Tx, actor: Actor, callback_id: int) -> None:
    """Delete a parked callback for good."""
    found = await callbacks.load(tx, callback_id)
    await callbacks.delete(tx, [callback_id])
    entry = Entry(
        actor=actor,
        action="callback.discarded",
        subject=str(callback_id),
        details={"reason": found.reason},
    )
    await record(tx, entry)
