"""`make bench`: what one core of Tidings does, beside a bare app on the same server, in one run.

The server has one core to itself; the database and the load share the other. Every figure is the
median of several rounds taken in turns with the bare app, because this machine's speed drifts.
"""

import argparse
import asyncio
import itertools
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import uvloop
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import batches, callbacks, deliveries, inside
from bench.load import Load, drive, request

SERVER_CORE, OTHER_CORE = 0, max(os.cpu_count() or 1, 1) - 1
ACCOUNT = """
[[accounts]]
name = "bench"
environment = "sandbox"
requestsPerMinute = 100000000
billingMode = "OFF"
NUMBERS
[[accounts.templates]]
name = "hello"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hello {{1}}, your order {{2}} is on its way"
"""

# The platform's own limit is 1,000 messages a second a number: so many numbers share the load.
NUMBERS = "".join(
    f'[[accounts.numbers]]\nnumber = "9725550000{n:02d}"\nperSecond = 1000\n' for n in range(20)
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start(arguments: list[str], env: dict[str, str], port: int) -> subprocess.Popen[bytes]:
    """A server pinned to its own core, once it answers."""
    process = subprocess.Popen(
        arguments, env={**os.environ, **env}, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_CORE}),
    )  # fmt: skip
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.1)
    raise RuntimeError(f"{arguments[-1]} did not start")


_guests = itertools.count()  # a guest keeps its number: so no round may meet another's guests


def sends(key: str, digits: str, run: str) -> Any:
    """Requests of single sends, each to another guest."""
    headers = {"x-api-key": key}

    def make() -> bytes:
        n = next(_guests)
        body = (
            f'{{"clientMessageId":"{run}-{n:08d}","to":"9725{n % 10_000_000:07d}{digits}",'
            f'"templateName":"hello","templateParams":["Dana","{n}"],"meta":{{"order":{n}}}}}'
        )
        return request("POST", "/api/v1/messages/text", headers, body.encode())

    return make


async def measure(
    port: int, bare_port: int, key: str, seconds: float, rounds: int
) -> dict[str, Any]:
    hello = request("GET", "/", {})
    bare: list[Load] = []
    single: list[Load] = []
    full: list[Load] = []
    lone: list[Load] = []
    with Progress(transient=True) as progress:
        task = progress.add_task("measuring", total=rounds * 4)
        for turn in range(rounds):
            for into, where, make, connections in (
                (bare, bare_port, lambda: hello, 64),
                (single, port, sends(key, "9001", f"s{turn}{os.getpid()}"), 64),
                (full, port, sends(key, "0000", f"f{turn}{os.getpid()}"), 64),
                (lone, port, sends(key, "9001", f"l{turn}{os.getpid()}"), 1),
            ):
                into.append(
                    await drive("127.0.0.1", where, make, connections=connections, seconds=seconds)
                )
                progress.advance(task)
                if into is full:
                    await asyncio.sleep(3)  # let the receipts of the last second be played
    return {
        "bare": summary(bare), "single": summary(single), "withReceipts": summary(full),
        "alone": summary(lone),
    }  # fmt: skip


def summary(loads: list[Load]) -> dict[str, Any]:
    return {
        "perSecond": round(statistics.median(load.rate for load in loads)),
        "p50ms": round(statistics.median(load.percentile(0.5) for load in loads) * 1000, 2),
        "p99ms": round(statistics.median(load.percentile(0.99) for load in loads) * 1000, 2),
        "statuses": {str(s): sum(x.statuses.get(s, 0) for x in loads) for s in (200, 202, 503)},
        "other": sum(n for x in loads for s, n in x.statuses.items() if s not in (200, 202, 503)),
    }


def run(seconds: float, rounds: int) -> dict[str, Any]:
    os.sched_setaffinity(0, {OTHER_CORE})
    webhooks = deliveries.measure(rounds, free_port())
    folder = Path(tempfile.mkdtemp(prefix="tidings-bench-"))
    folder.chmod(0o755)
    env = {"TIDINGS_DATA": str(folder / "data"), "TIDINGS_OPERATOR_ADDRESS": "off"}
    env |= callbacks.ENV
    tidings = str(Path(sys.executable).parent / "tidings")
    processes: list[subprocess.Popen[bytes]] = []
    try:
        file = folder / "bench.toml"
        file.write_text(ACCOUNT.replace("NUMBERS", NUMBERS) + batches.ACCOUNT + callbacks.ACCOUNT)
        # The database starts on the other core, as a child of this process would.
        holder = inside.Database(env)
        made = subprocess.run(
            [tidings, "apply", str(file)], env={**os.environ, **env}, check=True,
            capture_output=True,
        )  # fmt: skip
        accounts = json.loads(made.stdout)["accounts"]
        key, queue_key, _ = (one["apiKey"] for one in accounts)
        live = UUID(accounts[2]["id"].removeprefix("acc_"))
        port, bare_port = free_port(), free_port()
        processes.append(start([tidings, "serve", "--port", str(port)], env, port))
        processes.append(start([sys.executable, "-m", "bench.bare", str(bare_port)], {}, bare_port))
        found = uvloop.run(measure(port, bare_port, key, seconds, rounds))
        found["grouped"] = inside.grouped_accepts(env, key, rounds)
        found |= batches.measure(port, queue_key)
        loads = uvloop.run(callbacks.measure(port, env, live, seconds, rounds))
        found["callbacks"] = callbacks.summary(loads)
        found["webhooks"] = webhooks
        found["ratio"] = round(found["single"]["perSecond"] / found["bare"]["perSecond"], 3)
        return found
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            process.wait(30)
        holder.close()
        shutil.rmtree(folder, ignore_errors=True)


