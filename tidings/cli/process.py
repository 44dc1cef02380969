"""Run Tidings until a signal ends it: in this process, or in several that share one port.

SIGTERM and SIGINT end it well: no new connections, requests under way are answered, jobs under way
are finished, everything else waits in the database; exit 0.
"""

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial

import structlog
import uvloop
from rich.console import Console

from tidings import limits
from tidings.app import Service
from tidings.cli import demo
from tidings.cli.apply import apply_declaration
from tidings.cli.file import read_file
from tidings.cli.refusal import Refused
from tidings.clock import Clock, SystemClock
from tidings.engine import leases
from tidings.engine import log as logs
from tidings.engine.db.embedded import EmbeddedServer
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.revival import look_after
from tidings.engine.http.outbound import Outbound
from tidings.engine.http.server import Running
from tidings.engine.http.server import serve as serve_http
from tidings.jobs import POOLS
from tidings.settings import Address, Settings, variable

log = structlog.get_logger()

CONNECTIONS = 16
RESTART_AFTER = 1.0  # seconds, so that a process that cannot start does not spin


def serve(
    settings: Settings, *, host: str, port: int, processes: int, roles: frozenset[str], demo: bool
) -> None:
    """`tidings serve`."""
    logs.configure(SystemClock(), settings.log_level)
    settings = _with_address(settings, host, port)
    if processes > 1:
        uvloop.run(_supervise(settings, host, port, processes, roles))
    else:
        uvloop.run(_run(settings, host, port, roles, demo))


def _with_address(settings: Settings, host: str, port: int) -> Settings:
    """Where nobody says how we are reached from outside, we are reached where we listen."""
    if variable("public_url") in os.environ or port == 0:
        return settings
    shown = f"[{host}]" if ":" in host else host
    return replace(settings, public_url=f"http://{shown}:{port}")


async def _run(
    settings: Settings, host: str, port: int, roles: frozenset[str], with_demo: bool
) -> None:
    stopping = _on_signals()
    clock = SystemClock()
    async with _database(settings, clock) as db:
        outbound = Outbound(
            clock,
            allow_private=settings.allow_private_webhooks,
            own=await _own_addresses(settings, host, port),
            look_ups=settings.lookups,
        )
        service = await Service.open(settings, db, clock=clock, roles=roles, outbound=outbound)
        greet = await _prepare_demo(service) if with_demo else None
        service.start()
        _spare_the_collector()
        try:
            await _listen(service, host, port, stopping, greet)
        finally:
            await service.stop()


async def _own_addresses(settings: Settings, host: str, port: int) -> list[tuple[str, int]]:
    """Where this service listens: no webhook is ever posted there."""
    operator = settings.operator_address
    listeners = [(host, port), *([(operator.host, operator.port)] if operator else [])]
    loop = asyncio.get_running_loop()
    found = [await loop.getaddrinfo(*each, type=socket.SOCK_STREAM) for each in listeners]
    return [(str(address[0]), int(address[1])) for answers in found for *_, address in answers]


def _spare_the_collector() -> None:
    """What is loaded by now stays for good, and requests make few cycles: look for them seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@asynccontextmanager
async def _database(settings: Settings, clock: Clock) -> AsyncIterator[Database]:
    """The database of these settings, migrated."""
    began = clock.now()
    async with _server(settings) as server:
        db = await Database.open(server, clock, CONNECTIONS)
        try:
            await migrate(db)
            if isinstance(server, EmbeddedServer):
                async with _looked_after(server, db, began):
                    yield db
            else:
                yield db
        finally:
            await db.close()


@asynccontextmanager
async def _server(settings: Settings) -> AsyncIterator[str | EmbeddedServer]:
    """TIDINGS_DATABASE_URL, or the embedded server."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    folder = settings.data / "postgres"
    server = await EmbeddedServer.start(folder, account=settings.postgres_user)
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def _looked_after(
    server: EmbeddedServer, db: Database, began: datetime
) -> AsyncIterator[None]:
    """Nobody else does: it is started again where it dies. Who had jobs in hand before us is gone
    where we came first."""
    if server.alone:
        pools = [pool.name for pool in POOLS]
        await db.transact(partial(leases.give_back, pools=pools, before=began))
    looking = asyncio.create_task(look_after(server, db))
    try:
        yield
    finally:
        looking.cancel()


