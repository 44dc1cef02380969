"""`tidings serve`: run the service, or some of its roles, until a signal stops it.

SIGTERM and SIGINT shut down gracefully: no new connections are accepted, requests and jobs in
progress are finished, everything else stays queued in the database; exit code 0.
"""

import asyncio
import errno
import gc
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import structlog
import uvloop

from tidings.app import Service, open_outbound, require_tracing
from tidings.cli.output import Refused
from tidings.cli.runner import load_settings, reported_errors
from tidings.clock import DatabaseClock, SystemClock
from tidings.engine import log as logs
from tidings.engine.http.server import Running, listen
from tidings.engine.http.server import serve as serve_http
from tidings.engine.idle import when_idle
from tidings.engine.metrics import Metrics
from tidings.portal.front import Front
from tidings.portal.front import prepare as prepare_pages
from tidings.settings import Settings, variable

from .operator import address_of, open_listener
from .slot import Slot
from .startup import database, on_signals, stop_with
from .systemd import Passed, notify, take_sockets, watched

LISTENING_ERRORS = (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES)
ROLES = ("api", "worker", "portal")

Greet = Callable[[str], None]  # called with the address once the service listens

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Options:
    host: str
    port: int
    roles: frozenset[str]
    demo: bool
    passed: Passed  # sockets that systemd, or our supervisor, has opened

    @property
    def is_public(self) -> bool:
        return bool(self.roles & {"api", "portal"})


def serve_roles(host: str, port: int, *, processes: int, roles: str, demo: bool) -> None:
    settings, passed = load_settings(), take_sockets(os.environ, os.getpid())
    host, port = passed.address or (host, port)
    options = Options(host, port, _parse_roles(roles), demo, passed)
    doing = "supervisor" if processes > 1 else ",".join(sorted(options.roles))
    logs.configure(SystemClock(), settings.log_level, roles=doing)
    settings = _with_public_url(settings, host, port)
    with reported_errors():
        require_tracing(settings)
        try:
            if processes > 1:
                from .supervisor import supervise

                uvloop.run(
                    supervise(
                        settings,
                        host=host,
                        port=port,
                        processes=processes,
                        roles=options.roles,
                        passed=passed,
                    )
                )
            else:
                uvloop.run(_serve(settings, options))
        except OSError as reason:
            if reason.errno not in LISTENING_ERRORS:
                raise
            raise Refused(f"Cannot listen on {host}:{port}: {reason.strerror}.") from None


def _parse_roles(text: str) -> frozenset[str]:
    roles = [role.strip() for role in text.split(",") if role.strip()]
    if not roles or any(role not in ROLES for role in roles):
        raise Refused(f'--roles takes {", ".join(ROLES)}, separated by commas; not "{text}".')
    return frozenset(roles)


def _with_public_url(settings: Settings, host: str, port: int) -> Settings:
    """Without TIDINGS_PUBLIC_URL, our own links point to where we listen."""
    if os.environ.get(variable("public_url"), "").strip() or port == 0:
        return settings
    shown = f"[{host}]" if ":" in host else host
    return replace(settings, public_url=f"http://{shown}:{port}")


async def _serve(settings: Settings, options: Options) -> None:
    stopping = on_signals()
    clock = DatabaseClock()
    slot = Slot.find()
    if slot is None and options.is_public and not options.passed.public:
        listen(options.host, options.port).close()  # fails early where the port is taken
    operator = slot.listener if slot else options.passed.operator
    operator = operator or open_listener(settings, demo=options.demo)
    async with database(settings, clock, _connection_name(options.roles), stopping) as db:
        own = await _own_addresses(settings, options, operator)
        metrics = Metrics.of_slot(slot.number) if slot else Metrics()
        service = await Service.open(
            settings,
            db,
            clock=clock,
            roles=options.roles,
            outbound=open_outbound(settings, clock, own=own),
            metrics=metrics,
            peers=slot.peers() if slot else None,
        )
        greet = None
        if options.demo:
            from .prepare_demo import prepare_demo

            greet = await prepare_demo(service)
        service.start()
        log.info("process.started", slot=None if slot is None else slot.number)
        await service.listen_to_peers()
        _tune_garbage_collector()
        try:
            with watched():
                await _listen(service, options, operator=operator, stopping=stopping, greet=greet)
        finally:
            log.info("process.stop_requested")
            await service.stop()
            log.info("process.stopped")


def _connection_name(roles: frozenset[str]) -> str:
    """What pg_stat_activity shows: `tidings api,worker`."""
    return f"tidings {','.join(role for role in ROLES if role in roles)}"


async def _own_addresses(
    settings: Settings, options: Options, operator: socket.socket | None
) -> list[tuple[str, int]]:
    """Where this service listens: webhooks are never posted there."""
    addresses = [settings.operator_address, None if operator is None else address_of(operator)]
    listeners = [(options.host, options.port), *options.passed.addresses]
    listeners += [(each.host, each.port) for each in addresses if each]
    loop = asyncio.get_running_loop()
    found = [await loop.getaddrinfo(*each, type=socket.SOCK_STREAM) for each in listeners]
    return [(str(address[0]), int(address[1])) for answers in found for *_, address in answers]


def _tune_garbage_collector() -> None:
    """Exempt what is loaded by now, and collect rarely: requests create few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def _listen(
    service: Service,
    options: Options,
    *,
    operator: socket.socket | None,
    stopping: asyncio.Event,
    greet: Greet | None,
) -> None:
    """Serve the API and the operator's pages until a signal arrives."""
    host, port = options.host, options.port
    on_ready = partial(_on_ready, stopping=stopping)
    listeners = []
    stop_with(stopping, partial(notify, "STOPPING=1"))
    stop_with(stopping, service.begin_stop)
    if options.is_public:
        sockets = _public_sockets(options)
        ready = partial(_on_public_ready, on_ready=on_ready, greet=greet)
        intake = service.intake
        listeners.append(
            serve_http(
                Front(service),
                host,
                port,
                intake=intake,
                sockets=sockets,
                ready=ready,
            )
        )
    if operator is not None:
        ready = partial(on_ready, listener="operator")
        listeners.append(serve_http(service.operator, sockets=[operator], ready=ready))
    pages = asyncio.create_task(when_idle(prepare_pages)) if "portal" in service.roles else None
    if not listeners:
        notify("READY=1")
    try:
        await asyncio.gather(*listeners, stopping.wait())
    finally:
        if pages is not None:
            pages.cancel()


def _on_public_ready(
    running: Running, *, on_ready: Callable[..., None], greet: Greet | None
) -> None:
    on_ready(running, listener="public")
    if greet is not None:
        greet(_address(running))


def _on_ready(running: Running, *, stopping: asyncio.Event, listener: str) -> None:
    log.info("listener.opened", listener=listener, address=_address(running))
    notify("READY=1")

    stop_with(stopping, running.stop)


def _address(running: Running) -> str:
    return f"http://{running.host}:{running.port}"


def _public_sockets(options: Options) -> list[socket.socket] | None:
    if options.passed.public:
        return list(options.passed.public)
    shared = "TIDINGS_SHARED_PORT" in os.environ
    return [_shared_socket(options.host, options.port)] if shared else None


def _shared_socket(host: str, port: int) -> socket.socket:
    """One port for several processes: the kernel distributes the connections."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind((host, port))
    return listening
