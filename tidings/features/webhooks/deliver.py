"""Deliver due webhooks: load a batch, post each, hand on what came of it (6.1).

Claiming a job raised its attempt count durably before the post, so that a crash counts as an
attempt and there are never more than six. The posts are made with no transaction open, as many at
once as the line has slots (engine/turns.py).
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from uuid import UUID

import msgspec

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.http.outbound.client import Fault, Posted
from tidings.engine.queue import Job
from tidings.engine.queue.concurrency import Line
from tidings.features.accounts import rotate
from tidings.features.accounts.lookup import load_accounts

from . import rules, store
from .destinations import authority
from .record import Outcome
from .store import Webhook

ROUND = limits.WEBHOOK_ROUND_MAX.total_seconds()
# A job that waited longer to be loaded is not posted: the post must end well within the lease.
LOADED_WITHIN = (limits.JOB_LEASE - 3 * limits.WEBHOOK_RESPONSE_TIMEOUT).total_seconds()

INTERRUPTED = Posted(status=None, error=Fault.CONNECTION_FAILED, ms=0)


class Delivery(msgspec.Struct, frozen=True):
    """A webhook, where it goes, and what signs it."""

    job: Job
    webhook: Webhook
    url: str
    secrets: rotate.SigningSecrets


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `webhook.deliver`. All jobs have ended or gone back when it returns."""
    began = ctx.clock.monotonic()
    deliveries = await ctx.lanes.load.put(jobs)
    if ctx.clock.monotonic() - began > LOADED_WITHIN:
        await release(ctx, jobs)
        return
    lines: dict[tuple[UUID, int], list[Delivery]] = {}
    for delivery in deliveries:
        lines.setdefault((delivery.job.account_id, delivery.job.priority), []).append(delivery)
    rounds = []
    for key, same in lines.items():
        line = ctx.webhook_limiter.line(key)
        ctx.webhook_limiter.lead(line, authority(same[0].url))
        rounds.append(_Round(ctx, line, deque(same)).run())
    await asyncio.gather(*rounds)


async def load(ctx: Context, batches: list[list[Job]]) -> list[list[Delivery] | Exception]:
    """The work of the load lane: what is to be posted of each batch of jobs."""
    return await ctx.db.transact(lambda tx: _load(ctx, tx, batches))


async def _load(ctx: Context, tx: Tx, batches: list[list[Job]]) -> list[list[Delivery] | Exception]:
    jobs = [job for batch in batches for job in batch]
    webhooks = await store.load(tx, [(job.account_id, job.subject) for job in jobs])
    accounts = sorted({job.account_id for job in jobs})
    secrets = await rotate.signing_secrets(tx, ctx.sealer, accounts)
    set_aside: list[Job] = []
    loaded: list[list[Delivery] | Exception] = []
    for batch in batches:
        deliveries = []
        for job in batch:
            webhook = webhooks.get(job.subject)
            if webhook is None or webhook.state != "pending" or webhook.url is None:
                set_aside.append(job)
            else:
                deliveries.append(Delivery(job, webhook, webhook.url, secrets[job.account_id]))
        loaded.append(deliveries)
    if set_aside:
        # Settled already, or the address was taken away since: then they wait in the feed.
        await store.keep_waiting(tx, [(job.account_id, job.subject) for job in set_aside])
        await queue.complete(tx, set_aside)
    return loaded


