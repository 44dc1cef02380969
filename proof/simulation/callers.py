"""API clients: they send to any process that serves, and repeat what got no answer, with its id."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from proof.simulation.network import Answer, request
from proof.simulation.world import World

if TYPE_CHECKING:
    from proof.simulation.process import Process

REPEATED_AFTER = 1.5
NOBODY_THERE_SECONDS = 0.5
ACKNOWLEDGED = (200, 201, 202)
AGAIN = (429, 503)
REFUSALS = (400, 402, 404, 409)  # final, and nothing is left behind


class Internet:
    """Leads a request to one of the processes that serve."""

    def __init__(self, world: World, processes: Sequence["Process"]) -> None:
        self._world, self._processes = world, processes

    def call(self, raw: bytes, done: Callable[[Answer | None], None]) -> None:
        serving = [one for one in self._processes if one.is_serving and not one.is_paused]
        if serving:
            self._world.chance.choice(serving).call(raw, done)
        else:
            self._world.after(NOBODY_THERE_SECONDS, lambda: done(None))


@dataclass(slots=True)
class Request:
    """What a caller wants, and every answer that reached it."""

    key: str
    method: str
    path: str
    body: dict[str, Any]
    answers: list[tuple[int, Any]] = field(default_factory=list)

    @property
    def acknowledged(self) -> list[Any]:
        return [data for status, data in self.answers if status in ACKNOWLEDGED]


class Callers:
    def __init__(self, world: World, internet: Internet) -> None:
        self._world, self._internet = world, internet
        self.requests: list[Request] = []
        self.open = 0  # that have no final answer yet

    def send(self, at: float, wanted: Request, then: Callable[[Any], None] | None = None) -> None:
        """At that time. `then` gets the data of the first acknowledgement."""
        self.requests.append(wanted)
        self.open += 1
        self._world.after(at, lambda: self._try(wanted, then))
        if self._world.strikes("request comes twice"):
            self.open += 1
            late = self._world.chance.choice((0.0, 0.001, 0.05, 3.0))
            self._world.after(at + late, lambda: self._try(wanted, None))

    def _try(self, wanted: Request, then: Callable[[Any], None] | None) -> None:
        headers = {"x-api-key": wanted.key, "content-type": "application/json"}
        body = msgspec.json.encode(wanted.body) if wanted.method == "POST" else b""
        raw = request(wanted.method, wanted.path, headers, body)
        self._internet.call(raw, lambda answer: self._answered(wanted, then, answer))

    def _answered(
        self, wanted: Request, then: Callable[[Any], None] | None, answer: Answer | None
    ) -> None:
        if answer is None or answer.status in AGAIN:
            self._world.after(REPEATED_AFTER, lambda: self._try(wanted, then))
            return
        self.open -= 1
        data = answer.json()
        self._world.note(f"{wanted.path} is answered with {answer.status}")
        if answer.status in ACKNOWLEDGED:
            wanted.answers.append((answer.status, data["data"]))
            if then is not None:
                then(data["data"])
        else:
            wanted.answers.append((answer.status, data.get("error")))
            if answer.status not in REFUSALS:
                self._world.problems.append(f"{wanted.path}: {answer.status} {data}")
