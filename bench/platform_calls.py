"""Processor time of a call to the platform: our client beside aiohttp, in turns in one process.

python -m bench.platform_calls. The server is a process of its own, answers on loopback sockets with
the headers that the platform sends, and costs this process nothing but the sockets.
"""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import msgspec
import uvloop

from tidings.platforms.whatsapp.client import Graph

CALLS, ROUNDS = 5_000, 5
TOKEN, PATH = "EAAG" + "x" * 190, "105500000000001/messages"
MESSAGE = {
    "messaging_product": "whatsapp",
    "recipient_type": "individual",
    "to": "972501234567",
    "type": "text",
    "text": {"body": "Your order 1234 arrives between 10 and 12.", "preview_url": False},
    "biz_opaque_callback_data": "0192aaaa-bbbb-cccc-dddd-eeeeeeeeeeee.1",
}
BODY = b'{"messaging_product":"whatsapp","messages":[{"id":"wamid.' + b"x" * 56 + b'"}]}'
ANSWER = b"\r\n".join(
    [
        b"HTTP/1.1 200 OK",
        b"Content-Type: application/json; charset=UTF-8",
        *(b"x-fb-header-%d: 3kD93kdk39Dk39dk39dKd93kdk93" % number for number in range(11)),
        b"Connection: keep-alive",
        b"Content-Length: %d" % len(BODY),
        b"",
        BODY,
    ]
)

Call = Callable[[], Awaitable[object]]


class Server(asyncio.Protocol):
    """As cheap as can be: a request ends with its body, and that ends the read."""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if data.endswith(b"}"):
            self.transport.write(ANSWER)


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def microseconds(call: Call, at_once: int) -> float:
    left = CALLS

    async def call_all() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await call()

    await asyncio.gather(*(call() for _ in range(at_once)))  # opens the connections
    began = time.process_time()
    await asyncio.gather(*(call_all() for _ in range(at_once)))
    return (time.process_time() - began) / CALLS * 1_000_000


async def compare(url: str) -> None:
    graph, session = Graph(url, "v25.0"), aiohttp.ClientSession()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}

    async def bare() -> object:
        data = msgspec.json.encode(MESSAGE)
        async with session.post(f"{url}/v25.0/{PATH}", data=data, headers=headers) as response:
            return msgspec.json.decode(await response.read())

    clients: dict[str, Call] = {
        "bare aiohttp": bare,
        "our client": lambda: graph.post_json(PATH, TOKEN, MESSAGE),
    }
    for at_once in (1, 32, 128):
        rounds = [
            {name: await microseconds(call, at_once) for name, call in clients.items()}
            for _ in range(ROUNDS)
        ]
        for name in clients:
            found = sorted(each[name] for each in rounds)
            print(
                f"{at_once:4} at once  {name:13} median {statistics.median(found):6.1f} us", end=""
            )
            print(f"  ({found[0]:.1f} to {found[-1]:.1f})")
    await session.close()
    await graph.close()


def main() -> None:
    command = [sys.executable, "-m", "bench.platform_calls", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            uvloop.run(compare(f"http://127.0.0.1:{int(server.stdout.readline())}"))
        finally:
            server.terminate()


if __name__ == "__main__":
    uvloop.run(serve()) if sys.argv[1:] == ["serve"] else main()
