"""One tenant that takes all it can get, and what another one's messages cost meanwhile.

`bench.neighbours` has a tenant that pipelines its requests. Here one has a hundred thousand
messages waiting, and then ten thousand webhooks due to a receiver that never answers.
"""

import json
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from bench.load import later
from proof.bounds.others import watching
from proof.bounds.promises import Promise
from proof.bounds.stage import OTHER, PRESSING, Stage, account, serving

PART = "neighbours"
WAITING, BATCH = 100_000, 1_000
DUE, HOG_RATE = 10_000, 1_000
MEASURED, PAUSE_SECONDS = 100, 0.1
FIRST_ATTEMPT_MAX = 2_000.0  # ms, P7
SEND_TIMES = 2.0  # beside, of alone; and never less than what follows
SEND_MS_MIN = 100.0


class Customer(ThreadingHTTPServer):
    """Takes webhooks and says how long after their making they came, in milliseconds."""

    daemon_threads = True

    def __init__(self) -> None:
        self.waits: list[float] = []
        super().__init__(("127.0.0.1", 0), _Taking)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class _Taking(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Customer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        made = datetime.fromisoformat(body["createdAt"]).timestamp()
        self.server.waits.append((time.time() - made) * 1000)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def black_hole() -> Iterator[str]:
    """Takes connections, and never says anything."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as hole:
        held: list[socket.socket] = []

        def take() -> None:
            try:
                while True:
                    held.append(hole.accept()[0])
            except OSError:
                return

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{hole.getsockname()[1]}/hook"


def measure() -> list[Promise]:
    customer = Customer()
    with black_hole() as hole:
        declared = account("pressing", PRESSING, 1, more=f'webhookUrl = "{hole}"')
        declared += account("other", OTHER, 2, more=f'webhookUrl = "{customer.url}"')
        with serving(declared) as stage:
            alone = _send_some(stage, customer)
            found = _many_waiting(stage, customer, alone)
            found += _many_due(stage, customer, alone)
    customer.shutdown()
    return found


def _many_waiting(stage: Stage, customer: Customer, alone: "Cost") -> list[Promise]:
    text = f"another tenant has {WAITING:,} messages waiting"
    for _ in range(WAITING // BATCH):
        _post_batch(stage, scheduled_for=later())
    with watching(stage) as seen:
        beside = _send_some(stage, customer)
    return [*seen.promises(PART, text), *_compared(text, alone, beside)]


def _many_due(stage: Stage, customer: Customer, alone: "Cost") -> list[Promise]:
    """Each message of the other makes webhooks; its receiver takes them all and answers none."""
    while _count(stage, "count(*)") < DUE:
        _post_batch(stage)
        time.sleep(1)
    due = _count(stage, "count(*)")
    with watching(stage) as seen:
        beside = _send_some(stage, customer)
    text = f"another tenant has {due:,} webhooks that wait for a black hole"
    return [*seen.promises(PART, text), *_compared(text, alone, beside)]


def _compared(text: str, alone: "Cost", beside: "Cost") -> list[Promise]:
    bound = max(SEND_TIMES * alone.send, SEND_MS_MIN)
    first = max(SEND_TIMES * alone.first, FIRST_ATTEMPT_MAX)
    return [
        Promise(PART, f"{text}: a send, p99 of {MEASURED} (alone {alone.send})", beside.send,
                round(bound, 1), " ms"),
        Promise(PART, f"{text}: a webhook's first attempt, p99 (p50 {beside.usual}, alone "
                f"{alone.first})", beside.first, round(first, 1), " ms"),
        Promise(PART, f"{text}: webhooks that did not come", beside.missing, 0),
    ]  # fmt: skip


class Cost:
    """In milliseconds: p99 of sends, p99 and p50 of first attempts, and how many did not come."""

    def __init__(self, sends: list[float], firsts: list[float], expected: int) -> None:
        self.send = round(sorted(sends)[int(len(sends) * 0.99) - 1], 1)
        self.first = round(sorted(firsts)[int(len(firsts) * 0.99) - 1], 1) if firsts else 0.0
        self.usual = round(statistics.median(firsts), 1) if firsts else 0.0
        self.missing = max(expected - len(firsts), 0)


def _send_some(stage: Stage, customer: Customer) -> Cost:
    """One message after another of the account that presses nobody."""
    customer.waits.clear()
    sends: list[float] = []
    with _client(stage, OTHER) as http:
        for n in range(MEASURED):
            body = {"clientMessageId": f"calm-{time.time_ns()}-{n}", "to": "972501234567",
                    "templateName": "plain"}  # fmt: skip
            began = time.perf_counter()
            http.post("/messages/text", json=body).raise_for_status()
            sends.append((time.perf_counter() - began) * 1000)
            time.sleep(PAUSE_SECONDS)
    until = time.monotonic() + 20
    while len(customer.waits) < MEASURED and time.monotonic() < until:
        time.sleep(0.1)
    return Cost(sends, list(customer.waits), MEASURED)


def _post_batch(stage: Stage, scheduled_for: str = "") -> None:
    more = {"scheduledFor": scheduled_for} if scheduled_for else {}
    run = time.time_ns()
    items = [
        {
            "clientMessageId": f"hog-{run}-{n}",
            "to": f"97251{n:07d}",
            "templateName": "plain",
            **more,
        }
        for n in range(BATCH)
    ]
    with _client(stage, PRESSING) as http:
        http.post("/messages/bulk", json={"messages": items}).raise_for_status()


def _count(stage: Stage, what: str) -> int:
    with closing(stage.watch()) as watch:
        [row] = watch.rows(f"SELECT {what} AS n FROM webhooks WHERE state <> 'delivered'")
    return int(row["n"])


def _client(stage: Stage, key: str) -> httpx.Client:
    url = f"http://127.0.0.1:{stage.port}/api/v1"
    return httpx.Client(base_url=url, headers={"x-api-key": key}, timeout=60)
