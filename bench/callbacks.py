"""Status callbacks of the live platform, at a steady 3,000 a second: how long each is answered in.

One status a callback, as the platform mostly sends them; each is verified, finds its message, moves
it, publishes its event and is durable before the answer. Latency counts from the time a callback
was to be sent, so a server that falls behind cannot hide it. Alone: `python -m bench.callbacks`.
"""

import asyncio
import hashlib
import hmac
import json
import time
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import asyncpg

from bench.load import Load, request
from tidings.clock import SystemClock
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.pool import Database
from tidings.ids import first_id
from tidings.settings import Settings

SECRET = "bench-app-secret"
ENV = {"TIDINGS_APP_SECRET": SECRET, "TIDINGS_GRAPH_URL": "http://127.0.0.1:9"}
PHONE_NUMBER_ID = "105599990001"
PATH = "/platform/whatsapp/webhook"
RATE = 3000
CONNECTIONS, ADDRESSES = 256, 4
# Of the ids of all messages here, in hexadecimal: ids of now, so that they are in this month's
# partition as those of a service are.
ID_HEAD = first_id(SystemClock().now()).hex[:16]
ACCOUNT = f"""
[[accounts]]
name = "bench-live"
environment = "live"
billingMode = "OFF"
[[accounts.numbers]]
number = "972555888001"
phoneNumberId = "{PHONE_NUMBER_ID}"
wabaId = "2077"
accessToken = "none"
perSecond = 1000
"""
SEED = """
    INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content, status,
        created_at, number, platform_id, generation, times_out_at, sent_at, timeline)
    SELECT $1, ($4 || lpad(to_hex($2::bigint + n), 16, '0'))::uuid, 'live-' || $2::bigint + n,
           'notification', '97250' || lpad((n % 10000000)::text, 7, '0'),
           '{"type": "text", "body": "Hello"}', 'sent', now(), '972555888001',
           'wamid.' || $2::bigint + n, 1, now() + interval '30 days', now(),
           '[{"status": "sending", "at": "2026-01-01T00:00:00.000Z"},
             {"status": "sent", "at": "2026-01-01T00:00:00.000Z"}]'
      FROM generate_series(1, $3) AS n
"""
SEED_IDS = """
    INSERT INTO platform_ids (account_id, platform_id, message_id)
    SELECT account_id, platform_id, id FROM messages WHERE account_id = $1
    ON CONFLICT DO NOTHING
"""


async def seed(env: dict[str, str], account: UUID, first: int, count: int) -> None:
    """Messages that have been sent, as if by this account."""
    server = await EmbeddedServer.start(Settings.from_env(env).data / "postgres")
    db = await Database.open(server, SystemClock(), 1)
    connection = await db.dedicated()
    try:
        await _seed(connection, account, first, count)
    finally:
        await connection.close()
        await db.close()
        await server.stop()


async def seed_into(dsn: Mapping[str, Any], account: UUID, first: int, count: int) -> None:
    """The same in a database that runs by itself."""
    connection = await asyncpg.connect(**dsn)
    try:
        await _seed(connection, account, first, count)
    finally:
        await connection.close()


async def _seed(connection: Any, account: UUID, first: int, count: int) -> None:
    await connection.execute(SEED, account, first, count, ID_HEAD)
    await connection.execute(SEED_IDS, account)
    await connection.execute("ANALYZE messages, platform_ids")


def callbacks(first: int, count: int) -> Iterator[bytes]:
    """Delivered, then read, of each message; found by our own id, as the platform sends it back."""
    at = int(time.time())
    for kind in ("delivered", "read"):
        for n in range(first + 1, first + count + 1):
            status = {
                "id": f"wamid.{n}", "status": kind, "timestamp": str(at),
                "recipient_id": "972500000000", "biz_opaque_callback_data": f"{ID_HEAD}{n:016x}.1",
                "pricing": {"billable": True, "pricing_model": "PMP", "category": "utility"},
            }  # fmt: skip
            metadata = {"display_phone_number": "972555888001", "phone_number_id": PHONE_NUMBER_ID}
            value = {"messaging_product": "whatsapp", "metadata": metadata, "statuses": [status]}
            change = {"field": "messages", "value": value}
            entry = {"id": "2077", "changes": [change]}
            body = json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()
            signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
            yield request("POST", PATH, {"X-Hub-Signature-256": f"sha256={signature}"}, body)


class _Line(asyncio.Protocol):
    """One connection; idle until it is given a request."""

    def __init__(self, steady: "_Steady") -> None:
        self.steady = steady
        self.due = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.steady.idle.append(self)

    def send(self, due: float, data: bytes) -> None:
        self.due = due
        self.transport.write(data)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        # An answer without a body comes in one piece.
        self.steady.answered(self, int(data[9:12]))


class _Steady:
    """Sends at a steady rate, whatever the server does."""

    def __init__(self, requests: Iterator[bytes], rate: float, seconds: float) -> None:
        self.requests, self.rate, self.seconds = requests, rate, seconds
        self.idle: deque[_Line] = deque()
        self.waiting: deque[tuple[float, bytes]] = deque()
        self.load = Load(seconds)
        self.in_flight = 0

    async def run(self, port: int) -> Load:
        loop = asyncio.get_running_loop()
        for n in range(CONNECTIONS):
            # A hundred are taken from one address, and the platform calls from many.
            own = (f"127.0.0.{2 + n % ADDRESSES}", 0)
            await loop.create_connection(lambda: _Line(self), "127.0.0.1", port, local_addr=own)
        began = time.perf_counter()
        sent = 0
        while (now := time.perf_counter() - began) < self.seconds:
            while sent < now * self.rate:
                self._send(began + sent / self.rate, next(self.requests))
                sent += 1
            await asyncio.sleep(0.001)
        while self.in_flight or self.waiting:
            await asyncio.sleep(0.01)
        self.load.seconds = time.perf_counter() - began
        for line in self.idle:
            line.transport.close()
        return self.load

    def _send(self, due: float, data: bytes) -> None:
        if not self.idle:
            self.waiting.append((due, data))
            return
        self.in_flight += 1
        self.idle.popleft().send(due, data)

    def answered(self, line: _Line, status: int) -> None:
        self.load.times.append(time.perf_counter() - line.due)
        self.load.statuses[status] = self.load.statuses.get(status, 0) + 1
        if self.waiting:
            line.send(*self.waiting.popleft())
        else:
            self.in_flight -= 1
            self.idle.append(line)


async def measure(
    port: int, env: dict[str, str], account: UUID, seconds: float, rounds: int
) -> list[Load]:
    """Each round has messages of its own."""
    loads = []
    for turn in range(rounds):
        count = int(RATE * seconds / 2) + 100
        first = (turn + 1) << 40
        await seed(env, account, first, count)
        requests = list(callbacks(first, count))  # made beforehand: they cost the load's core
        loads.append(await _Steady(iter(requests), RATE, seconds).run(port))
    return loads
