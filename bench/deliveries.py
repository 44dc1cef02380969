"""Webhooks a second to a local receiver, beside the posts a second of the bare aiohttp client.

The poster has one core to itself; the receiver and the database share the other. Rounds are taken
in turns in one process. Also: how long good receivers wait for their first post while another
account's ten thousand events go to a black hole.
"""

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import aiohttp
import msgspec
import structlog
import uvloop

from bench import inside
from tidings.app import Service
from tidings.clock import SystemClock
from tidings.engine import log as logs
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.state.events import STATUS, MessageStatusData
from tidings.features.webhooks.publish import Event, publish
from tidings.settings import Settings

EVENTS = 12_000
AT_ONCE = 32  # posts of the bare client, as many as a destination may have at most
GROUP = 500
DUE = 10_000  # events to the black hole
GOOD = 16  # accounts beside it
PER_SECOND, SECONDS = 100, 4  # events of theirs
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
DATA = MessageStatusData(
    client_message_id="order-00000001",
    message_id="wamid." + "x" * 50,
    to="972501234567",
    meta=msgspec.Raw(b'{"order":1}'),
    status="sent",
    at="2026-01-01T00:00:00.000Z",
)
ACCOUNT = """
[[accounts]]
name = "NAME"
environment = "sandbox"
webhookUrl = "http://127.0.0.1:PORT/PATH"
"""


class Receiver(asyncio.Protocol):
    """As cheap as can be: a request ends with its body, and that ends the read."""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if data.endswith(b"}") and not data.startswith(b"POST /hole"):
            self.transport.write(ANSWER)


async def receive(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", port)
    await server.serve_forever()


async def bare(url: str) -> float:
    """Posts a second of an aiohttp client and nothing else."""
    left, body = EVENTS, b'{"a":"' + b"x" * 400 + b'"}'

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


async def publish_events(db: Database, account_id: UUID, count: int) -> None:
    async def work(tx: Tx) -> None:
        account = (await load_accounts(tx, [account_id]))[account_id]
        await publish(tx, [Event(account, STATUS, tx.now, DATA)] * count)

    await db.transact(work)


async def delivered(service: Service, account_id: UUID) -> float:
    """Webhooks a second, from the outbox to the receiver and recorded as delivered."""
    db = service.ctx.db
    for _ in range(EVENTS // GROUP):
        await publish_events(db, account_id, GROUP)
    worker = service.workers["webhooks"]
    began = time.perf_counter()
    running = asyncio.create_task(worker.run())
    while await db.value("SELECT EXISTS (SELECT FROM jobs WHERE pool = 'webhooks')"):
        await asyncio.sleep(0.02)
    taken = time.perf_counter() - began
    worker.stop()
    await running
    lost = await db.value("SELECT count(*) FROM webhooks WHERE state <> 'delivered'")
    assert lost == 0, f"{lost} were not delivered"
    await db.value("TRUNCATE webhooks")
    return EVENTS / taken


async def first_posts(db: Database, accounts: list[UUID]) -> dict[str, float]:
    """Milliseconds from an event to the record of its first post, under a steady trickle."""
    since = await db.value("SELECT coalesce(max(seq), 0) FROM webhooks")
    began = time.perf_counter()
    for n in range(PER_SECOND * SECONDS):
        await publish_events(db, accounts[n % len(accounts)], 1)
        await asyncio.sleep(max(0.0, began + (n + 1) / PER_SECOND - time.perf_counter()))
    await asyncio.sleep(1)
    rows = await db.rows(
        """
        SELECT extract(epoch FROM (attempts->0->>'at')::timestamptz - created_at) * 1000 AS ms
          FROM webhooks WHERE seq > $1 AND account_id = ANY($2::uuid[])
        """,
        since,
        accounts,
    )
    times = sorted(float(row["ms"]) for row in rows)
    return {"p50ms": round(times[len(times) // 2], 1), "p99ms": round(times[-len(times) // 100], 1)}


async def beside_a_black_hole(service: Service, hole: UUID, good: list[UUID]) -> dict[str, Any]:
    db, worker = service.ctx.db, service.workers["webhooks"]
    running = asyncio.create_task(worker.run())
    await first_posts(db, good)  # to warm up
    alone = await first_posts(db, good)
    for _ in range(DUE // GROUP):
        await publish_events(db, hole, GROUP)
    beside = await first_posts(db, good)
    worker.stop()
    await running
    ratio = round(beside["p99ms"] / alone["p99ms"], 2)
    return {"webhooksAlone": alone, "webhooksBesideBlackHole": beside, "blackHoleRatio": ratio}


async def _measure(rounds: int, port: int) -> dict[str, Any]:
    settings, clock = Settings.from_env(os.environ), SystemClock()
    logs.configure(clock, "error")
    structlog.get_logger()
    server = await EmbeddedServer.start(settings.data / "postgres")
    db = await Database.open(server, clock, 6)
    ids = {row["name"]: row["id"] for row in await db.rows("SELECT id, name FROM accounts")}
    bares, ours = [], []
    for _ in range(rounds):
        service = await Service.open(settings, db, clock=clock, roles=frozenset({"worker"}))
        bares.append(await bare(f"http://127.0.0.1:{port}/hook"))
        ours.append(await delivered(service, ids["receiver"]))
        await service.stop()
    service = await Service.open(settings, db, clock=clock, roles=frozenset({"worker"}))
    good = [ids[f"good-{n}"] for n in range(GOOD)]
    found = await beside_a_black_hole(service, ids["hole"], good)
    await service.stop()
    await db.close()
    await server.stop()
    ratio = statistics.median(our / each for our, each in zip(ours, bares, strict=True))
    return found | {
        "barePosts": round(statistics.median(bares)),
        "deliveries": round(statistics.median(ours)),
        "deliveriesRatio": round(ratio, 3),
    }


def measure(rounds: int, port: int) -> dict[str, Any]:
    """On a database of its own; this process's core is the receiver's and the database's."""
    folder = Path(tempfile.mkdtemp(prefix="tidings-bench-"))
    folder.chmod(0o755)
    env = {"TIDINGS_DATA": str(folder / "data"), "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true"}
    whole = {**os.environ, **env}
    paths = {"receiver": "hook", "hole": "hole"} | {f"good-{n}": f"good{n}" for n in range(GOOD)}
    file = folder / "bench.toml"
    file.write_text(
        "".join(
            ACCOUNT.replace("NAME", name).replace("PORT", str(port)).replace("PATH", path)
            for name, path in paths.items()
        )
    )
    module = [sys.executable, "-m", "bench.deliveries"]
    holder = inside.Database(env)
    receiver = subprocess.Popen([*module, "receive", str(port)])
    try:
        tidings = str(Path(sys.executable).parent / "tidings")
        subprocess.run([tidings, "apply", str(file)], env=whole, check=True, capture_output=True)
        made = subprocess.run(
            [*module, "post", str(port), str(rounds)], env=whole, check=True,
            stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.sched_setaffinity(0, {0}),
        )  # fmt: skip
        found: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
        return found
    finally:
        receiver.terminate()
        receiver.wait(10)
        holder.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1] == "receive":
        uvloop.run(receive(int(sys.argv[2])))
    else:
        print(json.dumps(uvloop.run(_measure(int(sys.argv[3]), int(sys.argv[2])))))
