"""The composition root: settings -> context -> HTTP app and workers. The only file that sees all.

`Service` is all of Tidings in one process; `process.py` runs it until a signal stops it.
"""

import asyncio
import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any, Self
from uuid import UUID

from tidings import __version__, limits, operations, routes
from tidings.clock import Clock
from tidings.context import Context
from tidings.engine.budget import Budget
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database
from tidings.engine.documents import Documents
from tidings.engine.http.application import Application
from tidings.engine.http.client_address import Proxies
from tidings.engine.http.intake import IntakeLimits
from tidings.engine.http.outbound.client import Outbound
from tidings.engine.http.outbound.resolver import Resolve, resolve_by_system
from tidings.engine.idle import when_idle
from tidings.engine.keyed_semaphore import KeyedSemaphore
from tidings.engine.metrics import Metrics
from tidings.engine.metrics.processes import Processes, ProcessInfo
from tidings.engine.objects import Objects, ObjectsUnavailable
from tidings.engine.passwords import Passwords
from tidings.engine.peers import Peers
from tidings.engine.queue.concurrency import ConcurrencyLimiter
from tidings.engine.queue.executor import Executor
from tidings.engine.queue.handover import LocalWorkers
from tidings.engine.queue.notifications import JOBS, Notifier
from tidings.engine.queue.periodic import PeriodicTask, repeat
from tidings.engine.queue.worker import Worker
from tidings.engine.rate import MemoryRate, Rate, SharedRate
from tidings.engine.traces.start import NotInstalled, require_installed
from tidings.engine.traces.start import start as start_tracer
from tidings.engine.traces.tracer import Tracer
from tidings.engine.vault import Vault
from tidings.features.accounts.authenticate import Authenticator
from tidings.features.accounts.changes import ALL, CHANNEL, EVERY_ACCOUNT, NO_ACCOUNT
from tidings.features.accounts.lookup import find_stopped
from tidings.features.accounts.master_key import load_sealer, require_same_master_key
from tidings.features.callbacks.forward import answer as answer_peers
from tidings.features.links.follow import Follower
from tidings.features.media.platform_files import UploadedFiles
from tidings.features.operation import gauges
from tidings.features.operation.health_record import EVERY, HealthRecorder
from tidings.features.replies.reading.lexicon import make_ready
from tidings.features.replies.second_opinion.reader import open_reader
from tidings.features.requests.assistants import record_act
from tidings.features.requests.recorder import Recorder
from tidings.features.senders.sync import put_all as put_sync_of_all
from tidings.features.webhooks.posting import Deliveries
from tidings.features.webhooks.publish import FEED
from tidings.jobs import POOLS, kinds, periodic, pools
from tidings.lanes import Lanes
from tidings.platforms.port import Platform
from tidings.platforms.sandbox.platform import Sandbox
from tidings.platforms.whatsapp.adapter import WhatsApp
from tidings.platforms.whatsapp.client import Graph
from tidings.setting_values import Rate as RatePlace
from tidings.settings import BadSetting, Settings

# Connections to the platform beside the workers' sends: single messages and passcodes.
SENDS_RESERVED = limits.PLATFORM_SENDS_MAX - limits.SEND_SLOTS
CONNECTIONS_RESERVED = limits.PLATFORM_CONNECTIONS_MAX - limits.SEND_SLOTS
ALL_ROLES = frozenset({"api", "worker", "portal"})


