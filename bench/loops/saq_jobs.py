"""SAQ's side of the comparison, run by the peers' own environment (`make bench-peers`): a job that
posts 500 bytes, and how such jobs are enqueued.

    SAQ_URL=... SINK_URL=... python -m bench.loops.saq_jobs COUNT     enqueues
    SAQ_URL=... SINK_URL=... saq bench.loops.saq_jobs.settings        works
"""

import asyncio
import os
import sys
from typing import Any

import aiohttp
from saq import Queue

AT_ONCE = 50
CONNECTIONS = 64
ENQUEUERS = 16
BODY = '{"messaging_product":"whatsapp","to":"15551234567","type":"template"}'.ljust(500)
HEADERS = {"content-type": "application/json", "authorization": "Bearer " + "t" * 40}

queue = Queue.from_url(os.environ["SAQ_URL"])


async def startup(ctx: dict[str, Any]) -> None:
    ctx["session"] = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONNECTIONS))


async def send(ctx: dict[str, Any], *, body: str) -> None:
    url = os.environ["SINK_URL"]
    async with ctx["session"].post(url, data=body, headers=HEADERS) as answer:
        await answer.read()


settings = {"queue": queue, "functions": [send], "concurrency": AT_ONCE, "startup": startup}


async def enqueue(count: int) -> None:
    await queue.connect()
    left = iter(range(count))

    async def work() -> None:
        for _ in left:
            await queue.enqueue("send", body=BODY, timeout=30, retries=3)

    await asyncio.gather(*(work() for _ in range(ENQUEUERS)))
    await queue.disconnect()


if __name__ == "__main__":
    asyncio.run(enqueue(int(sys.argv[1])))
