"""What callers do in one history: a few dozen requests in a few busy seconds."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

from proof.simulation.arena import KEYS
from proof.simulation.callers import Callers, Request
from proof.simulation.world import World

BUSY_SECONDS = 6.0
REQUESTS = (10, 26)
TEXT, PASSCODE, BULK = "/api/v1/messages/text", "/api/v1/messages/otp", "/api/v1/messages/bulk"


class Work:
    """Every request of a history follows from its seed, whatever the service answers."""

    def __init__(self, world: World, callers: Callers) -> None:
        self._world, self._callers = world, callers
        self._random = Random(f"{world.seed}/work")
        self._ids = iter(range(1, 10_000))

    def plan(self) -> None:
        for _ in range(self._random.randint(*REQUESTS)):
            at = self._random.uniform(0, BUSY_SECONDS)
            kinds = (self._text, self._invitation, self._passcode, self._batch, self._look)
            kind = self._random.choices(kinds, (8, 3, 2, 3, 2))[0]
            kind(at, self._random.choice(KEYS))

    def _text(self, at: float, key: str) -> None:
        self._send(at, key, TEXT, self._message(at))

    def _invitation(self, at: float, key: str) -> None:
        body = self._message(at) | {
            "templateName": "invite", "kind": "invitation",
            "expiresAt": self._time(at + self._random.uniform(60, 4000)),
        }  # fmt: skip
        self._send(at, key, TEXT, body)

    def _passcode(self, at: float, key: str) -> None:
        body = {
            "clientMessageId": self._id(), "to": self._guest(), "code": "123456",
            "ttlSeconds": self._random.choice((60, 120, 600)),
        }  # fmt: skip
        self._send(at, key, PASSCODE, body)

    def _batch(self, at: float, key: str) -> None:
        messages = [self._message(at) for _ in range(self._random.randint(2, 7))]
        cancels = self._random.random() < 0.4
        after = self._random.choice((0.0, 0.02, 0.2, 2.0))

        def cancel(data: Any) -> None:
            if cancels and data["batchId"] is not None:
                path = f"/api/v1/batches/{data['batchId']}/cancel"
                self._send(after, key, path, {})

        self._send(at, key, BULK, {"messages": messages}, cancel)

    def _look(self, at: float, key: str) -> None:
        path = self._random.choice(("/balance", "/messages", "/limits", "/webhooks/failed"))
        self._callers.send(at, Request(key, "GET", f"/api/v1{path}", {}))

    def _send(self, at: float, key: str, path: str, body: dict[str, Any], then: Any = None) -> None:
        self._callers.send(at, Request(key, "POST", path, body), then)

    def _message(self, at: float) -> dict[str, Any]:
        body = {
            "clientMessageId": self._id(), "to": self._guest(), "templateName": "plain",
            "meta": {"order": 7},
        }  # fmt: skip
        if self._random.random() < 0.3:
            body["scheduledFor"] = self._time(at + self._random.uniform(1, 9))
        if self._random.random() < 0.2:
            body["deadline"] = self._time(at + self._random.uniform(10, 90))
        return body

    def _id(self) -> str:
        return f"message-{next(self._ids):04}"

    def _guest(self) -> str:
        return f"97250123{self._random.randint(0, 29):04}"

    def _time(self, at: float) -> str:
        then = self._world.epoch + timedelta(seconds=at)
        return then.isoformat(timespec="milliseconds")


def messages_of(requests: list[Request]) -> Iterator[tuple[Request, dict[str, Any]]]:
    """Each message that somebody wanted to send, with the request that carries it."""
    for wanted in requests:
        if wanted.path in (TEXT, PASSCODE):
            yield wanted, wanted.body
        elif wanted.path == BULK:
            yield from ((wanted, body) for body in wanted.body["messages"])
