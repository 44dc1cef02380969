"""`GraphSimulator`: the server, for tests, benchmarks and `tidings simulator`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from tidings.clock import Clock, SystemClock
from tidings_simulator.callbacks.queue import CONCURRENCY, CallbackQueue
from tidings_simulator.callbacks.sender import CallbackSender, PostAttempt
from tidings_simulator.connection import (
    Connection,
    Delayed,
    Handled,
    Hang,
    Request,
    Reset,
    Response,
)
from tidings_simulator.control.api import PREFIX, Control
from tidings_simulator.control.faults import FaultEffect
from tidings_simulator.graph.errors import GraphError
from tidings_simulator.graph.messages import recipient_of
from tidings_simulator.graph.routes import Graph, object_id
from tidings_simulator.graph.templates import REVIEW_DELAY
from tidings_simulator.model import Number
from tidings_simulator.plan import DEFAULT, Plan, build_world
from tidings_simulator.state import SendCall, State
from tidings_simulator.world import SimulatedClock

VERSION = "v25.0"
APP_SECRET = "simulator-app-secret"  # noqa: S105 - nobody's secret
VERIFY_TOKEN = "simulator-verify-token"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Traffic:
    """One HTTP call in either direction, for `on_traffic`."""

    incoming: bool
    method: str
    path: str
    status: int | None  # None: no response
    to: str = ""
    note: str = ""
    ms: float = 0.0


OnTraffic = Callable[[Traffic], None]


class GraphSimulator:
    """`async with GraphSimulator(callback_url=...) as simulator: simulator.url`"""

    def __init__(
        self,
        *,
        plan: Plan = DEFAULT,
        callback_url: str = "",
        app_secret: str = APP_SECRET,
        verify_token: str = VERIFY_TOKEN,
        clock: Clock | None = None,
        windows_open: bool = False,
        review: timedelta | None = REVIEW_DELAY,
        post_concurrency: int = CONCURRENCY,
        on_traffic: OnTraffic | None = None,
    ) -> None:
        self.plan = plan
        self.app_secret = app_secret
        self.verify_token = verify_token
        self.clock = SimulatedClock(clock or SystemClock())
        self.url = ""
        self._callback_url = callback_url
        self._windows_open = windows_open
        self._review = review
        self._post_concurrency = post_concurrency
        self._on_traffic = on_traffic
        self._open: set[Connection] = set()

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 selects a free one. `url` is the address."""
        self.state = self._make_state()
        self._control = Control(self.state)
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(
                lambda: Connection(self, self._open), host, port
            )
        except OSError:
            await self.state.callback_sender.close()
            raise
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        self.state.graph.address = self.url

    async def stop(self) -> None:
        self._server.close()
        for connection in list(self._open):
            connection.close()
        await self.state.callback_queue.close()
        await self.state.callback_sender.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _make_state(self) -> State:
        world = build_world(self.plan, self.clock)
        on_post = None if self._on_traffic is None else self._report_post
        callback_sender = CallbackSender(self.clock, self._callback_url, self.app_secret, on_post)
        # These two refer to the state, which is created after them.
        graph = Graph(
            world,
            callback_sender,
            lambda callbacks: self.state.schedule(callbacks),
            windows_open=self._windows_open,
            review=self._review,
        )
        callback_queue = CallbackQueue(
            self.clock,
            callback_sender.post,
            address=callback_sender.address,
            apply_event=lambda event: self.state.apply_event(event),
            concurrency=self._post_concurrency,
        )
        return State(
            self.clock, self.plan, world, callback_sender, graph, callback_queue, self.verify_token
        )

    async def advance(self, by: timedelta) -> None:
        await self.state.callback_queue.advance(by)

    async def flush(self) -> None:
        await self.state.callback_queue.flush()

    # connection.App

    def accept(self) -> Reset | None:
        faults = self.state.faults
        return Reset() if faults.active and faults.on_connect() else None

    def begin(self, request: Request) -> Reset | None:
        faults = self.state.faults
        if not faults.active or request.path.startswith(PREFIX):
            return None
        return Reset() if faults.on_headers(request.path, object_id(request.path)) else None

    def handle(self, request: Request) -> Handled:
        if request.path.startswith(PREFIX):
            return self._control.handle(request)
        effect = self._find_fault(request) if self.state.faults.active else None
        if effect is None:
            outcome = self.state.graph.handle(request)
        else:
            normal = self.state.graph.handle(request) if effect.taken else None
            outcome = self._apply_fault(effect, normal)
        self._record(request, outcome, faulted=effect is not None)
        return outcome

    def _find_fault(self, request: Request) -> FaultEffect | None:
        id_ = object_id(request.path)
        node = self.state.world.nodes.get(id_)
        digits = node.number if isinstance(node, Number) else ""
        return self.state.faults.on_request(request.path, id_, digits, recipient_of(request.body))

    def _apply_fault(self, effect: FaultEffect, normal: Handled | None) -> Handled:
        if isinstance(effect.outcome, GraphError):
            return self.state.graph.refuse(effect.outcome)
        if effect.outcome is not None:
            return effect.outcome
        assert normal is not None, "a fault that only delays has a normal response"
        return (
            Delayed(effect.seconds, normal)
            if isinstance(normal, Response | Reset | Hang)
            else normal
        )

    def _record(self, request: Request, outcome: Handled, *, faulted: bool) -> None:
        given = outcome.then if isinstance(outcome, Delayed) else outcome
        answer = given if isinstance(given, Response) else None
        status = answer.status if answer else None
        if request.path.endswith("/messages"):
            now, id_ = self.clock.now(), object_id(request.path)
            body = answer.body if answer else b""
            self.state.send_calls.append(SendCall(now, id_, request.body, status, body, faulted))
        if self._on_traffic is not None:
            note = "fault" if faulted else ""
            to = recipient_of(request.body) if request.path.endswith("/messages") else ""
            self._on_traffic(Traffic(True, request.method, request.path, status, to, note))

    def _report_post(self, posted: PostAttempt) -> None:
        assert self._on_traffic is not None
        note = f"{posted.events} event{'s' * (posted.events != 1)}"
        note += f", attempt {posted.attempt}" if posted.attempt > 1 else ""
        note += f", {posted.problem}" if posted.problem else ""
        self._on_traffic(Traffic(False, "POST", posted.url, posted.status, note=note, ms=posted.ms))
