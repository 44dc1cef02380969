"""A load generator that costs little: one protocol a connection, the next request on each answer.

No pipelining, no parsing beyond the status line and the end of the body; so that on one core it can
drive a server on another to its limit.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from tidings import times
from tidings.clock import SystemClock

LATER_DAYS = 300


@dataclass
class Load:
    """What was measured: answers a second, and how long each took, in seconds."""

    seconds: float
    times: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    def percentile(self, share: float) -> float:
        ordered = sorted(self.times)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


class _Client(asyncio.Protocol):
    def __init__(self, make: Callable[[], bytes], load: Load, until: float) -> None:
        self.make, self.load, self.until = make, load, until
        self.done = asyncio.get_running_loop().create_future()
        self.buffer = b""
        self.began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._next()

    def _next(self) -> None:
        self.began = time.perf_counter()
        self.transport.write(self.make())  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        buffer = self.buffer + data if self.buffer else data
        end = buffer.find(b"\r\n\r\n")
        if end < 0:
            self.buffer = buffer
            return
        head = buffer[:end].lower()
        at = head.find(b"content-length:")
        length = int(head[at + 15 : head.find(b"\r", at) if b"\r" in head[at:] else None])
        if len(buffer) < end + 4 + length:
            self.buffer = buffer
            return
        self.buffer = b""
        now = time.perf_counter()
        status = int(buffer[9:12])
        self.load.times.append(now - self.began)
        self.load.statuses[status] = self.load.statuses.get(status, 0) + 1
        if now < self.until:
            self._next()
        else:
            self.transport.close()
            if not self.done.done():
                self.done.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server closed the connection"))


def summary(loads: Sequence[Load], expected: Container[int]) -> dict[str, Any]:
    """The medians of rounds; `other`: answers that were not expected."""
    return {
        "perSecond": round(statistics.median(load.rate for load in loads)),
        "p50ms": round(statistics.median(load.percentile(0.5) for load in loads) * 1000, 2),
        "p99ms": round(statistics.median(load.percentile(0.99) for load in loads) * 1000, 2),
        "other": sum(n for x in loads for s, n in x.statuses.items() if s not in expected),
    }


async def drive(
    host: str, port: int, make: Callable[[], bytes], *, connections: int, seconds: float
) -> Load:
    """Keep `connections` requests in flight for `seconds`."""
    loop = asyncio.get_running_loop()
    load = Load(seconds)
    until = time.perf_counter() + seconds
    began = time.perf_counter()
    clients = [
        (await loop.create_connection(lambda: _Client(make, load, until), host, port))[1]
        for _ in range(connections)
    ]
    await asyncio.gather(*(client.done for client in clients))
    load.seconds = time.perf_counter() - began
    return load


def later() -> str:
    """A `scheduledFor` that does not come while a run lasts; a year ahead is the most."""
    return times.to_wire(SystemClock().now() + timedelta(days=LATER_DAYS))


def require_accepted(answer: bytes) -> None:
    """A batch is answered 202 also if every item in it is rejected."""
    if b'"rejected":[]' not in answer:
        raise RuntimeError(f"items of a batch were rejected: {answer[:500]!r}")


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: bench"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
