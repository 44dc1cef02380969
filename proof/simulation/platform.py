"""The messaging platform: it takes messages, refuses some, forgets to answer, and calls back.

It remembers what it took. Whatever a service says of a message is compared with that.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from proof.simulation.network import Answer, request
from proof.simulation.world import World
from tidings.platforms.port import (
    Accepted,
    DispatchResult,
    Failure,
    FailureKind,
    Rejected,
    Send,
    UnknownOutcome,
)

if TYPE_CHECKING:
    from proof.simulation.callers import Internet
    from proof.simulation.process import Process

APP_SECRET = "app-secret-of-the-simulation"
WEBHOOK = "/platform/whatsapp/webhook"
REPEATED_AFTER = 5.0  # seconds, a callback that was not taken
READ_SHARE, REPLY_SHARE = 0.6, 0.5
REFUSAL = Failure("GONE", 131026, FailureKind.RECIPIENT, "Nobody is there.", "Ask for another.")
DOWN = Failure("DOWN", 131000, FailureKind.UNAVAILABLE, "The platform is down.", "Wait.")


@dataclass(slots=True)
class Taken:
    """One message at the platform."""

    send: Send
    platform_id: str
    told: list[str] = field(default_factory=list)  # statuses that the service has confirmed
    lost: set[str] = field(default_factory=set)  # those whose callbacks never came


class Platform:
    """The platform itself; each process reaches it by a `Line`."""

    def __init__(self, world: World, internet: "Internet") -> None:
        self.world = world
        self._internet = internet
        self.taken: list[Taken] = []
        self.seconds_of_day = 0

    def take(self, send: Send) -> Taken:
        taken = Taken(send, f"wamid.{len(self.taken) + 1:06}")
        self.taken.append(taken)
        self.world.note(f"platform takes {send.client_message_id} to {send.to}")
        self._plan(taken)
        return taken

    # Callbacks

    def _plan(self, taken: Taken) -> None:
        world = self.world
        late = 0.0
        if world.strikes("all callbacks of it come minutes late"):  # it may be given up meanwhile
            late = world.chance.uniform(120, 400)
        if world.strikes("callback says failed"):
            self._report(taken, "failed", late + world.chance.uniform(0.5, 8))
            return
        self._report(taken, "sent", late + world.chance.uniform(0.0, 2))
        self._report(taken, "delivered", late + world.chance.uniform(0.3, 6))
        if world.chance.random() < READ_SHARE:
            self._report(taken, "read", late + world.chance.uniform(1, 12))
            if taken.send.expires_at is not None and world.chance.random() < REPLY_SHARE:
                text = world.chance.choice(("Yes", "No", "Yes, 3 of us", "maybe later"))
                self._reply(taken, text, late + world.chance.uniform(2, 15))

    def _report(self, taken: Taken, status: str, after: float) -> None:
        world = self.world
        if world.strikes("callback is lost"):
            taken.lost.add(status)
            return
        late = world.chance.uniform(20, 200) if world.strikes("callback comes late") else 0.0
        body = self._status(taken, status, after + late)
        self._call_back(body, after + late, lambda: taken.told.append(status))
        if world.strikes("callback comes twice"):
            self._call_back(body, after + late + world.chance.uniform(0, 5), lambda: None)

    def _reply(self, taken: Taken, text: str, after: float) -> None:
        reply = {
            "from": taken.send.to, "id": f"{taken.platform_id}.reply", "type": "text",
            "timestamp": self._timestamp(after), "text": {"body": text},
            "context": {"id": taken.platform_id},
        }  # fmt: skip
        contact = {"wa_id": taken.send.to, "profile": {"name": "Guest"}}
        value = {"messages": [reply], "contacts": [contact]}
        self._call_back(self._body(taken, value), after, lambda: None)

    def _status(self, taken: Taken, status: str, after: float) -> bytes:
        found: dict[str, Any] = {
            "id": taken.platform_id, "status": status, "recipient_id": taken.send.to,
            "timestamp": self._timestamp(after), "biz_opaque_callback_data": taken.send.send_id,
        }  # fmt: skip
        if status == "failed":
            found["errors"] = [{"code": 131026, "title": "Message undeliverable"}]
        return self._body(taken, {"statuses": [found]})

    def _timestamp(self, after: float) -> str:
        return str(int(self.world.now().timestamp() + after))

    def _body(self, taken: Taken, value: dict[str, Any]) -> bytes:
        sender = taken.send.sender
        metadata = {
            "display_phone_number": sender.number, "phone_number_id": sender.phone_number_id,
        }  # fmt: skip
        change = {
            "field": "messages",
            "value": {"messaging_product": "whatsapp", "metadata": metadata, **value},
        }
        entry = {"id": sender.waba_id, "changes": [change]}
        return msgspec.json.encode({"object": "whatsapp_business_account", "entry": [entry]})

    def _call_back(self, body: bytes, after: float, done: Any) -> None:
        signature = hmac.digest(APP_SECRET.encode(), body, "sha256").hex()
        headers = {
            "content-type": "application/json", "x-hub-signature-256": f"sha256={signature}",
        }  # fmt: skip
        raw = request("POST", WEBHOOK, headers, body)
        name = hashlib.sha256(body).hexdigest()[:8]

        def post() -> None:
            self._internet.call(raw, answered)

        def answered(answer: Answer | None) -> None:
            if answer is not None and answer.status == 200:
                done()
                return
            status = None if answer is None else answer.status
            self.world.note(f"callback {name} is repeated after {status}")
            if status not in (None, 429, 503):
                self.world.problems.append(f"a callback was answered with {status}")
            self.world.after(REPEATED_AFTER, post)

        self.world.after(after, post)


class Line:
    """A process's way to the platform (`port.Platform`)."""

    def __init__(self, platform: Platform, process: "Process") -> None:
        self._platform, self._process, self._world = platform, process, platform.world

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        return list(await asyncio.gather(*[self._send(one) for one in sends]))

    async def _send(self, send: Send) -> DispatchResult:
        world = self._world
        if world.strikes("crash before the platform gets it"):
            self._process.crash("before the platform gets it")
        await asyncio.sleep(world.travel(0.05))
        if world.strikes("platform is down"):
            return DispatchResult(Rejected(DOWN))
        if world.strikes("platform refuses"):
            return DispatchResult(Rejected(REFUSAL))
        if world.strikes("platform loses it and does not answer"):
            return await self._silence()
        taken = self._platform.take(send)
        if world.strikes("crash after the platform has it"):
            self._process.crash("after the platform has it")
            await asyncio.sleep(0)
        if world.strikes("platform forgets to answer"):
            return await self._silence()
        slow = 8.0 if world.strikes("platform is slow") else 0.0
        await asyncio.sleep(world.travel(0.2) + slow)
        return DispatchResult(Accepted(taken.platform_id))

    async def _silence(self) -> DispatchResult:
        await asyncio.sleep(10)
        return DispatchResult(UnknownOutcome())
