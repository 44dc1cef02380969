"""Deliver due webhooks: load a batch, post each, hand the outcomes to the record lane (6.1).

Claiming a job incremented its attempts durably before the post, so that a crash counts as an
attempt and there are never more than six. Posts are made with no transaction open, as many at once
as the limit of the destination allows (engine/queue/concurrency.py).
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field

import msgspec

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.pool import CONTENTION_ERRORS
from tidings.engine.db.tx import Tx
from tidings.engine.http.outbound.client import Fault, Posted
from tidings.engine.queue import Job
from tidings.engine.queue.concurrency import ConcurrencyLimiter, PartitionLimit
from tidings.features.accounts import credentials
from tidings.features.accounts.lookup import load_accounts

from . import rules, store
from .destinations import authority
from .publish import POOL
from .record import Outcome
from .store import Webhook

ROUND = limits.WEBHOOK_ROUND_MAX.total_seconds()
# A job that waited longer to be loaded is not posted: the post must end well within the lease.
LOADED_WITHIN = (limits.JOB_LEASE - 3 * limits.WEBHOOK_RESPONSE_TIMEOUT).total_seconds()

INTERRUPTED = Posted(status=None, error=Fault.CONNECTION_FAILED, ms=0)


class Delivery(msgspec.Struct, frozen=True):
    """A webhook, its URL, and the secrets that sign it."""

    job: Job
    webhook: Webhook
    url: str
    secrets: credentials.SigningSecrets


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `webhook.deliver`, for jobs of one destination. When it returns, all of them
    are recorded or released."""
    started = ctx.clock.monotonic()
    try:
        deliveries = await ctx.lanes.load.put(jobs)
    except CONTENTION_ERRORS:
        await release(ctx, jobs)
        return
    if ctx.clock.monotonic() - started > LOADED_WITHIN:
        await release(ctx, jobs)
    elif deliveries:
        limiter = ctx.limiters[POOL]
        limit = limiter.limit(jobs[0].partition)
        limiter.set_host(limit, authority(deliveries[0].url))
        await _Round(ctx, limiter, limit, deque(deliveries)).run()


async def load(ctx: Context, batches: list[list[Job]]) -> list[list[Delivery] | Exception]:
    """The work of the load lane: what is to be posted of each batch of jobs."""
    return await ctx.db.transact(lambda tx: _load(ctx, tx, batches))


async def _load(ctx: Context, tx: Tx, batches: list[list[Job]]) -> list[list[Delivery] | Exception]:
    jobs = [job for batch in batches for job in batch]
    webhooks = await store.load(tx, [(job.account_id, job.subject) for job in jobs])
    accounts = sorted({job.account_id for job in jobs})
    secrets = await credentials.signing_secrets(tx, ctx.sealer, accounts)
    obsolete: list[Job] = []
    loaded: list[list[Delivery] | Exception] = []
    for batch in batches:
        deliveries = []
        for job in batch:
            webhook = webhooks.get(job.subject)
            if webhook is None or webhook.state != "pending" or webhook.url is None:
                obsolete.append(job)
            else:
                deliveries.append(Delivery(job, webhook, webhook.url, secrets[job.account_id]))
        loaded.append(deliveries)
    if obsolete:
        # Delivered already, or the URL was removed since: then they stay in the catch-up feed.
        await store.keep_waiting(tx, [(job.account_id, job.subject) for job in obsolete])
        await queue.complete(tx, obsolete)
    return loaded


