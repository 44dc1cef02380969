"""Run Tidings until a signal ends it: in this process, or in several that share one port.

SIGTERM and SIGINT end it well: no new connections, requests under way are answered, jobs under way
are finished, everything else waits in the database; exit 0.
"""

import asyncio
import gc
import os
import socket
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import structlog
import uvloop

from tidings.account_file.apply import apply_declaration
from tidings.account_file.plan import Removal
from tidings.account_file.read import read_file
from tidings.app import Service
from tidings.cli.running import demo
from tidings.clock import SystemClock
from tidings.engine import log as logs
from tidings.engine.http.outbound import Outbound
from tidings.engine.http.server import Running, listen
from tidings.engine.http.server import serve as serve_http
from tidings.engine.metrics import Metrics
from tidings.settings import Settings, variable

from .operator_address import address_of, open_listener
from .slot import Slot
from .startup import database, on_signals, stop_with
from .supervisor import supervise

log = structlog.get_logger()


def serve(
    settings: Settings, *, host: str, port: int, processes: int, roles: frozenset[str], demo: bool
) -> None:
    """`tidings serve`."""
    logs.configure(SystemClock(), settings.log_level)
    settings = _with_address(settings, host, port)
    if processes > 1:
        uvloop.run(supervise(settings, host, port, processes, roles))
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
    stopping = on_signals()
    clock = SystemClock()
    slot = Slot.find()
    if slot is None and "api" in roles:
        listen(host, port).close()  # somebody else's? Then we know before anything is begun
    operator = slot.listener if slot else open_listener(settings, demo=with_demo)
    async with database(settings, clock) as db:
        outbound = Outbound(
            clock,
            allow_private=settings.allow_private_webhooks,
            own=await _own_addresses(settings, host, port, operator),
            look_ups=settings.lookups,
        )
        metrics = Metrics.of_slot(slot.number) if slot else Metrics()
        service = await Service.open(
            settings, db, clock=clock, roles=roles, outbound=outbound, metrics=metrics
        )
        greet = await _prepare_demo(service) if with_demo else None
        service.start()
        _spare_the_collector()
        try:
            await _listen(service, host, port, operator, stopping, greet)
        finally:
            await service.stop()


async def _own_addresses(
    settings: Settings, host: str, port: int, operator: socket.socket | None
) -> list[tuple[str, int]]:
    """Where this service listens: no webhook is ever posted there."""
    addresses = [settings.operator_address, None if operator is None else address_of(operator)]
    listeners = [(host, port), *((each.host, each.port) for each in addresses if each)]
    loop = asyncio.get_running_loop()
    found = [await loop.getaddrinfo(*each, type=socket.SOCK_STREAM) for each in listeners]
    return [(str(address[0]), int(address[1])) for answers in found for *_, address in answers]


def _spare_the_collector() -> None:
    """What is loaded by now stays for good, and requests make few cycles: look for them seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def _listen(
    service: Service,
    host: str,
    port: int,
    operator: socket.socket | None,
    stopping: asyncio.Event,
    greet: Callable[[str], None] | None,
) -> None:
    """The public listener and the operator's, until told to stop."""
    listeners = []
    if "api" in service.roles:
        shared = "TIDINGS_SHARED_PORT" in os.environ
        sockets = [_shared_socket(host, port)] if shared else None
        ready = partial(_until, service, stopping, "serving", greet)
        intake = service.intake
        listeners.append(
            serve_http(service.shell, host, port, intake=intake, sockets=sockets, ready=ready)
        )
    if operator is not None:
        ready = partial(_until, service, stopping, "serving.operator", None)
        listeners.append(serve_http(service.operator, sockets=[operator], ready=ready))
    await asyncio.gather(*listeners, stopping.wait())


def _until(
    service: Service,
    stopping: asyncio.Event,
    event: str,
    greet: Callable[[str], None] | None,
    running: Running,
) -> None:
    address = f"http://{running.host}:{running.port}"
    log.info(event, address=address)
    if greet is not None:
        greet(address)

    def stop() -> None:
        service.ctx.is_ready = False  # long polls are answered at once
        running.stop()

    stop_with(stopping, stop)


async def _prepare_demo(service: Service) -> Callable[[str], None]:
    settings = service.ctx.settings
    declaration = read_file(demo.read_or_make(settings.data), {}, allow_private=True)
    applied = await service.ctx.db.transact(
        lambda tx: apply_declaration(tx, service.ctx.sealer, declaration, Removal.KEEP)
    )
    return lambda address: demo.show(address, applied.accounts[-1])


def _shared_socket(host: str, port: int) -> socket.socket:
    """One port, several processes: the kernel spreads the connections."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind((host, port))
    return listening
