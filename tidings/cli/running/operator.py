"""The operator's listener (/metrics, /livez, /readyz), and its pages for several processes.

It is opened before anything is served, so that an address that is taken is refused at startup. The
default address is only a suggestion: a second server on the same machine takes a free port.
"""

import asyncio
import os
import socket
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from pathlib import Path

import structlog

from tidings import __version__, limits
from tidings.cli.output import Refused
from tidings.clock import SystemClock
from tidings.engine.http.application import Application
from tidings.engine.http.endpoint import Auth, Caller, Endpoint, PlainResponse, Request, at
from tidings.engine.http.outbound.call_connection import NotAnswered
from tidings.engine.http.outbound.call_pool import CallPool, NotWritten
from tidings.engine.http.outbound.connector import Destination
from tidings.engine.http.server import listen
from tidings.engine.metrics import CONTENT_TYPE, render_shared
from tidings.engine.metrics.processes import SUPERVISOR, Processes, ProcessInfo
from tidings.engine.rate import MemoryRate
from tidings.errors import ApiError, Code
from tidings.setting_values import Address
from tidings.settings import Settings, variable

from .slot import Slot

LOCAL = "127.0.0.1"

log = structlog.get_logger()


def open_listener(settings: Settings, *, demo: bool) -> socket.socket | None:
    """None where it is switched off. The demo takes a free port in any case."""
    address = settings.operator_address
    if address is None:
        return None
    try:
        return listen(address.host, address.port)
    except OSError as reason:
        if os.environ.get(variable("operator_address")) and not demo:
            raise Refused(
                f"Cannot listen on {address} for the operator: {reason.strerror}."
                " TIDINGS_OPERATOR_ADDRESS names another address, or off."
            ) from None
    listener = _listen_anywhere(address.host)
    log.warning("operator.address_taken", configured=str(address), using=str(address_of(listener)))
    return listener


def address_of(listener: socket.socket) -> Address:
    host, port = listener.getsockname()[:2]
    return Address(host, port)


def _listen_anywhere(host: str) -> socket.socket:
    with suppress(OSError):
        return listen(host, 0)
    return listen(LOCAL, 0)


@dataclass(slots=True)
class ProcessGroup:
    """The processes of `serve --processes N` by their slots, and the folder that they share."""

    slots: list[Slot]
    folder: Path  # counters and sockets
    roles: str  # of each process
    descriptors: tuple[int, ...] = ()  # public sockets that all of them inherit
    shutdown_max: timedelta = limits.SHUTDOWN_MAX  # then a process is killed
    running: dict[int, int] = field(default_factory=dict)  # process ids, by slot number
    answered: set[int] = field(default_factory=set)  # ids of those that have, at least once
    restarts: Counter[int] = field(default_factory=Counter)  # by slot number

    async def find_failing(self, path: str) -> list[int]:
        """Ask every process for this page: the slots that do not answer 200 in time."""
        answers = await asyncio.gather(*(self._is_fine(slot, path) for slot in self.slots))
        return [slot.number for slot, fine in zip(self.slots, answers, strict=True) if not fine]

    def find_processes(self, failing: Sequence[int]) -> list[ProcessInfo]:
        """All of them and the supervisor, for the metrics. `failing`: slots that do not answer."""
        found = [ProcessInfo(SUPERVISOR, "", os.getpid())]
        for number in (slot.number for slot in self.slots):
            pid, restarts = self.running.get(number), self.restarts[number]
            name, answers = str(number + 1), number not in failing
            found.append(ProcessInfo(name, self.roles, pid, restarts, answers))
        return found

    def ended(self, slot: int) -> None:
        self.answered.discard(self.running.pop(slot))

    async def _is_fine(self, slot: Slot, path: str) -> bool:
        process = self.running.get(slot.number)
        if process is None:
            return False
        host, port = slot.address
        request = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
        pool = _pool(host, port)
        try:
            is_fine = (await pool.call(request.encode("ascii"))).status == HTTPStatus.OK
        except (NotWritten, NotAnswered):
            return False
        finally:
            await pool.close()
        if is_fine and self.running.get(slot.number) == process:
            self.answered.add(process)
        return is_fine


def _pool(host: str, port: int) -> CallPool:
    return CallPool(
        Destination(host, port, is_tls=False),
        connections=1,
        connect_timeout=limits.PROCESS_ANSWER_MAX,
        timeout=limits.PROCESS_ANSWER_MAX,
        keep_alive=limits.PROCESS_ANSWER_MAX,
        response_bytes_max=limits.MIB,
    )


def group_pages(group: ProcessGroup, *, docs_url: str) -> Application:
    """The operator's pages for all processes together. Counters are summed over the processes, in
    files that outlive each of them (engine/metrics)."""
    clock = SystemClock()
    rate = MemoryRate(clock)
    return Application(
        group, ROUTES, authenticate=_refuse, rate=rate, clock=clock, docs_url=docs_url
    )


async def get_livez(group: ProcessGroup, _request: Request) -> PlainResponse:
    """Every process runs and answers."""
    return _all_fine(await group.find_failing("/livez"), "does not answer")


async def get_readyz(group: ProcessGroup, _request: Request) -> PlainResponse:
    """Every process accepts requests and reaches the database."""
    return _all_fine(await group.find_failing("/readyz"), "is not ready")


async def get_metrics(group: ProcessGroup, _request: Request) -> PlainResponse:
    """Asking the processes first makes them update their gauges."""
    failing = await group.find_failing("/metrics")
    processes = Processes(__version__, partial(group.find_processes, failing))
    return PlainResponse(200, render_shared(group.folder, processes), CONTENT_TYPE)


def _all_fine(failing: list[int], problem: str) -> PlainResponse:
    if not failing:
        return PlainResponse(200, b"ok\n")
    numbers = ", ".join(str(number + 1) for number in failing)
    return PlainResponse(503, f"process {numbers} {problem}\n".encode())


ROUTES = [
    at(None, "GET", "/livez", Endpoint(auth=Auth.NONE)(get_livez)),
    at(None, "GET", "/readyz", Endpoint(auth=Auth.NONE)(get_readyz)),
    at(None, "GET", "/metrics", Endpoint(auth=Auth.NONE)(get_metrics)),
]


async def _refuse(_key: str) -> Caller:
    """No route of these takes a key."""
    raise ApiError(Code.INVALID_API_KEY)
