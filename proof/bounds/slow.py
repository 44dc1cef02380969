"""Clients that are slow on purpose, hundreds at a time, each from an address among many.

Each kind is cut off by a time limit of its own and comes again at once, so that their number stays.
"""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import cycle

from proof.bounds.others import watching
from proof.bounds.promises import Promise
from proof.bounds.stage import PRESSING, Stage, serving

PART = "slow clients"
COUNTS = (200, 500)
SECONDS = 60.0
RECEIVE_BYTES = 4096
KEY = f"x-api-key: {PRESSING}\r\n".encode()
HEAD = b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\n"
BODY = (
    b"POST /api/v1/messages/text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000000\r\n" + KEY + b"\r\n"
)
LARGE = (b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n") * 50

Kind = Callable[["Client"], Awaitable[None]]


class Client:
    """One connection; `ended_at` is when the first byte or the end came that it was to meet."""

    def __init__(self, address: str, port: int) -> None:
        self._address, self._port = address, port
        self._loop = asyncio.get_running_loop()
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        self.socket.setblocking(False)
        self.socket.bind((address, 0))
        self.began = time.monotonic()

    async def connect(self) -> None:
        await self._loop.sock_connect(self.socket, ("127.0.0.1", self._port))
        self.began = time.monotonic()

    async def send(self, data: bytes) -> None:
        await self._loop.sock_sendall(self.socket, data)

    async def receive(self, size: int = 65536) -> bytes:
        return await self._loop.sock_recv(self.socket, size)

    def was_reset(self) -> bool:
        """Also while there are bytes left to read, which come before the error."""
        return bool(self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))

    async def drip(self) -> None:
        """A byte a second, until something is answered or the connection ends."""
        answered = asyncio.ensure_future(self.receive())
        try:
            while not (await asyncio.wait([answered], timeout=1))[0]:
                await self.send(b"x")
            answered.result()
        finally:
            answered.cancel()


async def slow_head(client: Client) -> None:
    await client.send(HEAD)
    await client.drip()


async def slow_body(client: Client) -> None:
    await client.send(BODY)
    await client.drip()


async def slow_reader(client: Client) -> None:
    """Fifty large answers are asked for at once, and read byte by byte."""
    await client.send(LARGE)
    while await client.receive(1) and not client.was_reset():
        await asyncio.sleep(1)


async def half_open(client: Client) -> None:
    await client.receive()


async def idle(client: Client) -> None:
    await client.send(HEAD + b"\r\n")
    while b"\r\n\r\n" not in await client.receive():
        pass
    client.began = time.monotonic()
    while await client.receive():
        pass


# With the time that each may last: its limit in section 2.14, and room for a machine at work.
KINDS: dict[Kind, float] = {
    slow_head: 5 + 5,
    slow_body: 5 + 5,
    slow_reader: 2 * 20 + 5,  # the speed is that of a window; a buffer may fill in the first
    half_open: 15 + 5,
    idle: 15 + 5,
}


def measure() -> list[Promise]:
    found: list[Promise] = []
    with serving() as stage:
        for count in COUNTS:
            found += asyncio.run(_hold(stage, count))
    return found


async def _hold(stage: Stage, count: int) -> list[Promise]:
    lived: dict[Kind, list[float]] = {kind: [] for kind in KINDS}
    turn = cycle(KINDS)
    until = time.monotonic() + SECONDS
    with watching(stage) as seen:
        async with asyncio.TaskGroup() as group:
            for n in range(count):
                kind = next(turn)
                address = f"127.1.{n // 50}.{n % 50 + 1}"
                group.create_task(_again(kind, address, stage.port, until, lived[kind]))
    text = f"{count} slow connections"
    return [
        *seen.promises(PART, text),
        *(
            Promise(PART, f"{text}: the longest that {kind.__name__.replace('_', ' ')} lasted, "
                    f"of {len(lived[kind])} cut off",
                    round(max(lived[kind], default=SECONDS), 1), most, " s")
            for kind, most in KINDS.items()
        ),
    ]  # fmt: skip


async def _again(kind: Kind, address: str, port: int, until: float, lived: list[float]) -> None:
    while (left := until - time.monotonic()) > 0:
        client = Client(address, port)
        try:
            async with asyncio.timeout(left):
                await client.connect()
                with suppress(OSError):  # cut off with a reset
                    await kind(client)
                lived.append(time.monotonic() - client.began)
        except (TimeoutError, OSError):
            pass  # the end of the run, or no room for another
        finally:
            client.socket.close()
