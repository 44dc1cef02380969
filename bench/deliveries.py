"""Webhooks a second to a local receiver, beside the posts a second of the bare aiohttp client.

The poster has one core to itself; the receiver and the database share the other. Rounds are taken
in turns in one process. Also: how long the first post of good receivers takes while another
account's ten thousand events go to a black hole.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from typing import Any
from uuid import UUID

import aiohttp
import uvloop

from tidings.app import Service
from tidings.clock import SystemClock
from tidings.engine.db.embedded import EmbeddedServer
from tidings.engine.db.pool import Database
from tidings.features.accounts.lookup import load_accounts
from tidings.features.webhooks.publish import Event, publish
from tidings.settings import Settings

EVENTS = 12_000
AT_ONCE = 32  # posts of the bare client, as many as a destination may have at most
GROUP = 500
ACCOUNTS = """
[[accounts]]
name = "bench-webhooks"
environment = "sandbox"
webhookUrl = "http://127.0.0.1:PORT/hook"
"""
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class Receiver(asyncio.Protocol):
    """As cheap as can be: it counts requests by their last bytes, a body in a single read."""

    count = 0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if data.endswith(b"}"):
            Receiver.count += 1
            self.transport.write(ANSWER)


async def receive(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", port)
    await server.serve_forever()


async def bare(url: str, body: bytes) -> float:
    """Posts a second of an aiohttp client and nothing else."""
    left = EVENTS

    async def post_all(session: aiohttp.ClientSession) -> None:
        nonlocal left
        while left > 0:
            left -= 1
            async with session.post(url, data=body, headers={"X-Signature": "s" * 71}) as answer:
                assert answer.status == 200

    connector = aiohttp.TCPConnector(limit=AT_ONCE)
    async with aiohttp.ClientSession(connector=connector) as session:
        began = time.perf_counter()
        await asyncio.gather(*(post_all(session) for _ in range(AT_ONCE)))
        return EVENTS / (time.perf_counter() - began)


async def delivered(service: Service, account_id: UUID) -> float:
    """Webhooks a second from the outbox to the receiver and recorded as delivered."""
    ctx = service.ctx
    data = {
        "clientMessageId": "order-00000001", "messageId": "wamid." + "x" * 50,
        "to": "972501234567", "meta": {"order": 1}, "status": "sent",
        "at": "2026-01-01T00:00:00.000Z",
    }  # fmt: skip
    for _ in range(EVENTS // GROUP):

        async def put(tx: Any) -> None:
            account = (await load_accounts(tx, [account_id]))[account_id]
            await publish(tx, [Event(account, "message.status", tx.now, data)] * GROUP)

        await ctx.db.transact(put)
    worker = service.workers["webhooks"]
    began = time.perf_counter()
    running = asyncio.create_task(worker.run())
    while await ctx.db.value("SELECT EXISTS (SELECT FROM jobs WHERE pool = 'webhooks')"):
        await asyncio.sleep(0.02)
    taken = time.perf_counter() - began
    worker.stop()
    await running
    lost = await ctx.db.value("SELECT count(*) FROM webhooks WHERE state <> 'delivered'")
    assert lost == 0, f"{lost} were not delivered"
    await ctx.db.value("TRUNCATE webhooks")
    return EVENTS / taken


async def _rounds(rounds: int, port: int) -> dict[str, Any]:
    settings = Settings.from_env(os.environ)
    clock = SystemClock()
    server = await EmbeddedServer.start(settings.data / "postgres")
    db = await Database.open(server, clock, 6)
    account_id = await db.value("SELECT id FROM accounts WHERE name = 'bench-webhooks'")
    url = f"http://127.0.0.1:{port}/hook"
    bares, ours = [], []
    for _ in range(rounds):
        service = await Service.open(settings, db, clock=clock, roles=frozenset({"worker"}))
        bares.append(await bare(url, b'{"a":"' + b"x" * 400 + b'"}'))
        ours.append(await delivered(service, account_id))
        await service.stop()
    await db.close()
    await server.stop()
    return {
        "barePosts": round(statistics.median(bares)),
        "deliveries": round(statistics.median(ours)),
        "deliveriesRatio": round(
            statistics.median(o / b for o, b in zip(ours, bares, strict=True)), 3
        ),
    }


def measure(env: dict[str, str], port: int, rounds: int) -> dict[str, Any]:
    """In a process of its own on the server's core; the receiver on this one."""
    env = {**os.environ, **env, "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true"}
    receiver = subprocess.Popen([sys.executable, "-m", "bench.deliveries", "receive", str(port)])
    try:
        code = [sys.executable, "-m", "bench.deliveries", "post", str(port), str(rounds)]
        made = subprocess.run(
            code, env=env, check=True, stdout=subprocess.PIPE, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, {0}),
        )  # fmt: skip
        found: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
        return found
    finally:
        receiver.terminate()
        receiver.wait(10)


if __name__ == "__main__":
    if sys.argv[1] == "receive":
        uvloop.run(receive(int(sys.argv[2])))
    else:
        print(json.dumps(uvloop.run(_rounds(int(sys.argv[3]), int(sys.argv[2])))))