def run_callbacks(seconds: float, rounds: int) -> dict[str, Any]:
    """The section on callbacks alone."""
    os.sched_setaffinity(0, {OTHER_CORE})
    folder = Path(tempfile.mkdtemp(prefix="tidings-bench-"))
    folder.chmod(0o755)
    env = {"TIDINGS_DATA": str(folder / "data"), "TIDINGS_OPERATOR_ADDRESS": "off"}
    env |= callbacks.ENV
    tidings = str(Path(sys.executable).parent / "tidings")
    holder, server = inside.Database(env), None
    try:
        file = folder / "bench.toml"
        file.write_text(callbacks.ACCOUNT)
        made = subprocess.run(
            [tidings, "apply", str(file)], env={**os.environ, **env}, check=True,
            capture_output=True,
        )  # fmt: skip
        live = UUID(json.loads(made.stdout)["accounts"][0]["id"].removeprefix("acc_"))
        port = free_port()
        server = start([tidings, "serve", "--port", str(port)], env, port)
        return callbacks.summary(uvloop.run(callbacks.measure(port, env, live, seconds, rounds)))
    finally:
        if server is not None:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
        holder.close()
        shutil.rmtree(folder, ignore_errors=True)


def show_webhooks(found: dict[str, Any], table: Table) -> None:
    table.add_row("bare aiohttp client, 32 posts at once", f"{found['barePosts']:,}", "", "")
    table.add_row("webhooks delivered and recorded", f"{found['deliveries']:,}", "", "")
    alone, beside = found["webhooksAlone"], found["webhooksBesideBlackHole"]
    table.add_row("a webhook's first post, recorded", "", str(alone["p50ms"]), str(alone["p99ms"]))
    table.add_row(
        "the same beside 10,000 to a black hole", "", str(beside["p50ms"]), str(beside["p99ms"])
    )


def show(found: dict[str, Any]) -> None:
    table = Table("what", "a second", "p50 ms", "p99 ms", title="One core, medians of all rounds")
    names = {
        "bare": "bare hello-world ASGI app, 64 connections",
        "single": "single sends, durable, 64 connections",
        "withReceipts": "the same, receipts played meanwhile",
        "alone": "single sends, one at a time",
    }
    for name, words in names.items():
        row = found[name]
        table.add_row(words, f"{row['perSecond']:,}", str(row["p50ms"]), str(row["p99ms"]))
    table.add_row("accepts in groups of 1,000 through the lane", f"{found['grouped']:,}", "", "")
    bulk, idle, busy = found["bulk"], found["passcodeIdle"], found["passcodeBusy"]
    table.add_row("a batch of 1,000 over HTTP", "", str(bulk["p50ms"]), f"p95 {bulk['p95ms']}")
    table.add_row("a passcode, idle", "", str(idle["p50ms"]), str(idle["p99ms"]))
    table.add_row(
        "a passcode while 100,000 messages wait", "", str(busy["p50ms"]), str(busy["p99ms"])
    )
    told = found["callbacks"]
    words = f"statuses called back at a steady {callbacks.RATE:,} a second"
    table.add_row(words, f"{told['perSecond']:,}", str(told["p50ms"]), str(told["p99ms"]))
    show_webhooks(found["webhooks"], table)
    console = Console()
    console.print(table)
    console.print(f"single sends / bare app: {found['ratio']}  (target 0.20)")
    console.print(f"callbacks, median answer: {told['p50ms']} ms  (target 50)")
    console.print(f"passcode p99, waiting / idle: {found['passcodeRatio']}  (target 2.0)")
    webhooks = found["webhooks"]
    console.print(f"webhooks / bare client's posts: {webhooks['deliveriesRatio']}  (target 0.50)")
    console.print(f"webhook p99, black hole / alone: {webhooks['blackHoleRatio']}  (target 2.0)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    result = run(options.seconds, options.rounds)
    print(json.dumps(result, indent=2)) if options.json else show(result)