async def _listen(
    service: Service,
    host: str,
    port: int,
    stopping: asyncio.Event,
    greet: Callable[[str], None] | None,
) -> None:
    """The public listener and the operator's, until told to stop."""
    listeners = []
    operator = service.ctx.settings.operator_address
    shared = "TIDINGS_SHARED_PORT" in os.environ
    if "api" in service.roles:
        sockets = [_shared_socket(host, port)] if shared else None
        ready = partial(_until, stopping, greet)
        intake = service.intake
        listeners.append(
            serve_http(service.shell, host, port, intake=intake, sockets=sockets, ready=ready)
        )
    if operator is not None and not shared:
        listeners.append(_serve_operator(service, operator, partial(_until, stopping, None)))
    await asyncio.gather(*listeners, stopping.wait())


async def _serve_operator(
    service: Service, address: Address, ready: Callable[[Running], None]
) -> None:
    try:
        await serve_http(service.operator, address.host, address.port, ready=ready)
    except OSError as reason:
        why = os.strerror(reason.errno or 0)
        raise Refused(
            f"Cannot listen on {address.host}:{address.port} for the operator: {why}."
            " TIDINGS_OPERATOR_ADDRESS names another address, or off."
        ) from None


def _until(stopping: asyncio.Event, greet: Callable[[str], None] | None, running: Running) -> None:
    address = f"http://{running.host}:{running.port}"
    log.info("serving", address=address)
    if greet is not None:
        greet(address)

    async def stop_when_told() -> None:
        await stopping.wait()
        running.stop()

    asyncio.ensure_future(stop_when_told())  # noqa: RUF006 - ends with the loop, by its own event


def _on_signals() -> asyncio.Event:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping


async def _prepare_demo(service: Service) -> Callable[[str], None]:
    settings = service.ctx.settings
    declaration = read_file(demo.read_or_make(settings.data), {}, allow_private=True)
    made = await service.ctx.db.transact(
        lambda tx: apply_declaration(tx, service.ctx.sealer, declaration)
    )
    return lambda address: demo.show(Console(), address, made[-1])


def _shared_socket(host: str, port: int) -> socket.socket:
    """One port, several processes: the kernel spreads the connections."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind((host, port))
    return listening


async def _supervise(
    settings: Settings, host: str, port: int, processes: int, roles: frozenset[str]
) -> None:
    """Keep several processes running; one that dies is started afresh."""
    stopping = _on_signals()
    async with _database(settings, SystemClock()):  # migrated once, and kept up for all
        command = [sys.executable, "-m", "tidings.cli", "serve", "--host", host]
        command += ["--port", str(port), "--roles", ",".join(sorted(roles))]
        async with asyncio.TaskGroup() as group:
            for _ in range(processes):
                group.create_task(_keep_alive(command, stopping))


async def _keep_alive(command: list[str], stopping: asyncio.Event) -> None:
    env = os.environ | {"TIDINGS_SHARED_PORT": "1", "TIDINGS_RATE": "shared"}
    while not stopping.is_set():
        child = await asyncio.create_subprocess_exec(*command, env=env)
        ended = asyncio.create_task(child.wait())
        told = asyncio.create_task(stopping.wait())
        await asyncio.wait({ended, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        if not ended.done():
            child.terminate()
            await asyncio.wait({ended}, timeout=limits.SHUTDOWN_MAX.total_seconds())
            if not ended.done():
                child.kill()
        else:
            log.error("process.died", status=ended.result())
            await asyncio.sleep(RESTART_AFTER)
        await ended