class Service:
    """Everything of one process, started and stopped in order."""

    def __init__(self, ctx: Context, roles: frozenset[str] = ALL_ROLES) -> None:
        self.ctx = ctx
        self.roles = roles
        self.authenticator = Authenticator(ctx.db, ctx.clock)
        self.workers = self._build_workers() if "worker" in roles else {}
        self.notifier = Notifier(ctx.db, {CHANNEL: self._forget, JOBS: self._wake_named})
        self.recorder = Recorder(ctx.db, ctx.metrics)
        self.shell = self._build_shell([*routes.API, *routes.EXTENSIONS], ctx.tracer)
        self.operator = self._build_shell(operations.OPERATOR)
        self._health = HealthRecorder(ctx, roles)
        gauges.prepare(ctx)
        ctx.metrics.registry.register(Processes(__version__, self._find_process))
        self._accounts_changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._working: list[asyncio.Task[None]] = []
        self._stopping_since: float | None = None  # by the monotonic clock
        ctx.accounts_changed = self.authenticator.forget
        ctx.db.on_commit(self._wake)

    @classmethod
    async def open(
        cls,
        settings: Settings,
        db: Database,
        *,
        clock: Clock,
        roles: frozenset[str] = ALL_ROLES,
        platforms: Mapping[str, Platform] | None = None,
        outbound: Outbound | None = None,
        metrics: Metrics | None = None,
        peers: Peers | None = None,
    ) -> Self:
        objects, metrics = open_objects(settings), metrics or Metrics()
        graph = open_graph(settings)
        stopped: set[str] = set()
        live = WhatsApp(
            graph,
            UploadedFiles(db, objects),
            clock,
            stopped=stopped,
            concurrency=settings.sends_at_once + SENDS_RESERVED,
        )
        ctx = Context(
            settings=settings,
            clock=clock,
            db=db,
            sealer=load_sealer(settings),
            outbound=outbound or open_outbound(settings, clock),
            platforms=platforms or {"sandbox": Sandbox(), "live": live},
            graph=graph,
            metrics=metrics,
            peers=peers or Peers(),
            tracer=_start_tracer(settings, clock, metrics, roles),
            objects=objects,
            stopped=stopped,
            vault=Vault(settings.data / "vault-keys", clock),
            follower=Follower(db, clock),
            reader=open_reader(settings, clock),
            event_kinds={kind.name: kind for kind in routes.EVENTS},
            pools=POOLS,
            media_streams=Budget(settings.media_streams),
            batch_writes=KeyedSemaphore(settings.batches_written_at_once),
            limiters={
                one.name: ConcurrencyLimiter(one.limits) for one in pools(settings) if one.limits
            },
            passwords=Passwords(settings.passwords_at_once),
            documents=Documents(settings.documents_at_once),
        )
        await db.transact(lambda tx: require_same_master_key(tx, ctx.sealer))
        ctx.deliveries = Deliveries(ctx)
        ctx.lanes = Lanes(ctx)
        ctx.job_kinds = kinds(ctx)
        ctx.clock_executor = Executor(ctx.job_kinds, db, ctx.metrics)
        return cls(ctx, roles)

    def _build_workers(self) -> dict[str, Worker]:
        ctx = self.ctx
        shared = (ctx.job_kinds, ctx.db, ctx.clock, ctx.metrics)
        return {
            pool.name: Worker(pool, *shared, ctx.limiters.get(pool.name))
            for pool in pools(ctx.settings)
        }

    def _build_shell(self, table: list[Any], tracer: Tracer | None = None) -> Application:
        ctx = self.ctx
        return Application(
            ctx,
            table,
            authenticate=self.authenticator.authenticate,
            rate=self._rate(),
            clock=ctx.clock,
            docs_url=f"{ctx.settings.public_url}/guide/errors",
            metrics=ctx.metrics,
            unavailable=(*UNAVAILABLE_ERRORS, ObjectsUnavailable),
            proxies=self.intake.proxies,
            large_bytes_max=ctx.settings.large_bodies_mb * limits.MIB,
            record=self.recorder.record,
            audit=record_act,
            tracer=tracer,
            unknown_keys_max=ctx.settings.unknown_keys_per_minute,
        )

    def _find_process(self) -> list[ProcessInfo]:
        """For the metrics of a single process; of several, the supervisor tells."""
        return [ProcessInfo("1", ",".join(sorted(self.roles)), os.getpid())]

    @property
    def intake(self) -> IntakeLimits:
        """The limits of the public listener."""
        settings = self.ctx.settings
        proxies = Proxies(settings.trusted_proxies or ())
        return IntakeLimits(
            connections_max=settings.connections,
            connections_per_address_max=settings.connections_per_address,
            keep_alive=timedelta(seconds=settings.keep_alive_seconds),
            body_timeout=timedelta(seconds=settings.body_seconds),
            drain=timedelta(seconds=settings.drain_seconds),
            proxies=proxies,
            docs_url=f"{settings.public_url}/guide/errors",
        )

    def _rate(self) -> Rate:
        ctx = self.ctx
        if ctx.settings.counts_rates_in is RatePlace.MEMORY:
            return MemoryRate(ctx.clock)
        blind = ctx.metrics.rate_blind.inc
        return SharedRate(ctx.db, unavailable=UNAVAILABLE_ERRORS, on_blind=blind)

    def start(self) -> None:
        """Start the background tasks."""
        background = [self.notifier.run(), self._refresh_accounts(), when_idle(make_ready)]
        background += [repeat(task) for task in self._of_every_process()]
        if self.workers:
            background += [repeat(task) for task in periodic(self.ctx)]
            background.append(self._read_platform())
        self._tasks = [asyncio.create_task(work) for work in background]
        self._working = [asyncio.create_task(worker.run()) for worker in self.workers.values()]
        self.ctx.db.of_process(LocalWorkers).by_pool.update(self.workers)
        self.ctx.is_ready = True

    def _of_every_process(self) -> list[PeriodicTask]:
        return [
            PeriodicTask("keys.used", timedelta(seconds=1), self.authenticator.note_use),
            PeriodicTask("clock", limits.CLOCK_COMPARED_EVERY, self.ctx.db.follow_clock),
            PeriodicTask("health.record", EVERY, self._health.tick),
            PeriodicTask("metrics", timedelta(seconds=1), self._flush_metrics),
            PeriodicTask("requests", limits.REQUEST_LOG_FLUSHED_EVERY, self.recorder.flush),
        ]

    async def _flush_metrics(self) -> None:
        self.ctx.metrics.flush()

    async def listen_to_peers(self) -> None:
        """Handle what other processes of this machine hand over."""
        await self.ctx.peers.listen(partial(answer_peers, self.ctx))

    def begin_stop(self) -> None:
        """Claim no more jobs: those that run are finished while the last requests are answered, so
        that one time limit holds for both. Long polls end at once."""
        self.ctx.is_ready = False
        self._stopping_since = self._stopping_since or self.ctx.clock.monotonic()
        for worker in self.workers.values():
            worker.stop()

    async def stop(self) -> None:
        """Finish running jobs, close. Unclaimed jobs stay in the database."""
        self.begin_stop()
        await self._drain()
        await self.ctx.lanes.idle()
        for worker in self.workers.values():
            await worker.executor.released()
        await self.ctx.peers.close()
        await self.ctx.follower.idle()
        tasks = [*self._tasks, *self._working]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(*UNAVAILABLE_ERRORS):
            await self._health.end()
            await self.recorder.flush()
        await self.ctx.outbound.close()
        await self.ctx.graph.close()
        if self.ctx.reader is not None:
            await self.ctx.reader.close()
        self.ctx.metrics.flush()
        if self.ctx.tracer is not None:
            await asyncio.to_thread(self.ctx.tracer.close)

    async def _drain(self) -> None:
        """Wait for running jobs: the outcome of an interrupted send would be unknown. Webhooks are
        waited for only briefly, because their receivers may be slow and a post can be repeated."""
        clock = self.ctx.clock
        ends_at = (self._stopping_since or clock.monotonic()) + self.ctx.settings.drain_seconds
        working = dict(zip(self._working, self.workers.values(), strict=False))
        interruptible = {task for task, worker in working.items() if worker.pool.interruptible}
        await _wait(set(working) | self.ctx.clock_executor.tasks, limits.SHUTDOWN_POSTS)
        left = timedelta(seconds=max(0.0, ends_at - clock.monotonic()))
        await _wait(set(working) - interruptible, left)
        for worker in self.workers.values():
            worker.executor.cancel()

    def _wake(self, pools: set[str]) -> None:
        for pool in pools & self.workers.keys():
            self.workers[pool].wake()
        elsewhere = pools - self.workers.keys() - {FEED}
        if elsewhere:
            self.notifier.notify(elsewhere)

    def _wake_named(self, payload: str) -> None:
        for pool in set(payload.split(",")) & self.workers.keys():
            self.workers[pool].wake()

    def _forget(self, payload: str) -> None:
        self._accounts_changed.set()
        self.authenticator.forget(None if payload == ALL else [UUID(payload)])

    async def _read_platform(self) -> None:
        """Sync numbers and templates of live accounts at startup; later syncs are jobs."""
        with suppress(*UNAVAILABLE_ERRORS):
            await self.ctx.db.transact(put_sync_of_all)

    async def _refresh_accounts(self) -> None:
        """On every notification, and every second in case one was lost."""
        pending = EVERY_ACCOUNT
        while True:
            self._accounts_changed.clear()
            with suppress(*UNAVAILABLE_ERRORS):
                pending |= await self.authenticator.refresh()
                if pending.account_ids is None:
                    self.ctx.sealer.reload()  # a rotation of the master key announces itself so
                await self._refresh_stopped(pending.account_ids)
                pending = NO_ACCOUNT
            with suppress(TimeoutError):
                async with asyncio.timeout(limits.QUEUE_IDLE_WAIT.total_seconds()):
                    await self._accounts_changed.wait()

    async def _refresh_stopped(self, account_ids: Collection[UUID] | None) -> None:
        """None: of all accounts."""
        if account_ids is not None and not account_ids:
            return
        found = await self.ctx.db.transact(lambda tx: find_stopped(tx, account_ids))
        if account_ids is None:
            self.ctx.stopped.clear()
        else:
            self.ctx.stopped.difference_update(one.hex for one in account_ids)
        self.ctx.stopped.update(one.hex for one in found)


