"""Server-sent events as an answer: events as they come, a comment as heartbeat, until someone ends
it. Its listener leaves whatever happens, also where the browser went before the first byte."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tidings import times
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.http.asgi import EXCHANGE
from tidings.engine.http.exchange import Exchange
from tidings.features.webhooks.feed.follow import NewEvent
from tidings.portal.stream.hub import Hub, Listener

HEARTBEAT = timedelta(seconds=15)
RECONNECT_MS = 2_000
BEGIN = f"retry: {RECONNECT_MS}\n: begin\n\n".encode()
BEAT = b": beat\n\n"
_SUMMARISED = ("status", "reason", "answer", "guests", "to", "from", "clientMessageId", "eventId")


class EventStream(Response):
    """`may_go_on` is asked at every heartbeat: whether the session is still the same."""

    def __init__(
        self,
        hub: Hub,
        listener: Listener,
        may_go_on: Callable[[], Awaitable[bool]],
        heartbeat: timedelta = HEARTBEAT,
    ) -> None:
        headers = {"x-accel-buffering": "no"}  # a proxy passes events on as they come
        super().__init__(media_type="text/event-stream", headers=headers)
        del self.headers["content-length"]
        self._hub = hub
        self._listener = listener
        self._may_go_on = may_go_on
        self._heartbeat = heartbeat
        self._is_beat_due = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        watching = [asyncio.create_task(self._watch(receive)), asyncio.create_task(self._beat())]
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        exchange: Exchange = scope[EXCHANGE]
        exchange.is_endless = True
        if exchange.is_half_closed:  # before anybody looked for it
            self._listener.close()
        try:
            await send(start)
            async for part in self._parts():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            for task in watching:
                task.cancel()
            self._hub.leave(self._listener)

    async def _parts(self) -> AsyncIterator[bytes]:
        yield BEGIN
        while not self._listener.is_closed:
            await self._listener.changed.wait()
            events = self._listener.take()
            if self._is_beat_due:
                self._is_beat_due = False
                yield BEAT
            if events:
                yield b"".join(map(encode, events))

    async def _watch(self, receive: Receive) -> None:
        """Ends the stream when the browser has gone."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._listener.close()

    async def _beat(self) -> None:
        while not self._listener.is_closed:
            await asyncio.sleep(self._heartbeat.total_seconds())
            with suppress(*UNAVAILABLE_ERRORS):
                if not await self._may_go_on():
                    self._listener.close()
            self._is_beat_due = True
            self._listener.changed.set()


def encode(event: NewEvent) -> bytes:
    """The webhook's id, type and time, and the fields of its data that fit on a line."""
    shown = {"id": event.id, "type": event.type, "at": times.to_wire(event.created_at)}
    data = msgspec.json.encode(shown | {"summary": summary(event)}).decode()
    return f"id: {event.id}\ndata: {data}\n\n".encode()


def summary(event: NewEvent) -> str:
    """`delivered 972501234567 order-1001`"""
    data = msgspec.json.decode(event.body).get("data", {}) if event.body else {}
    said = [data.get(name) for name in _SUMMARISED]
    return " ".join(str(value)[:100] for value in said if value is not None)
