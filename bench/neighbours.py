"""What one tenant's message costs while another's ninety connections pipeline theirs (issue 13).

The neighbour sends one message after another: alone, and beside the crowd, in turns. The crowd is a
process of its own, so that its haste is not the neighbour's.
"""

import asyncio
import itertools
import multiprocessing
import os
import time
from typing import Any

import uvloop

from bench.load import Load, drive, summary
from bench.sends import ACCOUNT as ONE
from bench.sends import sends
from bench.stage import Stage

CONNECTIONS, DEPTH = 90, 16  # and so many requests on their way on each
ACCOUNT = ONE.replace('name = "bench"', 'name = "neighbour"')
WARM_UP_SECONDS = 1.0

_runs = itertools.count()


def measure(
    stage: Stage, crowd: str, neighbour: str, seconds: float, rounds: int
) -> dict[str, Any]:
    alone: list[Load] = []
    beside: list[Load] = []
    for _ in range(rounds):
        alone.append(_one_at_a_time(stage.port, neighbour, seconds))
        pressing = multiprocessing.Process(
            target=_press, args=(stage.port, crowd, seconds + 2 * WARM_UP_SECONDS)
        )
        pressing.start()
        time.sleep(WARM_UP_SECONDS)
        beside.append(_one_at_a_time(stage.port, neighbour, seconds))
        pressing.join()
    found = {"alone": summary(alone, (200, 202)), "beside": summary(beside, (200, 202))}
    ratio = found["beside"]["p99ms"] / found["alone"]["p99ms"]
    return found | {"ratio": round(ratio, 2)}


def _one_at_a_time(port: int, key: str, seconds: float) -> Load:
    make = sends(key, "9001", f"n{next(_runs)}{os.getpid()}")
    return uvloop.run(drive("127.0.0.1", port, make, connections=1, seconds=seconds))


def _press(port: int, key: str, seconds: float) -> None:
    make = sends(key, "9001", f"c{os.getpid()}")
    uvloop.run(_press_all(port, make, seconds))


async def _press_all(port: int, make: Any, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    crowd = [
        (await loop.create_connection(lambda: _Pipelining(make), "127.0.0.1", port))[0]
        for _ in range(CONNECTIONS)
    ]
    await asyncio.sleep(seconds)
    for transport in crowd:
        transport.abort()


class _Pipelining(asyncio.Protocol):
    """Sends another request for every answer, `DEPTH` ahead."""

    def __init__(self, make: Any) -> None:
        self._make = make

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._transport.write(b"".join(self._make() for _ in range(DEPTH)))

    def data_received(self, data: bytes) -> None:
        answered = data.count(b"HTTP/1.1 ")  # a head cut in two is missed: then one fewer waits
        self._transport.write(b"".join(self._make() for _ in range(answered)))