async def _wait(tasks: set[asyncio.Task[None]], longest: timedelta) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=longest.total_seconds())


def require_tracing(settings: Settings) -> None:
    """Before anything is started: what TIDINGS_OTLP_URL needs is an extra."""
    if settings.otlp_url is not None:
        try:
            require_installed()
        except NotInstalled as reason:
            needs = "TIDINGS_OTLP_URL needs the extra traces: pip install 'tidings[traces]'"
            raise BadSetting(f"{needs} ({reason}).") from None


def _start_tracer(
    settings: Settings, clock: Clock, metrics: Metrics, roles: frozenset[str]
) -> Tracer | None:
    if settings.otlp_url is None:
        return None
    require_tracing(settings)
    return start_tracer(
        settings.otlp_url,
        percent=settings.otlp_percent,
        clock=clock,
        counter=metrics.trace_spans,
        roles=sorted(roles),
    )


def open_graph(settings: Settings) -> Graph:
    return Graph(
        settings.graph_url,
        settings.graph_version,
        timeout=timedelta(seconds=settings.platform_seconds),
        connections=settings.sends_at_once + CONNECTIONS_RESERVED,
    )


def open_outbound(
    settings: Settings,
    clock: Clock,
    *,
    own: Iterable[tuple[str, int]] = (),
    resolve: Resolve = resolve_by_system,
) -> Outbound:
    return Outbound(
        clock,
        allow_private=settings.allow_private_webhooks,
        own=own,
        resolve=resolve,
        lookups_max=settings.lookups,
        connections=settings.webhook_posts,
    )


def open_objects(settings: Settings) -> Objects:
    try:
        free_min, folder = settings.disk_free_bytes, settings.data / "objects"
        return Objects.open(settings.objects_url, folder, free_min=free_min)
    except ValueError as reason:
        raise BadSetting(f"TIDINGS_OBJECTS_URL cannot be used: {reason}.") from None
