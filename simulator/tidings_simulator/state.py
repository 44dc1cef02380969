"""The state shared by the Graph API and the control endpoints."""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tidings.platforms.sandbox.guest_messages import SampleFile
from tidings_simulator.callbacks.bodies import CallbackEvent, ChangeEvent, InboundEvent, StatusEvent
from tidings_simulator.callbacks.queue import CallbackQueue
from tidings_simulator.callbacks.sender import CallbackSender
from tidings_simulator.control import guests
from tidings_simulator.control.faults import Faults
from tidings_simulator.control.inbound_samples import FILES
from tidings_simulator.graph import media
from tidings_simulator.graph.routes import Graph
from tidings_simulator.plan import Plan, build_world
from tidings_simulator.world import SimulatedClock, World

SEND_CALLS_MAX = 20_000


@dataclass(slots=True)
class SendCall:
    """One call to send, successful or not."""

    at: datetime
    number_id: str
    body: bytes
    status: int | None  # None: no response
    answer: bytes
    faulted: bool  # affected by a fault


@dataclass
class State:
    clock: SimulatedClock
    plan: Plan
    world: World
    callback_sender: CallbackSender
    graph: Graph
    callback_queue: CallbackQueue
    verify_token: str
    faults: Faults = field(default_factory=Faults)
    send_calls: deque[SendCall] = field(default_factory=lambda: deque(maxlen=SEND_CALLS_MAX))

    def schedule(self, planned: list[tuple[datetime, CallbackEvent]]) -> None:
        """Schedule callbacks, modified by the active faults."""
        if self.faults.active:
            planned = self.faults.apply_to_callbacks(planned)
        self.callback_queue.put(planned)

    def apply_event(self, event: CallbackEvent) -> bool:
        """Apply the change that a due callback reports; False if it must not be posted."""
        if isinstance(event, StatusEvent):
            return True
        if isinstance(event, ChangeEvent):
            applied = event.apply is None or event.apply()
            return applied and not event.silent
        guests.record_inbound(self.world, event)
        self._store_file(event)
        return not event.silent

    def _store_file(self, event: InboundEvent) -> None:
        kind = str(event.message.get("type"))
        body: Any = event.message.get(kind)
        file: SampleFile | None = FILES.get(kind)
        if file is not None and isinstance(body, dict) and "id" in body:
            media.receive(self.world, event.number.waba, str(body["id"]), file)

    def reset(self) -> None:
        """Back to the initial state, except for the clock, which never runs backwards."""
        self.world = build_world(self.plan, self.clock)
        self.graph.world = self.world
        self.faults.remove()
        self.callback_queue.clear()
        self.send_calls.clear()
        self.callback_sender.posted.clear()
