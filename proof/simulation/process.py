"""A simulated process: all of Tidings on a loop of its own, started, paused, stopped or killed."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import asyncpg

from proof.simulation.database import DatabaseConnection
from proof.simulation.loop import VirtualLoop
from proof.simulation.network import Answer, ServerSide
from proof.simulation.postgresql import Network
from proof.simulation.world import World
from tidings.app import Service
from tidings.engine.db.errors import OUTAGE_ERRORS
from tidings.engine.db.pool import Database
from tidings.engine.http.server import Running, serve
from tidings.platforms.port import Platform
from tidings.portal.front import Front
from tidings.settings import Settings

REQUEST_SECONDS_MAX = 30.0  # then a caller gives up
CONNECTIONS = 6
ROLES = frozenset({"api", "worker"})
_EXITS = (*OUTAGE_ERRORS, OSError, asyncpg.PostgresError, asyncpg.InterfaceError)  # as the CLI does


class ProcessClock:
    """A machine's clock: it may be wrong for a while."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.skew = timedelta(0)

    def now(self) -> datetime:
        return self._world.now() + self.skew

    def monotonic(self) -> float:
        return self._world.elapsed


class Process:
    """One `tidings serve`. A crash leaves nothing of it but what the database has."""

    def __init__(
        self,
        world: World,
        network: Network,
        name: str,
        settings: Settings,
        surroundings: Callable[["Process"], tuple[Mapping[str, Platform], Any]],
    ) -> None:
        self.world, self.network, self.name, self.settings = world, network, name, settings
        self._surroundings = surroundings
        self.clock = ProcessClock(world)
        self.is_alive = self.is_serving = False
        self.starts = 0
        self._paused_until = 0.0
        self._calls: dict[Call, None] = {}  # under way, in their order
        self._graveyard: list[VirtualLoop] = []
        world.processes.append(self)

    # Its life

    def start(self) -> None:
        self.starts += 1
        self.is_alive, self.is_serving = True, False
        self.loop = VirtualLoop(self)
        self._factory: Callable[[], asyncio.BaseProtocol] | None = None
        self._stop: Callable[[], None] = lambda: None
        self.loop.call_soon(self._begin)

    def crash(self, why: str) -> None:
        """kill -9, at once: also in the middle of what it is doing."""
        if not self.is_alive:
            return
        self.world.note(f"{self.name} crashes: {why}")
        self._end()

    def stop(self) -> None:
        """SIGTERM."""
        if self.is_serving:
            self.world.note(f"{self.name} stops")
            self.is_serving = False
            self._stop()
            self.loop.call_soon(self._service.begin_stop)

    def stand_still(self, seconds: float) -> None:
        """SIGSTOP, and SIGCONT later."""
        self._paused_until = self.world.elapsed + seconds
        self.world.note(f"{self.name} stands still for {seconds:.1f} s")
        self.world.after(seconds, lambda: None)

    @property
    def is_paused(self) -> bool:
        return self.world.elapsed < self._paused_until

    def let_run(self) -> bool:
        return self.is_alive and not self.is_paused and self.loop.drain()

    def next_timer(self) -> float | None:
        return self.loop.next_timer() if self.is_alive and not self.is_paused else None

    def _begin(self) -> None:
        self._main = self.loop.create_task(self._run())
        self._main.add_done_callback(self._ended)

    def _ended(self, main: "asyncio.Task[None]") -> None:
        """A program that cannot start says why and exits; whoever watches it starts it again."""
        if self.loop is not main.get_loop() or not self.is_alive:
            return
        reason = main.exception()
        if reason is not None:
            self.world.note(f"{self.name} ends: {reason!r}")
            if not isinstance(reason, _EXITS):
                self.world.problems.append(f"{self.name} ended: {reason!r}")
        self._end()

    async def _run(self) -> None:
        platforms, outbound = self._surroundings(self)
        db = await Database.open(self.network.dsn, self.clock, CONNECTIONS)
        self._service = await Service.open(
            self.settings, db, clock=self.clock, roles=ROLES, platforms=platforms,
            outbound=outbound,
        )  # fmt: skip
        self._service.start()
        await serve(
            Front(self._service),
            intake=self._service.intake,
            sockets=[_Socket()],  # type: ignore[list-item] # nobody listens on it
            ready=self._on_ready,
        )
        await self._service.stop()
        await db.close()

    def _on_ready(self, running: Running) -> None:
        self._stop = running.stop
        self.is_serving = True
        self.world.note(f"{self.name} serves")

    def _end(self) -> None:
        self.is_alive = self.is_serving = False
        self.loop.die()
        self._graveyard.append(self.loop)
        self.network.abandon(self)
        calls, self._calls = self._calls, {}
        for call in calls:
            call.lose()

    # HTTP to it

    def call(self, raw: bytes, done: Callable[[Answer | None], None]) -> None:
        """`done` gets the answer, or None where none came."""
        Call(self, raw, done).begin()

    # What its loop asks of the world

    def time(self) -> float:
        return self.world.elapsed

    def connect(self, protocol: asyncio.BaseProtocol, _path: str) -> DatabaseConnection:
        return self.network.connect(self, self.loop, protocol)

    def listen(self, factory: Callable[[], asyncio.BaseProtocol]) -> None:
        self._factory = factory

    def went_wrong(self, context: dict[str, Any]) -> None:
        self.world.went_wrong(self.name, context)


class _Socket:
    def getsockname(self) -> tuple[str, int]:
        return "192.0.2.2", 80


class Call:
    """One request to a process, and its way there and back."""

    def __init__(self, process: Process, raw: bytes, done: Callable[[Answer | None], None]) -> None:
        self._process, self._world, self._raw = process, process.world, raw
        self._done: Callable[[Answer | None], None] | None = done
        self._protocol: Any = None

    def begin(self) -> None:
        if self._world.strikes("request is lost"):
            self._world.after(self._world.travel(2), partial(self._end, None))
            return
        self._process._calls[self] = None
        self._world.after(self._world.travel(), self._arrive)
        self._world.after(REQUEST_SECONDS_MAX, partial(self._end, None))

    def lose(self) -> None:
        self._world.after(self._world.travel(), partial(self._end, None))

    def _arrive(self) -> None:
        process = self._process
        if not process.is_serving or process._factory is None:
            self.lose()
            return
        process.loop.call_soon(self._serve, process._factory)

    def _serve(self, factory: Callable[[], asyncio.BaseProtocol]) -> None:
        self._protocol = factory()
        transport = ServerSide(self._answered, self._closed)
        self._protocol.connection_made(transport)
        self._protocol.data_received(self._raw)

    def _answered(self, answer: Answer) -> None:
        if self._world.strikes("crash before the caller is answered"):
            self._process.crash("before the caller is answered")
            return
        self._process.loop.call_soon(self._protocol.connection_lost, None)
        self._process._calls.pop(self, None)
        if self._world.strikes("answer is lost"):
            self.lose()
            return
        self._world.after(self._world.travel(), partial(self._end, answer))

    def _closed(self) -> None:
        self._process._calls.pop(self, None)
        self.lose()

    def _end(self, answer: Answer | None) -> None:
        done, self._done = self._done, None
        if done is not None:
            done(answer)
