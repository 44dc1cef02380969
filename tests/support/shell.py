"""A server on a real socket around a few small routes, and a client that speaks raw bytes."""

import asyncio
import contextlib
import json
import queue
import socket
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID, uuid4

import msgspec
import uvloop
from msgspec import UNSET, Meta, UnsetType

from tidings.clock import SystemClock
from tidings.engine.http.application import Application
from tidings.engine.http.endpoint import Auth, Endpoint, PlainResponse, Response, at
from tidings.engine.http.intake import IntakeLimits
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.server import serve
from tidings.engine.metrics import Metrics
from tidings.engine.rate import MemoryRate
from tidings.errors import ApiError, Code
from tidings.features.feedback.rules import FeedbackCode

DOCS = "https://tidings.test/guide/errors"
FLOOD_BYTES = 32 << 20


class Note(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    to: Annotated[str, Meta(min_length=8, max_length=20)]
    text: Annotated[str, Meta(extra={"secret": True})] | UnsetType = UNSET
    meta: msgspec.Raw | UnsetType = UNSET


class Blob(msgspec.Struct, forbid_unknown_fields=True):
    data: str


class Page(msgspec.Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class Account:
    id: UUID
    environment: str = "sandbox"
    active: bool = True
    is_partner: bool = False
    requests_per_minute: int = 100_000


ACCOUNTS = {
    "td_sandbox_one": Account(uuid4()),
    "td_live_one": Account(uuid4(), environment="live"),
    "td_sandbox_off": Account(uuid4(), active=False, requests_per_minute=1),
    "td_sandbox_partner": Account(uuid4(), is_partner=True),
    "td_sandbox_slow": Account(uuid4(), requests_per_minute=3),
    "td_live_slow": Account(uuid4(), environment="live", requests_per_minute=1),
}
KEY = "td_sandbox_one"


class DatabaseAway(Exception):
    pass


async def authenticate(key):
    if key not in ACCOUNTS:
        raise ApiError(Code.INVALID_API_KEY)
    return ACCOUNTS[key]


async def get_value(ctx, request):
    return Response({"id": request.params.get("id"), "method": request.method})


async def get_health(ctx, request):
    return Response(UNSET, extra={"service": "tidings"})


async def post_note(ctx, request):
    return Response({"to": request.body.to}, status=201, headers=((b"X-Extra", b"1"),))


async def post_blob(ctx, request):
    ctx["running"] += 1
    ctx["most"] = max(ctx["most"], ctx["running"])
    await asyncio.sleep(0.02)
    ctx["running"] -= 1
    return Response({"chars": len(request.body.data)})


async def post_raw(ctx, request):
    return Response({"bytes": len(request.raw)})


async def get_list(ctx, request):
    return Response([request.query.limit], extra={"nextCursor": None})


async def get_times(ctx, request):
    timestamp = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    return Response({"at": timestamp, "ids": [UUID(int=7)], "meta": msgspec.Raw(b'{"b": 1.0}')})


async def get_boom(ctx, request):
    raise RuntimeError("the secret of the database is hunter2")


async def get_away(ctx, request):
    raise DatabaseAway


async def get_slow(ctx, request):
    ctx["running"] += 1
    await asyncio.sleep(0.5)
    ctx["running"] -= 1
    return Response({})


async def get_page(ctx, request):
    return PlainResponse(200, b"<p>hi</p>", "text/html", ((b"cache-control", b"max-age=60"),))


async def get_stream(ctx, request):
    async def chunks():
        for piece in (b"one ", b"two ", b"three"):
            yield piece

    return PlainResponse(200, chunks())


async def get_flood(ctx, request):
    async def chunks():
        try:
            for _ in range(FLOOD_BYTES >> 16):
                yield b"f" * (1 << 16)
        finally:
            ctx["running"] -= 1

    ctx["running"] += 1
    return PlainResponse(200, chunks())


async def get_teapot(ctx, request):
    raise ApiError(FeedbackCode.ALREADY_SENT, previousSendAt=datetime(2026, 1, 1, tzinfo=UTC))


ROUTES = [
    at(None, "GET", "/health", Endpoint(auth=Auth.NONE)(get_health)),
    at(None, "GET", "/value", Endpoint()(get_value)),
    at(None, "GET", "/value/{id}", Endpoint()(get_value)),
    at(None, "DELETE", "/value/{id}", Endpoint()(get_value)),
    at(None, "POST", "/value/{id}/cancel", Endpoint()(get_value)),
    at(None, "POST", "/notes", Endpoint(body=Note)(post_note)),
    at(None, "POST", "/blobs", Endpoint(body=Blob)(post_blob)),
    at(None, "POST", "/raw", Endpoint(auth=Auth.NONE, raw_body=True)(post_raw)),
    at(None, "GET", "/list", Endpoint(query=Page)(get_list)),
    at(None, "GET", "/times", Endpoint()(get_times)),
    at(None, "GET", "/boom", Endpoint()(get_boom)),
    at(None, "GET", "/away", Endpoint()(get_away)),
    at(None, "GET", "/slow", Endpoint(auth=Auth.NONE)(get_slow)),
    at(None, "GET", "/page", Endpoint(auth=Auth.NONE)(get_page)),
    at(None, "GET", "/stream", Endpoint(auth=Auth.NONE)(get_stream)),
    at(None, "GET", "/flood", Endpoint(auth=Auth.NONE)(get_flood)),
    at(None, "GET", "/teapot", Endpoint()(get_teapot)),
    at(None, "POST", "/partner", Endpoint(auth=Auth.PARTNER, body=Note)(post_note)),
    at(None, "POST", "/sandbox", Endpoint(auth=Auth.SANDBOX, body=Note)(post_note)),
]


def new_shell(ctx=None, metrics=None, routes=ROUTES, **options):
    clock = SystemClock()
    return Application(
        {"running": 0, "most": 0} if ctx is None else ctx,
        routes,
        authenticate=authenticate,
        rate=MemoryRate(clock),
        clock=clock,
        docs_url=DOCS,
        metrics=metrics or Metrics(),
        unavailable=(DatabaseAway,),
        **options,
    )


@contextlib.contextmanager
def running(app, intake=None):
    """A server in a thread of its own; gives its port."""
    started: queue.Queue = queue.Queue()
    intake = intake or IntakeLimits(docs_url=DOCS)

    def run():
        uvloop.run(serve(app, "127.0.0.1", 0, intake=intake, ready=started.put))

    thread = threading.Thread(target=run)
    thread.start()
    server = started.get(timeout=30)
    try:
        yield server.port
    finally:
        server.stop()
        thread.join(timeout=30)
        assert not thread.is_alive()


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json["error"]["code"]


class Client:
    """One connection. Sends raw bytes, reads answers one by one."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def send(self, data):
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.socket.sendall(data)

    def read(self, method="GET"):
        """The next answer, or None when the server has closed."""
        line = self.file.readline()
        if not line:
            return None
        assert line.startswith(b"HTTP/1.1 "), line
        headers = {}
        while (header := self.file.readline()) not in (b"\r\n", b""):
            name, _, value = header.decode().partition(":")
            assert name.lower() not in headers, f"{name} stands twice"
            headers[name.lower()] = value.strip()
        return Answer(int(line.split()[1]), headers, self._read_body(headers, method))

    def _read_body(self, headers, method):
        if method == "HEAD":
            return b""
        if "content-length" in headers:
            return self.file.read(int(headers["content-length"]))
        body = b""
        while size := int(self.file.readline(), 16):
            body += self.file.read(size)
            self.file.readline()
        self.file.readline()
        return body

    def is_closed(self):
        """Whether the server ends the connection without another byte."""
        return self.file.read(1) == b""


def talk(port, data, method="GET"):
    """Send bytes on a fresh connection, read one answer."""
    with Client(port) as client:
        client.send(data)
        return client.read(method)


def request(method, path, body=None, key=KEY, headers=()):
    """A well-formed request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: tidings.test"]
    if key is not None:
        lines.append(f"x-api-key: {key}")
    data = b""
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        if not any(header.lower().startswith("content-type") for header in headers):
            lines.append("Content-Type: application/json")
        if not any(header.lower().startswith("transfer-encoding") for header in headers):
            lines.append(f"Content-Length: {len(data)}")
    return "\r\n".join([*lines, *headers, "", ""]).encode() + data


def call(port, method, path, body=None, key=KEY, headers=()):
    return talk(port, request(method, path, body, key, headers), method)


def blob(size):
    """A JSON body of exactly `size` bytes."""
    frame = len(b'{"data":""}')
    return b'{"data":"' + b"a" * (size - frame) + b'"}'
