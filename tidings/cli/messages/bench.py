"""`tidings bench`: how many messages a second a running service accepts from this machine.

Each is a whole send: stored, dispatched to the simulated platform, its outcome stored, answered.
For sandbox accounts only. `make bench` measures more, and compares with other gateways.
"""

import asyncio
import statistics
from dataclasses import asdict, dataclass

import aiohttp

from tidings.cli import client
from tidings.cli.output import Refused, Styled, print_json, progress_bar, say
from tidings.cli.runner import reported_errors
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
    message: dict[str, object],
    url: str,
    key: str | None,
    as_json: bool,
) -> None:
    run = new_id().hex
    bodies = [
        message | {"clientMessageId": f"bench-{run}-{n}", "to": f"97259{n:08}9001"}
        for n in range(messages)
    ]
    with reported_errors():
        result = asyncio.run(_measure(bodies, connections, url=url, key=key))
    if as_json:
        print_json(asdict(result), indent=-1)
        return
    say(
        Styled(f"{result.per_second:,.0f}", bold=True),
        f" messages a second over {connections} connections: p50 {result.p50_ms} ms,"
        f" p99 {result.p99_ms} ms, {messages:,} in {result.seconds} s.",
    )


async def _measure(
    bodies: list[dict[str, object]], connections: int, *, url: str, key: str | None
) -> Result:
    clock, latencies = SystemClock(), list[float]()
    async with client.session(url, key) as session:
        await _require_sandbox(session)
        with progress_bar() as progress:
            task = progress.add_task("Sending", total=len(bodies))
            pending = iter(bodies)
            started = clock.monotonic()

            async def send_pending() -> None:
                for body in pending:
                    latencies.append(await _time_send(session, body, clock))
                    progress.advance(task)

            await asyncio.gather(*(send_pending() for _ in range(connections)))
            seconds = clock.monotonic() - started
    return _result(latencies, connections, seconds)


async def _require_sandbox(session: aiohttp.ClientSession) -> None:
    async with session.get("limits") as response:
        answer = await client.read_envelope(response)
    if answer.get("environment") == "live":
        raise Refused("This is the key of a live account; bench sends to sandbox accounts only.")


async def _time_send(
    session: aiohttp.ClientSession, body: dict[str, object], clock: SystemClock
) -> float:
    started = clock.monotonic()
    await client.post(session, "/messages/text", body)
    return clock.monotonic() - started


def _result(latencies: list[float], connections: int, seconds: float) -> Result:
    cuts = statistics.quantiles(latencies, n=100) if len(latencies) > 1 else latencies * 99
    return Result(
        messages=len(latencies),
        connections=connections,
        seconds=round(seconds, 2),
        per_second=round(len(latencies) / seconds, 1),
        p50_ms=round(cuts[49] * 1000, 1),
        p99_ms=round(cuts[98] * 1000, 1),
    )
