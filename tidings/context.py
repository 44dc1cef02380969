"""What every verb is handed: settings, clock, database, lanes and the outside world.

Made once by `app.py`; in tests with another clock, platform or network. No globals.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings import limits
from tidings.clock import Clock
from tidings.engine.budget import Budget
from tidings.engine.db.pool import Database
from tidings.engine.http.outbound.client import Outbound
from tidings.engine.http.time_slicer import TimeSlicer
from tidings.engine.keyed_semaphore import KeyedSemaphore
from tidings.engine.lane import Lane
from tidings.engine.metrics import Metrics
from tidings.engine.objects import Objects
from tidings.engine.queue import JobKind
from tidings.engine.queue.concurrency import ConcurrencyLimiter
from tidings.engine.vault import Vault
from tidings.platforms.port import Platform
from tidings.platforms.whatsapp.client import Graph
from tidings.secrets import Sealer
from tidings.settings import Settings


@dataclass(slots=True)
class Lanes:
    """The four lanes that are the product (ARCHITECTURE.md)."""

    accept: Lane[Any, Any]  # messages.MessageRequest -> Accepted
    outcome: Lane[Any, Any]  # dispatch: what the platform answered
    ingest: Lane[Any, Any]  # what the platform tells us later
    deliver: Lane[Any, Any]  # what customers answered to our webhooks
    load: Lane[Any, Any]  # webhooks about to be posted
    feedback: Lane[Any, Any]  # feedback.parse.Asked -> Taken: forms that somebody wants sent

    async def idle(self) -> None:
        lanes = (self.accept, self.feedback, self.outcome, self.ingest, self.load, self.deliver)
        for lane in lanes:
            await lane.idle()


@dataclass(slots=True)
class Context:
    settings: Settings
    clock: Clock
    db: Database
    sealer: Sealer
    outbound: Outbound
    platforms: Mapping[str, Platform]  # by environment: sandbox, live
    graph: Graph  # the live platform's own API, for what is not a message
    metrics: Metrics
    objects: Objects  # uploaded files
    vault: Vault  # secrets that must be forgotten
    follower: Any = None  # features.links.follow.Follower: counts the opens of links
    stopped: set[str] = field(default_factory=set)  # accounts (hex) that may not send just now
    called: dict[UUID, datetime] = field(default_factory=dict)  # when callbacks were marked
    media_streams: Budget = field(default_factory=lambda: Budget(limits.INBOUND_MEDIA_STREAMS_MAX))
    webhook_limiter: ConcurrencyLimiter = field(default_factory=ConcurrencyLimiter)
    batch_reads: KeyedSemaphore = field(  # batches being read, by account
        default_factory=lambda: KeyedSemaphore(
            limits.CONNECTIONS_MAX, per_key=limits.BATCHES_PER_ACCOUNT
        )
    )
    time_slicer: TimeSlicer = field(default_factory=TimeSlicer)  # parses large requests
    batch_writes: KeyedSemaphore = field(  # batches being written, by account
        default_factory=lambda: KeyedSemaphore(limits.BATCHES_AT_ONCE)
    )
    clock_runs: set[asyncio.Task[None]] = field(default_factory=set)  # jobs run by sandbox clocks
    lanes: Lanes = field(init=False)
    job_kinds: dict[str, JobKind] = field(default_factory=dict)  # by name, from jobs.py
    event_kinds: Mapping[str, Any] = field(default_factory=dict)  # by name, from routes.py
    pools: tuple[str, ...] = ()  # of workers, from jobs.py
    accounts_changed: Callable[[], None] = lambda: None  # forget what is remembered of accounts
    is_ready: bool = False  # serving, and not stopping
