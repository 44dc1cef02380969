"""A customer's server, for tests: it receives posts over real sockets and answers as scripted.

with Receiver() as receiver:
    receiver.answers([500, hang(), 200])  # then 200 for ever, or what `answer` set
    ...
    receiver.wait_for(3)
    receiver.verify("whsec_...")
"""

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import ssl
import struct
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

import trustme
from dnslib import RR, DNSRecord
from dnslib.server import DNSLogger, DNSServer

from tests.support.threaded import Threaded

Answer = Callable[[asyncio.StreamWriter], Awaitable[bool]]  # True: the connection may go on

TIMESTAMP_TOLERANCE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """One request, as it came."""

    method: str
    path: str
    headers: Mapping[str, str]  # lower-case names
    body: bytes
    at: float  # time.monotonic() when its last byte was read
    connection: int  # the first connection is 1

    def __getitem__(self, header: str) -> str:
        return self.headers[header.lower()]

    def json(self) -> Any:
        return json.loads(self.body)


class Receiver(Threaded):
    """Listens from when it is made until `close`, in a thread of its own."""

    def __init__(
        self, *, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        super().__init__()
        self.requests: list[ReceivedRequest] = []
        self.connections = 0
        self.port = port
        self._host, self._tls = host, tls
        self._usual = reply(200)
        self._next: deque[Answer] = deque()
        self._changed = threading.Condition()
        self.start()

    @property
    def url(self) -> str:
        return self.url_at(f"[{self._host}]" if ":" in self._host else self._host)

    def url_at(self, host: str, path: str = "/hook") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    def answer(self, answer: int | Answer, **details: Any) -> None:
        """What it says from now on: `answer(500)`, `answer(200, delay=0.2)`, `answer(hang())`."""
        self._usual = reply(answer, **details) if isinstance(answer, int) else answer

    def answers(self, answers: Iterable[int | Answer]) -> None:
        """What it says to the next requests, one after another, before its usual answer."""
        self._next.extend(reply(each) if isinstance(each, int) else each for each in answers)

    def wait_for(self, count: int, timeout: float = 30.0) -> list[ReceivedRequest]:
        """All requests, as soon as there are `count`."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self.requests) >= count, timeout)
        assert came, f"{len(self.requests)} of {count} requests came within {timeout} s"
        return list(self.requests)

    def verify(self, secret: str, *, header: str = "X-Signature", now: float | None = None) -> None:
        """Check every request, the way section 6.1 instructs customers."""
        assert self.requests, "no request came"
        began = time.time() - time.monotonic()  # a test may be long: the age counts at receipt
        for request in self.requests:
            timestamp = request["X-Timestamp"]
            signed = f"{timestamp}.".encode() + request.body
            expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
            assert hmac.compare_digest(request[header], expected), "the signature does not match"
            assert _standard(request, secret) in request["webhook-signature"].split(" ")
            age = abs((began + request.at if now is None else now) - int(timestamp))
            assert age <= TIMESTAMP_TOLERANCE_SECONDS, f"the timestamp is {age:.0f} s off"

    def __enter__(self) -> Self:
        return self

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._connected, self._host, self.port, ssl=self._tls)
        self.port = server.sockets[0].getsockname()[1]
        await self._until_closed()
        server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        # The other side may go away at any time, and so may the test.
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                request = await _read(reader, number)
                with self._changed:
                    answer = self._next.popleft() if self._next else self._usual
                    self.requests.append(request)
                    self._changed.notify_all()
                if not await answer(writer):
                    break
        writer.close()


def _standard(request: ReceivedRequest, secret: str) -> str:
    """The signature of Standard Webhooks, worked out as their page says."""
    assert request["webhook-id"] == request["X-Webhook-Id"]
    part = secret.removeprefix("whsec_").rstrip("=")
    key = base64.b64decode(part + "=" * (-len(part) % 4), validate=True)
    signed = f"{request['webhook-id']}.{request['webhook-timestamp']}.".encode() + request.body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def reply(
    status: int,
    *,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    delay: float = 0.0,
) -> Answer:
    """An ordinary answer, after `delay` seconds."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(delay)
        writer.write(_head(status, {"Content-Length": str(len(body)), **(headers or {})}) + body)
        await writer.drain()
        return True

    return answer


def redirect(to: str, status: int = 302) -> Answer:
    return reply(status, headers={"Location": to})


def hang(after: bytes = b"") -> Answer:
    """Sends `after`, which is nothing or the beginning of a response, and then nothing."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        writer.write(after)
        await asyncio.Event().wait()
        return False

    return answer


def reset() -> Answer:
    """Breaks the connection with a TCP reset."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        return False

    return answer


def raw(answer_bytes: bytes) -> Answer:
    """Sends exactly these bytes and closes the connection."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        writer.write(answer_bytes)
        await writer.drain()
        return False

    return answer


def drip(status: int = 200, *, body: bytes = b"ok", pause: float = 0.01) -> Answer:
    """An ordinary answer, byte by byte, head and all."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        for byte in _head(status, {"Content-Length": str(len(body))}) + body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(pause)
        return True

    return answer


def endless(status: int = 200, *, claims: int | None = None) -> Answer:
    """A body that does not end; `claims` is the Content-Length it announces."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        length = {"Connection": "close"} if claims is None else {"Content-Length": str(claims)}
        writer.write(_head(status, length))
        while True:
            writer.write(b"secret" * 10_000)
            await writer.drain()

    return answer


class NameServer:
    """A customer's name server: real DNS, a new answer each time, the last one for ever."""

    def __init__(self, addresses: list[str]) -> None:
        self._addresses = deque(addresses)
        silent = DNSLogger(logf=lambda _: None)
        self._server = DNSServer(self, address="127.0.0.1", port=0, logger=silent)
        self._server.start_thread()

    def resolve(self, request: DNSRecord, _: object) -> DNSRecord:
        many = len(self._addresses) > 1
        address = self._addresses.popleft() if many else self._addresses[0]
        answer = request.reply()
        answer.add_answer(*RR.fromZone(f"{request.q.qname} 0 A {address}"))
        return answer

    def resolve_name(self, host: str) -> list[str]:
        """The `resolve` argument of `Outbound`."""
        port = self._server.server.server_address[1]
        packet = DNSRecord.question(host).send("127.0.0.1", port)
        return [str(answer.rdata) for answer in DNSRecord.parse(packet).rr]


def presenting(authority: trustme.CA, name: str) -> ssl.SSLContext:
    """For the receiver's `tls`: it shows a certificate of this name."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(name).configure_cert(context)
    return context


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    """For who posts to it."""
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    reason = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Odd"
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {text}" for name, text in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


async def _read(reader: asyncio.StreamReader, connection: int) -> ReceivedRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): text for name, text in (line.split(": ", 1) for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return ReceivedRequest(method, path, headers, body, time.monotonic(), connection)
