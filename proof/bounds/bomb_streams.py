"""Requests that do not end, or come without end: chunks, headers, pipelines, polls, streams."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import httpx

from proof.bounds.raw import exchange, status
from proof.bounds.stage import PRESSING, Stage

CHUNK = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
CHUNKS_MAX = 640  # 40 MB: the server must have had enough by then
PIPELINED = 20_000
POLL_SECONDS = 15
KEY = f"Host: a\r\nx-api-key: {PRESSING}\r\n".encode()
JSON = b"Content-Type: application/json\r\n"

Sender = Callable[[Stage, str], Callable[[str], str]]  # a stage and somebody's cookies


@dataclass(frozen=True, slots=True)
class Stream:
    name: str
    times: int
    expected: frozenset[str]
    sender: Sender


def _raw(parts: Callable[[], Iterator[bytes]]) -> Sender:
    return lambda stage, _: lambda address: exchange(address, stage.port, parts())


def _chunked() -> Iterator[bytes]:
    yield b"POST /api/v1/messages/text HTTP/1.1\r\n" + KEY + JSON
    yield b"Transfer-Encoding: chunked\r\n\r\n"
    for _ in range(CHUNKS_MAX):
        yield CHUNK


def _tiny_chunks() -> Iterator[bytes]:
    """A byte each, with an extension of a kilobyte."""
    yield b"POST /api/v1/messages/text HTTP/1.1\r\n" + KEY + JSON
    yield b"Transfer-Encoding: chunked\r\n\r\n"
    piece = b"1;" + b"e" * 1000 + b"\r\n \r\n"
    for _ in range(CHUNKS_MAX):
        yield piece * 60


def _long_header() -> Iterator[bytes]:
    yield b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX: "
    for _ in range(64):
        yield b"x" * 65_536


def _many_headers() -> Iterator[bytes]:
    yield b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\n"
    for n in range(500):
        yield b"".join(b"X-%d-%d: 1\r\n" % (n, m) for m in range(200))


def _flood(stage: Stage, _: str) -> Callable[[str], str]:
    """Pipelined, and nothing of it is read until all is sent or the server has had enough."""
    data = b"GET /api/v1/messages?limit=200 HTTP/1.1\r\n" + KEY + b"\r\n"

    def send(address: str) -> str:
        with socket.create_connection(
            ("127.0.0.1", stage.port), timeout=60, source_address=(address, 0)
        ) as one:
            one.settimeout(POLL_SECONDS)
            with suppress(OSError):
                for _ in range(PIPELINED // 100):
                    one.sendall(data * 100)
            time.sleep(POLL_SECONDS)
            return status(one)

    return send


def _poll(stage: Stage, _: str) -> Callable[[str], str]:
    events = f"http://127.0.0.1:{stage.port}/api/v1/webhooks/events"
    newest = httpx.get(events, headers={"x-api-key": PRESSING}).json()["nextCursor"]
    after = f"&after={newest}" if newest else ""
    head = f"GET /api/v1/webhooks/events?wait={POLL_SECONDS}{after} HTTP/1.1\r\n".encode()
    return lambda address: exchange(address, stage.port, (head + KEY + b"\r\n",))


def _listen(stage: Stage, cookies: str) -> Callable[[str], str]:
    """A page's stream of news, held open."""
    head = f"GET /portal/stream HTTP/1.1\r\nHost: a\r\nCookie: {cookies}\r\n\r\n".encode()

    def send(address: str) -> str:
        with socket.create_connection(
            ("127.0.0.1", stage.port), timeout=60, source_address=(address, 0)
        ) as one:
            one.sendall(head)
            said = status(one)
            time.sleep(POLL_SECONDS if said == "200" else 0)
            return said

    return send


REFUSED = frozenset({"400"})
STREAMS = (
    Stream("a chunked body without end", 20, REFUSED | {"429"}, _raw(_chunked)),
    Stream("chunks of a byte with long extensions", 20, REFUSED | {"429"}, _raw(_tiny_chunks)),
    Stream("a header of 4 MB", 50, REFUSED, _raw(_long_header)),
    Stream("100,000 headers", 50, REFUSED, _raw(_many_headers)),
    Stream(f"{PIPELINED:,} pipelined requests, unread", 20, frozenset({"200", "cut"}), _flood),
    Stream("long polls", 200, frozenset({"200", "429"}), _poll),
    Stream("streams of one person", 100, frozenset({"200", "429"}), _listen),
)