@dataclass(slots=True)
class _Round:
    """Posts to one destination, made by as many tasks as its limit allows. After WEBHOOK_ROUND_MAX,
    deliveries that are not posted yet are released."""

    ctx: Context
    limiter: ConcurrencyLimiter
    limit: PartitionLimit
    waiting: deque[Delivery]
    posters: set[asyncio.Task[None]] = field(default_factory=set)
    outcomes: list[Outcome] = field(default_factory=list)  # to be recorded
    recorder: asyncio.Task[None] | None = None
    errors: list[BaseException] = field(default_factory=list)

    async def run(self) -> None:
        self._start_poster()
        self._start_posters()
        timeout = asyncio.create_task(asyncio.sleep(ROUND))
        while self.posters and not timeout.done():
            await asyncio.wait({*self.posters, timeout}, return_when=asyncio.FIRST_COMPLETED)
        timeout.cancel()
        if self.waiting:
            left = [delivery.job for delivery in self.waiting]
            self.waiting.clear()
            await release(self.ctx, left)
        while self.posters:
            await asyncio.wait(self.posters)
        if self.recorder is not None:
            await asyncio.wait({self.recorder})
        if self.errors:
            raise self.errors[0]

    def _start_posters(self) -> None:
        while self.limit.running < self.limit.window and len(self.posters) < len(self.waiting):
            self._start_poster()

    def _start_poster(self) -> None:
        self.limit.running += 1
        task = asyncio.create_task(self._post_all())
        self.posters.add(task)
        task.add_done_callback(self._poster_done)

    def _poster_done(self, task: asyncio.Task[None]) -> None:
        self.limit.running -= 1
        self.posters.discard(task)
        self._keep_error(task)

    def _keep_error(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.errors.append(error)

    async def _post_all(self) -> None:
        """One post after another, until none is left or the destination has lost this slot."""
        while self.waiting:
            self._record_later(await self._deliver(self.waiting.popleft()))
            if self.limit.running > self.limit.window and len(self.posters) > 1:
                return
            self._start_posters()

    async def _deliver(self, delivery: Delivery) -> Outcome:
        job = delivery.job
        if job.crashes:
            # A worker crashed during the attempt before this claim: record that attempt as failed.
            self.limit.endpoint_failed(delivery.url)
            return Outcome(job, delivery.webhook, INTERRUPTED, job.attempts - 1)
        timestamp = int(self.ctx.clock.now().timestamp())
        posted = await _post(self.ctx, delivery, timestamp)
        if not rules.is_success(posted.status):
            self.limit.failed(answered=posted.error is None)
            self.limit.endpoint_failed(delivery.url)
            return Outcome(job, delivery.webhook, posted, job.attempts, timestamp)
        self.limit.succeeded(posted.ms / 1000)
        recovered = self.limit.endpoint_succeeded(delivery.url)
        return Outcome(job, delivery.webhook, posted, job.attempts, timestamp, recovered)

    def _record_later(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if self.recorder is None or self.recorder.done():
            self.recorder = asyncio.create_task(self._record())
            self.recorder.add_done_callback(self._keep_error)

    async def _record(self) -> None:
        while self.outcomes:
            batch, self.outcomes = self.outcomes, []
            await self.ctx.lanes.deliver.put(batch)
            for outcome in batch:
                self.limiter.release(outcome.job.id)


async def _post(ctx: Context, delivery: Delivery, timestamp: int) -> Posted:
    webhook, (current, previous) = delivery.webhook, delivery.secrets
    headers = rules.signed_headers(
        webhook.id,
        webhook.body,
        attempt=delivery.job.attempts,
        timestamp=timestamp,
        secret=current.reveal(),
        previous=previous.reveal() if previous else None,
    )
    timeout = limits.WEBHOOK_RESPONSE_TIMEOUT
    tenant = delivery.job.account_id
    return await ctx.outbound.post(
        delivery.url, webhook.body, headers, timeout=timeout, tenant=tenant
    )


async def release(ctx: Context, jobs: list[Job]) -> None:
    """Put jobs that were not posted back into the queue, with their old due time."""

    async def work(tx: Tx) -> None:
        released = [
            queue.Reschedule(job, job.due_at or tx.now, job.clock, count_attempt=False)
            for job in jobs
        ]
        await queue.reschedule(tx, released)

    await ctx.db.transact(work)
    for job in jobs:
        ctx.limiters[POOL].release(job.id)


async def on_dead_letter(ctx: Context, jobs: list[Job]) -> None:
    """List the webhooks of jobs that kept crashing workers as failed."""

    async def work(tx: Tx) -> None:
        accounts = await load_accounts(tx, {job.account_id for job in jobs})
        await store.give_up(
            tx,
            [((job.account_id, job.subject), accounts[job.account_id].now(tx.now)) for job in jobs],
        )

    await ctx.db.transact(work)
