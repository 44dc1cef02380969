"""`GraphSimulator`: the whole thing on a port, for tests, benchmarks and `tidings simulator`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from tidings.clock import Clock, SystemClock
from tidings_simulator.callbacks.queue import AT_ONCE, Outbox
from tidings_simulator.callbacks.sender import Posted, Postman
from tidings_simulator.connection import Answer, Call, Connection, Hang, Outcome, Reset, Slow
from tidings_simulator.control.api import PREFIX, Control
from tidings_simulator.control.faults import Strike
from tidings_simulator.graph.errors import GraphError
from tidings_simulator.graph.messages import recipient_of
from tidings_simulator.graph.routes import Graph, object_id
from tidings_simulator.graph.templates import REVIEW
from tidings_simulator.model import Number
from tidings_simulator.plan import DEFAULT, Plan, build_world
from tidings_simulator.state import Received, State
from tidings_simulator.world import OwnClock

VERSION = "v25.0"
APP_SECRET = "simulator-app-secret"  # noqa: S105 - nobody's secret
VERIFY_TOKEN = "simulator-verify-token"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Traffic:
    """One call, either way, for whoever watches."""

    incoming: bool
    method: str
    path: str
    status: int | None  # None: no answer
    to: str = ""
    note: str = ""
    ms: float = 0.0


Watch = Callable[[Traffic], None]


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
        review: timedelta | None = REVIEW,
        posts_at_once: int = AT_ONCE,
        watch: Watch | None = None,
    ) -> None:
        self.plan = plan
        self.app_secret = app_secret
        self.verify_token = verify_token
        self.clock = OwnClock(clock or SystemClock())
        self.url = ""
        self._callback_url = callback_url
        self._windows_open = windows_open
        self._review = review
        self._posts_at_once = posts_at_once
        self._watch = watch
        self._open: set[Connection] = set()

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes a free one. `url` says where."""
        self.state = self._make_state()
        self._control = Control(self.state)
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(
                lambda: Connection(self, self._open), host, port
            )
        except OSError:
            await self.state.postman.close()
            raise
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        self.state.graph.address = self.url

    async def stop(self) -> None:
        self._server.close()
        for connection in list(self._open):
            connection.close()
        await self.state.outbox.close()
        await self.state.postman.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _make_state(self) -> State:
        world = build_world(self.plan, self.clock)
        watch = None if self._watch is None else self._watch_post
        postman = Postman(self.clock, self._callback_url, self.app_secret, watch)
        # These two tell the state, which does not exist before them.
        graph = Graph(
            world,
            postman,
            lambda planned: self.state.tell(planned),
            windows_open=self._windows_open,
            review=self._review,
        )
        outbox = Outbox(
            self.clock,
            postman.post,
            address=postman.address,
            happens=lambda event: self.state.happens(event),
            at_once=self._posts_at_once,
        )
        return State(self.clock, self.plan, world, postman, graph, outbox, self.verify_token)

    async def advance(self, by: timedelta) -> None:
        await self.state.outbox.advance(by)

    async def flush(self) -> None:
        await self.state.outbox.flush()

    # What a connection asks (connection.App)

    def accept(self) -> Reset | None:
        faults = self.state.faults
        return Reset() if faults.active and faults.at_connect() else None

    def begin(self, call: Call) -> Reset | None:
        faults = self.state.faults
        if not faults.active or call.path.startswith(PREFIX):
            return None
        return Reset() if faults.at_head(call.path, object_id(call.path)) else None

    def handle(self, call: Call) -> Outcome:
        if call.path.startswith(PREFIX):
            return self._control.handle(call)
        strike = self._strike(call) if self.state.faults.active else None
        if strike is None:
            outcome = self.state.graph.handle(call)
        else:
            right = self.state.graph.handle(call) if strike.taken else None
            outcome = self._struck(strike, right)
        self._note(call, outcome, struck=strike is not None)
        return outcome

    def _strike(self, call: Call) -> Strike | None:
        id_ = object_id(call.path)
        node = self.state.world.nodes.get(id_)
        digits = node.number if isinstance(node, Number) else ""
        return self.state.faults.at_call(call.path, id_, digits, recipient_of(call.body))

    def _struck(self, strike: Strike, right: Outcome | None) -> Outcome:
        if isinstance(strike.outcome, GraphError):
            return self.state.graph.refuse(strike.outcome)
        if strike.outcome is not None:
            return strike.outcome
        assert right is not None, "an answer that is only slow is the right one"
        return Slow(strike.seconds, right) if isinstance(right, Answer | Reset | Hang) else right

    def _note(self, call: Call, outcome: Outcome, *, struck: bool) -> None:
        given = outcome.then if isinstance(outcome, Slow) else outcome
        answer = given if isinstance(given, Answer) else None
        status = answer.status if answer else None
        if call.path.endswith("/messages"):
            now, id_ = self.clock.now(), object_id(call.path)
            body = answer.body if answer else b""
            self.state.received.append(Received(now, id_, call.body, status, body, struck))
        if self._watch is not None:
            note = "fault" if struck else ""
            to = recipient_of(call.body) if call.path.endswith("/messages") else ""
            self._watch(Traffic(True, call.method, call.path, status, to, note))

    def _watch_post(self, posted: Posted) -> None:
        assert self._watch is not None
        note = f"{posted.events} event{'s' * (posted.events != 1)}"
        note += f", attempt {posted.attempt}" if posted.attempt > 1 else ""
        note += f", {posted.problem}" if posted.problem else ""
        self._watch(Traffic(False, "POST", posted.url, posted.status, note=note, ms=posted.ms))
