"""What the Graph side and the control side of the simulator share."""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tidings.platforms.sandbox.guest_messages import SampleFile
from tidings_simulator.callbacks.bodies import Changed, Event, Said, Told
from tidings_simulator.callbacks.queue import Outbox
from tidings_simulator.callbacks.sender import Postman
from tidings_simulator.control import guests
from tidings_simulator.control.faults import Faults
from tidings_simulator.control.inbound_samples import FILES
from tidings_simulator.graph import media
from tidings_simulator.graph.routes import Graph
from tidings_simulator.plan import Plan, build_world
from tidings_simulator.world import OwnClock, World

RECEIVED_MAX = 20_000


@dataclass(slots=True)
class Received:
    """One call to send, whatever became of it."""

    at: datetime
    number_id: str
    body: bytes
    status: int | None  # None: it was given no answer
    answer: bytes
    struck: bool  # by a fault


@dataclass
class State:
    clock: OwnClock
    plan: Plan
    world: World
    postman: Postman
    graph: Graph
    outbox: Outbox
    verify_token: str
    faults: Faults = field(default_factory=Faults)
    received: deque[Received] = field(default_factory=lambda: deque(maxlen=RECEIVED_MAX))

    def tell(self, planned: list[tuple[datetime, Event]]) -> None:
        """Callbacks for later, as the faults will have them."""
        if self.faults.active:
            planned = self.faults.misdeliver(planned)
        self.outbox.put(planned)

    def happens(self, event: Event) -> bool:
        """The time of a callback has come: what it tells becomes true."""
        if isinstance(event, Told):
            return True
        if isinstance(event, Changed):
            happened = event.happens is None or event.happens()
            return happened and not event.silent
        guests.remember(self.world, event)
        self._keep_file(event)
        return not event.silent

    def _keep_file(self, event: Said) -> None:
        kind = str(event.message.get("type"))
        body: Any = event.message.get(kind)
        file: SampleFile | None = FILES.get(kind)
        if file is not None and isinstance(body, dict) and "id" in body:
            media.receive(self.world, event.number.waba, str(body["id"]), file)

    def reset(self) -> None:
        """Everything as at the start; only the clock keeps its place, for time never runs back."""
        self.world = build_world(self.plan, self.clock)
        self.graph.world = self.world
        self.faults.remove()
        self.outbox.clear()
        self.received.clear()
        self.postman.posted.clear()
