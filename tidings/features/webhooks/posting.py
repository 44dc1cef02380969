"""The deliveries of this process: posts to each destination, as many at once as its limit allows,
and what became of them, handed to the record lane.

A `Round` is the deliveries of one handler call. They wait in their `Destination` together with
those of other rounds; after WEBHOOK_ROUND_MAX a round withdraws what has not been posted yet.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec
import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine.http.outbound.client import Fault, Posted
from tidings.engine.queue import Job, Partition
from tidings.engine.queue.concurrency import ConcurrencyLimiter, PartitionLimit
from tidings.features.accounts import credentials

from . import rules
from .destinations import authority
from .order import Order
from .publish import POOL
from .record import Outcome
from .spans import PostSpan
from .store import Webhook

DESTINATIONS_KEPT = 1000  # beside those that are being posted to
ROUND = limits.WEBHOOK_ROUND_MAX.total_seconds()
INTERRUPTED = Posted(status=None, error=Fault.CONNECTION_FAILED, ms=0)


log = structlog.get_logger()


class Delivery(msgspec.Struct, frozen=True):
    """A webhook, its URL, and the secrets that sign it."""

    job: Job
    webhook: Webhook
    url: str
    secrets: credentials.SigningSecrets
    earlier: frozenset[str] = frozenset()  # webhooks of its message that are attempted before it


@dataclass(slots=True, eq=False)
class Posting:
    """A delivery on its way."""

    delivery: Delivery
    round: "Round"
    is_started: bool = False
    is_withdrawn: bool = False


class Round:
    """The deliveries of one handler call; all have ended when `run` returns."""

    def __init__(self, deliveries: Sequence[Delivery]) -> None:
        self.postings = [Posting(delivery, self) for delivery in deliveries]
        self.open = set(self.postings)
        self._errors: list[BaseException] = []
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self, posting: Posting, error: BaseException | None = None) -> None:
        self.open.discard(posting)
        if error is not None:
            self._errors.append(error)
        if not self.open and not self._ended.done():
            self._ended.set_result(None)

    async def run(self, withdraw: Callable[[list[Posting]], Awaitable[None]]) -> None:
        """`withdraw` releases what could not be posted in time."""
        try:
            await asyncio.wait({self._ended}, timeout=ROUND)
            left = self._withdraw()
            if left:
                await withdraw(left)
                for posting in left:
                    self.end(posting)
            await asyncio.wait({self._ended})
        finally:
            self._withdraw()
        if self._errors:
            raise self._errors[0]

    def _withdraw(self) -> list[Posting]:
        left = [posting for posting in self.open if not posting.is_started]
        for posting in left:
            posting.is_withdrawn = True
        return left


@dataclass(slots=True)
class Destination:
    """Posts to one destination, made by as many tasks as its limit allows."""

    ctx: Context
    limiter: ConcurrencyLimiter
    limit: PartitionLimit
    order: Order[Posting]
    waiting: deque[Posting] = field(default_factory=deque)
    posters: set[asyncio.Task[None]] = field(default_factory=set)
    posting: dict[asyncio.Task[None], Posting] = field(default_factory=dict)  # what each posts now
    outcomes: list[tuple[Posting, Outcome]] = field(default_factory=list)  # to be recorded
    recorder: asyncio.Task[None] | None = None

    def put(self, posting: Posting) -> None:
        self.waiting.append(posting)
        self._start_posters()

    @property
    def is_idle(self) -> bool:
        return not self.posters and (self.recorder is None or self.recorder.done())

    def _start_posters(self) -> None:
        """One for each that waits, besides those that are busy with another."""
        starting = len(self.posters) - len(self.posting)
        for _ in range(min(self.limit.window - self.limit.running, len(self.waiting) - starting)):
            self.limit.running += 1
            task = asyncio.create_task(self._post_all())
            self.posters.add(task)
            task.add_done_callback(self._poster_done)

    def _poster_done(self, task: asyncio.Task[None]) -> None:
        self.limit.running -= 1
        self.posters.discard(task)
        posting = self.posting.pop(task, None)
        if posting is not None:  # it raised, or was cancelled
            self._lose(posting, _error(task))
        self._start_posters()

    async def _post_all(self) -> None:
        """One post after another, until none is left or the destination has lost this slot."""
        task = asyncio.current_task()
        assert task is not None
        while self.waiting and self.limit.running <= self.limit.window:
            posting = self.waiting.popleft()
            if posting.is_withdrawn:
                continue
            posting.is_started, self.posting[task] = True, posting
            outcome = await self._deliver(posting.delivery)
            del self.posting[task]
            self._record_later(posting, outcome)
            self._start_posters()

    async def _deliver(self, delivery: Delivery) -> Outcome:
        job = delivery.job
        if job.crashes:
            # A worker crashed during the attempt before this claim: record that attempt as failed.
            self.limit.endpoint_failed(delivery.url)
            return Outcome(job, delivery.webhook, INTERRUPTED, job.attempts - 1)
        now, metrics = self.ctx.clock.now(), self.ctx.metrics
        timestamp = int(now.timestamp())
        if job.attempts == 1 and job.due_at is not None:  # it was due when its event happened
            delay = (now - job.due_at).total_seconds()
            metrics.webhook_delay_seconds.observe(max(0.0, delay))
        tracer = self.ctx.tracer
        span = None
        if tracer is not None:
            span = PostSpan(tracer, delivery.webhook, delivery.url, job.attempts)
        posted = await _post(self.ctx, delivery, timestamp, span)
        if span is not None:
            span.ended(posted)
        outcome = "success" if rules.is_success(posted.status) else "failure"
        metrics.webhook_post_seconds.observe(posted.ms / 1000, (outcome,))
        was_throttled = self.limit.is_throttled
        if not rules.is_success(posted.status):
            self.limit.failed(answered=posted.error is None)
            self.limit.endpoint_failed(delivery.url)
            if self.limit.is_throttled and not was_throttled:
                host = authority(delivery.url)
                log.warning("destination.throttled", account=job.account_id, host=host)
            return Outcome(job, delivery.webhook, posted, job.attempts, timestamp)
        self.limit.succeeded(posted.ms / 1000)
        if was_throttled:
            host = authority(delivery.url)
            log.info("destination.recovered", account=job.account_id, host=host)
        recovered = self.limit.endpoint_succeeded(delivery.url)
        return Outcome(job, delivery.webhook, posted, job.attempts, timestamp, recovered)

    def _record_later(self, posting: Posting, outcome: Outcome) -> None:
        self.outcomes.append((posting, outcome))
        if self.recorder is None or self.recorder.done():
            self.recorder = asyncio.create_task(self._record())

    async def _record(self) -> None:
        while self.outcomes:
            batch, self.outcomes = self.outcomes, []
            outcomes = [outcome for _, outcome in batch]
            recording = asyncio.ensure_future(self.ctx.lanes.deliver.put(outcomes))
            await asyncio.wait({recording})
            failed = recording.cancelled() or recording.exception() is not None
            for posting, outcome in batch:
                if failed:
                    self._lose(posting, _error(recording))
                else:
                    self._recorded(posting, outcome)

    def _recorded(self, posting: Posting, outcome: Outcome) -> None:
        self.limiter.release(outcome.job.key)
        posting.round.end(posting)
        for freed in self.order.attempted(outcome.webhook.id):
            self.ctx.deliveries.start(freed)

    def _lose(self, posting: Posting, error: BaseException | None) -> None:
        """Its lease is left to expire, as after a crash."""
        self.order.left(posting.delivery.webhook.id)
        posting.round.end(posting, error)


def _error(task: asyncio.Future[None]) -> BaseException | None:
    return None if task.cancelled() else task.exception()


class Deliveries:
    """All of them, by destination."""

    def __init__(self, ctx: Context) -> None:
        self.order: Order[Posting] = Order()
        self._ctx = ctx
        self._destinations: dict[Partition, Destination] = {}

    async def run(
        self,
        deliveries: Sequence[Delivery],
        release: Callable[[Context, list[Job]], Awaitable[None]],
    ) -> None:
        """Post all of these, which have entered `order`, and record the outcomes; `release` what
        could not be posted in time."""

        async def withdraw(left: list[Posting]) -> None:
            for posting in left:
                self.order.give_up(posting)
            self.leave([posting.delivery for posting in left])
            await release(self._ctx, [posting.delivery.job for posting in left])

        one_round = Round(deliveries)
        for posting in one_round.postings:
            earlier = posting.delivery.earlier
            if not earlier or not self.order.must_wait(posting, earlier):
                self.start(posting)
        await one_round.run(withdraw)

    def leave(self, deliveries: Iterable[Delivery]) -> None:
        """They are not posted after all."""
        for delivery in deliveries:
            self.order.left(delivery.webhook.id)

    def start(self, posting: Posting) -> None:
        if not posting.is_withdrawn:
            self._destination(posting.delivery).put(posting)

    def _destination(self, delivery: Delivery) -> Destination:
        partition, limiter = delivery.job.partition, self._ctx.limiters[POOL]
        limit = limiter.limit(partition)
        found = self._destinations.get(partition)
        if found is None or found.limit is not limit:  # the limiter forgets idle partitions
            self._forget_idle()
            found = Destination(self._ctx, limiter, limit, self.order)
            self._destinations[partition] = found
        limiter.set_host(limit, authority(delivery.url))
        return found

    def _forget_idle(self) -> None:
        if len(self._destinations) >= DESTINATIONS_KEPT:
            busy = {key: one for key, one in self._destinations.items() if not one.is_idle}
            self._destinations = busy


async def _post(ctx: Context, delivery: Delivery, timestamp: int, span: PostSpan | None) -> Posted:
    webhook, (current, previous) = delivery.webhook, delivery.secrets
    headers = rules.signed_headers(
        webhook.id,
        webhook.body,
        attempt=delivery.job.attempts,
        timestamp=timestamp,
        secret=current.reveal(),
        previous=previous.reveal() if previous else None,
    )
    if span is not None:
        headers |= span.headers
    timeout = limits.WEBHOOK_RESPONSE_TIMEOUT
    tenant = delivery.job.account_id
    return await ctx.outbound.post(
        delivery.url, webhook.body, headers, timeout=timeout, tenant=tenant
    )
