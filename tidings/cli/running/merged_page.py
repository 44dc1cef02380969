"""The operator's page where several processes serve: one page for all of them.

Counts are added up over the processes, in files that outlive each of them (engine/metrics.py).
Alive and ready mean that every process is.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from tidings import limits
from tidings.clock import SystemClock
from tidings.engine.http.messages import Auth, Caller, Plain, Request, Route
from tidings.engine.http.shell import Shell
from tidings.engine.metrics import CONTENT_TYPE, render_shared
from tidings.engine.rate import MemoryRate
from tidings.errors import ApiError, Code

from .slot import Slot


@dataclass(slots=True)
class Family:
    """The processes by their slots, and where they count."""

    slots: list[Slot]
    metrics: Path
    running: set[int] = field(default_factory=set)  # numbers of slots

    async def ask(self, path: str) -> list[int]:
        """The slots of those who do not answer 200 in time."""
        timeout = aiohttp.ClientTimeout(limits.PROCESS_ANSWER_MAX.total_seconds())
        async with aiohttp.ClientSession(timeout=timeout) as session:
            asked = [self._asks(session, slot, path) for slot in self.slots]
            answers = await asyncio.gather(*asked)
        return [slot.number for slot, good in zip(self.slots, answers, strict=True) if not good]

    async def _asks(self, session: aiohttp.ClientSession, slot: Slot, path: str) -> bool:
        if slot.number not in self.running:
            return False
        host, port = slot.address
        try:
            async with session.get(f"http://{host}:{port}{path}") as answer:
                return answer.status == 200
        except (aiohttp.ClientError, TimeoutError, OSError):
            return False


async def get_livez(family: Family, _request: Request) -> Plain:
    """Every process runs and answers."""
    return _all_of(await family.ask("/livez"), "does not answer")


async def get_readyz(family: Family, _request: Request) -> Plain:
    """Every process takes requests and reaches the database."""
    return _all_of(await family.ask("/readyz"), "is not ready")


async def get_metrics(family: Family, _request: Request) -> Plain:
    """Counts of all processes together. Asked for theirs, they bring their gauges up to date."""
    await family.ask("/metrics")
    return Plain(200, render_shared(family.metrics), CONTENT_TYPE)


def _all_of(missing: list[int], what: str) -> Plain:
    if not missing:
        return Plain(200, b"ok\n")
    named = ", ".join(str(number + 1) for number in missing)
    return Plain(503, f"process {named} {what}\n".encode())


OPERATOR = [
    Route(None, "GET", "/livez", get_livez, Auth.NONE),
    Route(None, "GET", "/readyz", get_readyz, Auth.NONE),
    Route(None, "GET", "/metrics", get_metrics, Auth.NONE),
]


def merged_page(family: Family, *, docs_url: str) -> Shell:
    clock = SystemClock()
    rate = MemoryRate(clock)
    return Shell(family, OPERATOR, authenticate=_refuse, rate=rate, clock=clock, docs_url=docs_url)


async def _refuse(_key: str) -> Caller:
    """Nothing here is anybody's."""
    raise ApiError(Code.INVALID_API_KEY)
