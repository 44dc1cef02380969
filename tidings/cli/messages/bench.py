"""`tidings bench`: how many messages a second a running service takes from this machine.

Each is a whole send: stored, handed over, its outcome stored, answered. For a sandbox account; the
recipients are sent to and never answer. `make bench` measures more, beside rivals.
"""

import asyncio
import statistics
from dataclasses import asdict, dataclass

import aiohttp
from rich.progress import Progress

from tidings.cli import client
from tidings.cli.output import Styled, print_json, say
from tidings.cli.refusal import Refused
from tidings.cli.runner import mendable
from tidings.clock import SystemClock
from tidings.ids import new_id


@dataclass(frozen=True, slots=True)
class Result:
    messages: int
    connections: int
    seconds: float
    per_second: float
    p50_ms: float
    p99_ms: float


def run_bench(
    messages: int,
    connections: int,
    *,
    wanted: dict[str, object],
    url: str,
    key: str | None,
    as_json: bool,
) -> None:
    with mendable():
        result = asyncio.run(_measure(messages, connections, wanted, url, key, quiet=as_json))
    if as_json:
        print_json(asdict(result), indent=-1)
        return
    say(
        Styled(f"{result.per_second:,.0f}", bold=True),
        f" messages a second over {connections} connections: p50 {result.p50_ms} ms,"
        f" p99 {result.p99_ms} ms, {messages:,} in {result.seconds} s.",
    )


async def _measure(
    messages: int,
    connections: int,
    wanted: dict[str, object],
    url: str,
    key: str | None,
    *,
    quiet: bool,
) -> Result:
    clock, run = SystemClock(), new_id().hex
    bodies = (
        wanted | {"clientMessageId": f"bench-{run}-{n}", "to": f"97259{n:08}9001"}
        for n in range(messages)
    )
    times: list[float] = []
    async with client.session(url, key) as session:
        await _require_sandbox(session)
        with Progress(transient=True, disable=quiet) as progress:
            task = progress.add_task("Sending", total=messages)
            began = clock.monotonic()

            async def work() -> None:
                for body in bodies:
                    times.append(await _timed(session, body, clock))
                    progress.advance(task)

            await asyncio.gather(*(work() for _ in range(connections)))
            taken = clock.monotonic() - began
    return _result(times, connections, taken)


async def _require_sandbox(session: aiohttp.ClientSession) -> None:
    async with session.get("limits") as response:
        answer = await response.json(content_type=None)
    if answer.get("environment") == "live":
        raise Refused("This is the key of a live account; nobody wants a thousand messages.")


async def _timed(
    session: aiohttp.ClientSession, body: dict[str, object], clock: SystemClock
) -> float:
    began = clock.monotonic()
    await client.post(session, "/messages/text", body)
    return clock.monotonic() - began


def _result(times: list[float], connections: int, taken: float) -> Result:
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
    return Result(
        messages=len(times),
        connections=connections,
        seconds=round(taken, 2),
        per_second=round(len(times) / taken, 1),
        p50_ms=round(cuts[49] * 1000, 1),
        p99_ms=round(cuts[98] * 1000, 1),
    )
