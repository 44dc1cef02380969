"""Deliver due webhooks: take what is known or load it, post it, record the outcome (6.1).

A webhook that was just published is posted from memory. Claiming a job, or inserting it as leased,
incremented its attempts durably before the post, so that a crash counts as an attempt and there are
never more than six. Posts are made with no transaction open (`posting.py`).
"""

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.errors import CONTENTION_ERRORS
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts import credentials
from tidings.features.accounts.lookup import load_accounts

from . import store
from .posting import Delivery
from .publish import POOL, Fresh

# A job that waited longer to be loaded is not posted: the post must end well within the lease.
LOADED_WITHIN = (limits.JOB_LEASE - 3 * limits.WEBHOOK_RESPONSE_TIMEOUT).total_seconds()


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `webhook.deliver`, for jobs of one destination. When it returns, all of them
    are recorded or released."""
    deliveries = _known(ctx, jobs)
    known = {delivery.job.key for delivery in deliveries}
    others = [job for job in jobs if job.key not in known]
    if others:
        try:
            deliveries += await _load_in_time(ctx, others)
        except BaseException:  # all leases are left to expire
            ctx.deliveries.leave(deliveries)
            raise
    if deliveries:
        await ctx.deliveries.run(deliveries, release)


def _known(ctx: Context, jobs: list[Job]) -> list[Delivery]:
    """Webhooks that were just published, unless one before them is posted elsewhere."""
    order, secrets = ctx.deliveries.order, None
    found: list[Delivery] = []
    for job in jobs:
        fresh = job.memo
        if isinstance(fresh, Fresh) and order.is_known(fresh.earlier):
            if secrets is None:  # all are of one account
                secrets = credentials.open_secrets(ctx.sealer, fresh.secrets, ctx.clock.now())
            order.enter(job.subject)  # the next may be of the same message
            found.append(Delivery(job, fresh.webhook, fresh.url, secrets, fresh.earlier))
    return found


async def _load_in_time(ctx: Context, jobs: list[Job]) -> list[Delivery]:
    started = ctx.clock.monotonic()
    try:
        deliveries = await ctx.lanes.load.put(jobs)
    except CONTENTION_ERRORS:
        await release(ctx, jobs)
        return []
    if ctx.clock.monotonic() - started > LOADED_WITHIN:
        ctx.deliveries.leave(deliveries)
        await release(ctx, [delivery.job for delivery in deliveries])
        return []
    return deliveries


async def load(ctx: Context, batches: list[list[Job]]) -> list[list[Delivery] | Exception]:
    """The work of the load lane: what is to be posted of each batch of jobs."""
    loaded = await ctx.db.transact(lambda tx: _load(ctx, tx, batches))
    for deliveries in loaded:
        for delivery in deliveries:
            ctx.deliveries.order.enter(delivery.webhook.id)
    return [*loaded]


async def _load(ctx: Context, tx: Tx, batches: list[list[Job]]) -> list[list[Delivery]]:
    jobs = [job for batch in batches for job in batch]
    webhooks = await store.load(tx, [(job.account_id, job.subject) for job in jobs])
    earlier = await store.find_unattempted(
        tx, {(one.account_id, one.message_id) for one in webhooks.values() if one.message_id}
    )
    accounts = sorted({job.account_id for job in jobs})
    secrets = await credentials.signing_secrets(tx, ctx.sealer, accounts)
    obsolete: list[Job] = []
    too_early: list[Job] = []
    loaded: list[list[Delivery]] = []
    for batch in batches:
        deliveries = []
        for job in batch:
            webhook = webhooks.get(job.subject)
            if webhook is None or webhook.state != "pending" or webhook.url is None:
                obsolete.append(job)
                continue
            before = _before(job, webhook, earlier)
            if ctx.deliveries.order.is_known(before - webhooks.keys()):
                signing = secrets[job.account_id]
                deliveries.append(Delivery(job, webhook, webhook.url, signing, before))
            else:
                too_early.append(job)
        loaded.append(deliveries)
    if obsolete:
        # Delivered already, or the URL was removed since: then they stay in the catch-up feed.
        await store.keep_waiting(tx, [(job.account_id, job.subject) for job in obsolete])
        await queue.complete(tx, obsolete)
    later = tx.now + limits.WEBHOOK_ORDER_WAIT
    waits = [queue.Reschedule(job, later, job.clock, count_attempt=False) for job in too_early]
    await queue.reschedule(tx, waits)
    tx.after_commit(lambda: _free_slots(ctx, obsolete + too_early))
    return loaded


def _free_slots(ctx: Context, jobs: list[Job]) -> None:
    """Of jobs that end before the handler call which got them."""
    for job in jobs:
        ctx.limiters[POOL].release(job.key)


def _before(job: Job, webhook: store.Webhook, earlier: store.Unattempted) -> frozenset[str]:
    """The webhooks of its message that have to be attempted before its own first attempt."""
    if job.attempts > 1 or webhook.message_id is None:
        return frozenset()
    of_message = earlier.get((webhook.account_id, webhook.message_id), {})
    return frozenset(one for one, seq in of_message.items() if seq < webhook.seq)


async def release(ctx: Context, jobs: list[Job]) -> None:
    """Put jobs that were not posted back into the queue, with their old due time."""

    async def work(tx: Tx) -> None:
        released = [
            queue.Reschedule(job, job.due_at or tx.now, job.clock, count_attempt=False)
            for job in jobs
        ]
        await queue.reschedule(tx, released)
        tx.wake(POOL)

    await ctx.db.transact_patiently(work)
    _free_slots(ctx, jobs)


async def on_dead_letter(ctx: Context, jobs: list[Job]) -> None:
    """List the webhooks of jobs that kept crashing workers as failed."""

    async def work(tx: Tx) -> None:
        accounts = await load_accounts(tx, {job.account_id for job in jobs})
        await store.give_up(
            tx,
            [((job.account_id, job.subject), accounts[job.account_id].now(tx.now)) for job in jobs],
        )

    await ctx.db.transact(work)
