"""A pool of calls to a server of the test, and ways in which the server responds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from tests.support.receiver import Answer, Receiver, drip, raw
from tidings.engine.http.outbound.call_connection import HttpResponse
from tidings.engine.http.outbound.call_pool import CallPool
from tidings.engine.http.outbound.connector import Destination

SOON = timedelta(seconds=30)
SHORT = timedelta(milliseconds=300)  # to wait for what does not come
REQUEST = b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
OK = b"HTTP/1.1 200 OK\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
DONE = OK + b"Content-Length: 4\r\n\r\ndone"
CHUNKED = (
    OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\ndo\r\n2;x=1\r\nne\r\n0\r\nX-Trailer: 1\r\n\r\n"
)


@asynccontextmanager
async def pool_to(
    server: Receiver, *, is_tls: bool = False, **options: Any
) -> AsyncIterator[CallPool]:
    usual = {
        "connections": 4, "connect_timeout": SOON, "timeout": SOON, "keep_alive": SOON,
        "response_bytes_max": 1_000_000,
    }  # fmt: skip
    pool = CallPool(Destination("127.0.0.1", server.port, is_tls), **(usual | options))
    try:
        yield pool
    finally:
        await pool.close()


async def call_once(server: Receiver, **options: Any) -> HttpResponse:
    async with pool_to(server, **options) as pool:
        return await pool.call(REQUEST)


def going_on(answer: bytes) -> Answer:
    """These bytes, on a connection that stays open."""

    async def write(writer: asyncio.StreamWriter) -> bool:
        writer.write(answer)
        await writer.drain()
        return True

    return write


# All with the body `done`, by how they end.
RESPONSES = {
    "with a length": going_on(DONE),
    "byte by byte": drip(200, body=b"done", pause=0),
    "in chunks": going_on(CHUNKED),
    "after interim responses": going_on(CONTINUE * 3 + DONE),
    "and a close": raw(OK + b"Connection: close\r\nContent-Length: 4\r\n\r\ndone"),
    "until the connection ends": raw(OK + b"\r\ndone"),
    "of HTTP/1.0": raw(b"HTTP/1.0 200 OK\r\n\r\ndone"),
    "with an upgrade on offer": going_on(
        OK + b"Upgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 4\r\n\r\ndone"
    ),
}
