"""A small Graph server for tests of live sending: real HTTP, real shapes, and it does to each
recipient what a test scripted.

with FakeGraph() as graph:
    graph.behave["972501234567"] = refuse(131026)
    ...
    graph.messages[0].body["to"]
"""

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import web

from tests.support.threaded import ThreadedSite

TOKEN = "EAAG-live-token-one"
PHONE_NUMBER_ID, WABA_ID = "105500000000001", "207700000000001"

Behaviour = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Called:
    """One request, as it came."""

    path: str
    headers: Mapping[str, str]
    connection: int
    body: dict[str, Any] = field(default_factory=dict)  # of a message, or the fields of an upload
    file: bytes = b""


def error_body(code: int, subcode: int | None = None, details: str = "") -> dict[str, Any]:
    error: dict[str, Any] = {
        "message": f"(#{code}) {details or 'Something went wrong'}",
        "type": "OAuthException",
        "code": code,
        "fbtrace_id": f"trace-{code}",
    }
    if subcode is not None:
        error["error_subcode"] = subcode
    if details:
        error["error_data"] = {"messaging_product": "whatsapp", "details": details}
    return {"error": error}


def refuse(
    code: int, subcode: int | None = None, *, status: int = 400, details: str = "", **headers: str
) -> Behaviour:
    """`refuse(130429, retry_after="30")`"""

    async def answer(_request: web.Request, _body: dict[str, Any]) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.json_response(error_body(code, subcode, details), status=status, headers=named)

    return answer


def say(status: int, text: str = "", content_type: str = "text/html") -> Behaviour:
    async def answer(_request: web.Request, _body: dict[str, Any]) -> web.StreamResponse:
        return web.Response(status=status, text=text, content_type=content_type)

    return answer


def accept(wa_id: str | None = None, **message: str) -> Behaviour:
    async def answer(_request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return web.json_response(accepted(body, wa_id, **message))

    return answer


def accepted(body: dict[str, Any], wa_id: str | None = None, **message: str) -> dict[str, Any]:
    platform_id = f"wamid.{body['biz_opaque_callback_data']}"
    return {
        "messaging_product": "whatsapp",
        "contacts": [{"input": body["to"], "wa_id": wa_id or body["to"]}],
        "messages": [{"id": platform_id, **message}],
    }


def after(seconds: float, then: Behaviour | None = None) -> Behaviour:
    async def answer(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return await (then or accept())(request, body)

    return answer


def when(is_time: Callable[[], bool], then: Behaviour | None = None) -> Behaviour:
    """`when(event.is_set, refuse(190))`"""

    async def answer(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        while not is_time():
            await asyncio.sleep(0.005)
        return await (then or accept())(request, body)

    return answer


async def hang(_request: web.Request, _body: dict[str, Any]) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def reset(request: web.Request, _body: dict[str, Any]) -> web.StreamResponse:
    assert request.transport is not None
    connection = request.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
    return web.Response()


class FakeGraph(ThreadedSite):
    """Listens from `with` on, in a thread of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Called] = []
        self.uploads: list[Called] = []
        self.behave: dict[str, Behaviour] = {}  # by recipient; "*": everybody else
        self.on_upload: Behaviour | None = None
        self.tokens: set[str] = {TOKEN}
        self.at_once = 0  # the most that were being answered concurrently
        self._busy = 0
        self._connections: dict[int, int] = {}
        self._media = count(4_490_709_327_384_033)

    @property
    def connections(self) -> int:
        return len(self._connections)

    def to(self, recipient: str) -> list[Called]:
        return [called for called in self.messages if called.body["to"] == recipient]

    def counts(self) -> Counter[str]:
        return Counter(called.body["to"] for called in self.messages)

    def _routes(self) -> Iterable[web.RouteDef]:
        yield web.post("/v25.0/{number}/messages", self._message)
        yield web.post("/v25.0/{number}/media", self._upload)

    async def _message(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.messages.append(Called(request.path, request.headers, self._number(request), body))
        denied = self._denied(request)
        if denied is not None:
            return denied
        self._busy += 1
        self.at_once = max(self.at_once, self._busy)
        try:
            behave = self.behave.get(body["to"]) or self.behave.get("*") or accept()
            return await behave(request, body)
        finally:
            self._busy -= 1

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        fields = {"messaging_product": form["messaging_product"], "type": form["type"]}
        fields |= {"filename": file.filename, "content_type": file.content_type}
        number = self._number(request)
        self.uploads.append(Called(request.path, request.headers, number, fields, file.file.read()))
        denied = self._denied(request)
        if denied is not None:
            return denied
        if self.on_upload is not None:
            return await self.on_upload(request, fields)
        return web.json_response({"id": str(next(self._media))})

    def _denied(self, request: web.Request) -> web.Response | None:
        if request.headers.get("Authorization", "").removeprefix("Bearer ") not in self.tokens:
            body = error_body(190, 463, "Session has expired")
            return web.json_response(body, status=401)
        if not request.match_info["number"].startswith("1055"):
            return web.json_response(error_body(100, 33, "Unsupported post request"), status=400)
        return None

    def _number(self, request: web.Request) -> int:
        """Of its connection: the first is 1."""
        return self._connections.setdefault(id(request.protocol), len(self._connections) + 1)
