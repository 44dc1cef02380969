"""Customers' servers: they take webhooks, fail, hang, and remember all they got."""

import asyncio
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from proof.simulation.world import World
from tidings.engine.http.outbound.client import Fault, Posted

if TYPE_CHECKING:
    from proof.simulation.process import Process


@dataclass(frozen=True, slots=True)
class Post:
    """One webhook as it arrived."""

    id: str
    body: bytes
    attempt: int
    began: float  # when the process set about it
    at: float  # when it arrived: later by a minute, if the process stood still meanwhile
    status: int | None  # what the receiver answered; None: nothing that arrived

    @property
    def event(self) -> Any:
        return msgspec.json.decode(self.body)


class Customers:
    def __init__(self, world: World) -> None:
        self.world = world
        self.posts: list[Post] = []

    def take(
        self, headers: Mapping[str, str], body: bytes, began: float, status: int | None
    ) -> None:
        webhook_id, attempt = headers["X-Webhook-Id"], int(headers["X-Delivery-Attempt"])
        self.posts.append(Post(webhook_id, body, attempt, began, self.world.elapsed, status))
        event = msgspec.json.decode(body)
        told = event["data"].get("status") or ""
        self.world.note(f"receiver gets {event['type']} {told} attempt {attempt}: {status}")


class Postman:
    """A process's way to them, in the place of its `Outbound`."""

    def __init__(self, customers: Customers, process: "Process") -> None:
        self._customers, self._process, self._world = customers, process, customers.world

    async def post(
        self,
        _url: str,
        body: bytes,
        headers: Mapping[str, str],
        *,
        timeout: timedelta,
        tenant: Hashable = None,
    ) -> Posted:
        world = self._world
        if world.strikes("crash before a webhook is posted"):
            self._process.crash("before a webhook is posted")
        began = world.elapsed
        await asyncio.sleep(world.travel(0.1))
        if world.strikes("receiver hangs"):
            self._customers.take(headers, body, began, None)
            await asyncio.sleep(timeout.total_seconds())
            return Posted(None, Fault.TIMEOUT, self._since(began))
        status = 500 if world.strikes("receiver fails") else 204
        loses = world.strikes("receiver's answer is lost")
        self._customers.take(headers, body, began, None if loses else status)
        if world.strikes("crash after a webhook was posted"):
            self._process.crash("after a webhook was posted")
            await asyncio.sleep(0)
        await asyncio.sleep(world.travel(0.1))
        if loses:
            return Posted(None, Fault.CONNECTION_FAILED, self._since(began))
        return Posted(status, None, self._since(began))

    def _since(self, began: float) -> int:
        return round((self._world.elapsed - began) * 1000)

    async def close(self) -> None:
        pass