@dataclass(slots=True)
class _Round:
    """Posts of one line, made by as many runners as it has slots."""

    ctx: Context
    line: Line
    waiting: deque[Delivery]
    runners: set[asyncio.Task[None]] = field(default_factory=set)
    ended: list[Outcome] = field(default_factory=list)
    recorder: asyncio.Task[None] | None = None
    faults: list[BaseException] = field(default_factory=list)

    async def run(self) -> None:
        self._start_runner()
        self._start_runners()
        begun = asyncio.create_task(asyncio.sleep(ROUND))
        while self.runners and not begun.done():
            await asyncio.wait({*self.runners, begun}, return_when=asyncio.FIRST_COMPLETED)
        begun.cancel()
        if self.waiting:
            left = [delivery.job for delivery in self.waiting]
            self.waiting.clear()
            await release(self.ctx, left)
        while self.runners:
            await asyncio.wait(self.runners)
        if self.recorder is not None:
            await asyncio.wait({self.recorder})
        if self.faults:
            raise self.faults[0]

    def _start_runners(self) -> None:
        while self.line.running < self.line.window and len(self.runners) < len(self.waiting):
            self._start_runner()

    def _start_runner(self) -> None:
        self.line.running += 1
        task = asyncio.create_task(self._post_all())
        self.runners.add(task)
        task.add_done_callback(self._runner_ended)

    def _runner_ended(self, task: asyncio.Task[None]) -> None:
        self.line.running -= 1
        self.runners.discard(task)
        self._watch(task)

    def _watch(self, task: asyncio.Task[None]) -> None:
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            self.faults.append(fault)

    async def _post_all(self) -> None:
        """One post after another, until there are none or the line has lost this slot."""
        while self.waiting:
            self._note(await self._deliver(self.waiting.popleft()))
            if self.line.running > self.line.window and len(self.runners) > 1:
                return
            self._start_runners()

    async def _deliver(self, delivery: Delivery) -> Outcome:
        job = delivery.job
        if job.crashes:
            # A worker died during the attempt before this claim. It counts, its wait is kept.
            self.line.target_failed(delivery.url)
            return Outcome(job, delivery.webhook, INTERRUPTED, job.attempts - 1)
        posted = await _post(self.ctx, delivery)
        if not rules.is_success(posted.status):
            self.line.failed(answered=posted.error is None)
            self.line.target_failed(delivery.url)
            return Outcome(job, delivery.webhook, posted, job.attempts)
        self.line.succeeded(posted.ms / 1000)
        recovered = self.line.target_succeeded(delivery.url)
        return Outcome(job, delivery.webhook, posted, job.attempts, url_recovered=recovered)

    def _note(self, outcome: Outcome) -> None:
        self.ended.append(outcome)
        if self.recorder is None or self.recorder.done():
            self.recorder = asyncio.create_task(self._record())
            self.recorder.add_done_callback(self._watch)

    async def _record(self) -> None:
        while self.ended:
            batch, self.ended = self.ended, []
            await self.ctx.lanes.deliver.put(batch)
            for outcome in batch:
                self.ctx.webhook_limiter.done(outcome.job.id)


async def _post(ctx: Context, delivery: Delivery) -> Posted:
    webhook, (current, previous) = delivery.webhook, delivery.secrets
    headers = rules.signed_headers(
        webhook.id,
        webhook.body,
        attempt=delivery.job.attempts,
        timestamp=int(ctx.clock.now().timestamp()),
        secret=current.reveal(),
        previous=previous.reveal() if previous else None,
    )
    timeout = limits.WEBHOOK_RESPONSE_TIMEOUT
    tenant = delivery.job.account_id
    return await ctx.outbound.post(
        delivery.url, webhook.body, headers, timeout=timeout, tenant=tenant
    )


async def release(ctx: Context, jobs: list[Job]) -> None:
    """Their turn has not come after all: they wait in the queue, from where they stood."""

    async def work(tx: Tx) -> None:
        released = [
            queue.Reschedule(job, job.due_at or tx.now, job.clock, count_attempt=False)
            for job in jobs
        ]
        await queue.reschedule(tx, released)

    await ctx.db.transact(work)
    for job in jobs:
        ctx.webhook_limiter.done(job.id)


async def on_dead_letter(ctx: Context, jobs: list[Job]) -> None:
    """Jobs that took worker after worker down: their webhooks are listed as failed."""

    async def work(tx: Tx) -> None:
        accounts = await load_accounts(tx, {job.account_id for job in jobs})
        await store.give_up(
            tx,
            [((job.account_id, job.subject), accounts[job.account_id].now(tx.now)) for job in jobs],
        )

    await ctx.db.transact(work)
