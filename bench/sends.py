"""Single sends, beside a bare app on the same server."""

import asyncio
import itertools
import os
import sys
from typing import Any

import uvloop
from rich.progress import Progress

from bench.load import Load, drive, request, summary
from bench.stage import Stage, free_port, server

# The platform's own limit is 1,000 messages a second a number: so many numbers share the load.
_NUMBERS = "".join(
    f'[[accounts.numbers]]\nnumber = "9725550000{n:02d}"\nperSecond = 1000\n' for n in range(20)
)
ACCOUNT = f"""
[[accounts]]
name = "bench"
environment = "sandbox"
requestsPerMinute = 100000000
billingMode = "OFF"
{_NUMBERS}
[[accounts.templates]]
name = "hello"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hello {{{{1}}}}, your order {{{{2}}}} is on its way"
"""

_guests = itertools.count()  # a guest keeps its number: so no round may meet another's guests


def measure(stage: Stage, key: str, seconds: float, rounds: int) -> dict[str, Any]:
    bare_port = free_port()
    with server([sys.executable, "-m", "bench.bare", str(bare_port)], {}, bare_port):
        found = uvloop.run(_measure(stage.port, bare_port, key, seconds, rounds))
    found["ratio"] = round(found["single"]["perSecond"] / found["bare"]["perSecond"], 3)
    return found


async def _measure(
    port: int, bare_port: int, key: str, seconds: float, rounds: int
) -> dict[str, Any]:
    """In turns with the bare app, because this machine's speed drifts."""
    hello = request("GET", "/", {})
    loads: dict[str, list[Load]] = {"bare": [], "single": [], "withReceipts": [], "alone": []}
    with Progress(transient=True) as progress:
        task = progress.add_task("measuring", total=rounds * 4)
        for turn in range(rounds):
            for name, where, make, connections in (
                ("bare", bare_port, lambda: hello, 64),
                ("single", port, sends(key, "9001", f"s{turn}{os.getpid()}"), 64),
                ("withReceipts", port, sends(key, "0000", f"f{turn}{os.getpid()}"), 64),
                ("alone", port, sends(key, "9001", f"l{turn}{os.getpid()}"), 1),
            ):
                loads[name].append(
                    await drive("127.0.0.1", where, make, connections=connections, seconds=seconds)
                )
                progress.advance(task)
                if name == "withReceipts":
                    await asyncio.sleep(3)  # let the receipts of the last second be played
    return {name: summary(rounds_of, (200, 202)) for name, rounds_of in loads.items()}


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
