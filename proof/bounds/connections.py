"""Ten thousand connections at once: against a server that holds a thousand, and against one that is
told to hold them all."""

import asyncio
import resource
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

import uvloop

from proof.bounds.others import RESIDENT_MB_MAX, watching
from proof.bounds.promises import Promise
from proof.bounds.stage import Stage, serving

PART = "connections"
MANY = 10_000
PER_ADDRESS = 80  # of a hundred that one address may hold
AT_ONCE = 200  # that are being opened
ANSWER_SECONDS, HELD_SECONDS = 30.0, 10.0
BACK_SECONDS = 20.0  # in which a newcomer must be served once the others have left
REQUEST = b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n"
FILES = 2 * MANY


class Held(asyncio.Protocol):
    """One connection: what its last request was answered, or how it ended."""

    def __init__(self) -> None:
        self.answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._said = b""

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport

    def ask(self) -> None:
        if self.answered.done():
            self.answered = asyncio.get_running_loop().create_future()
        self._said = b""
        self.transport.write(REQUEST)

    def data_received(self, data: bytes) -> None:
        self._said += data
        head, found, _ = self._said.partition(b"\r\n\r\n")
        if found and not self.answered.done():
            is_whole = b"503" not in head[:12] or (
                b"retry-after:" in head.lower() and b"SERVICE_UNAVAILABLE" in self._said
            )
            self.answered.set_result(head[9:12].decode() + ("" if is_whole else " without words"))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.answered.done():
            self.answered.set_result("reset" if exc else "closed")


def measure() -> list[Promise]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))  # children inherit it
    return [*_over_the_limit(), *_all_held()]


def _over_the_limit() -> list[Promise]:
    with serving() as stage:
        text = f"{MANY:,} connections to a server that holds 1,000"
        with watching(stage, renews=False) as seen:  # it holds its connection as others do
            answers, seconds = uvloop.run(_flood(stage))
        refused = answers["503"] + answers["reset"] + answers["closed"]
        return [
            *seen.promises(PART, text),
            Promise(PART, f"{text}: served", answers["200"], 900, at_least=True),
            Promise(PART, f"{text}: answered 503 with Retry-After, in the envelope",
                    answers["503"], 1, at_least=True),
            Promise(PART, f"{text}: reset unread, beyond twice the limit",
                    answers["reset"] + answers["closed"]),
            Promise(PART, f"{text}: neither served nor refused",
                    MANY - answers["200"] - refused, 0),
            Promise(PART, f"{text}: a newcomer is served, after they left, within",
                    round(seconds, 2), BACK_SECONDS, " s"),
        ]  # fmt: skip


async def _flood(stage: Stage) -> tuple[Counter[str], float]:
    held, answers = await _open(stage.port)
    answers += await _answers(held)
    for one in held:
        one.transport.abort()
    began = time.monotonic()
    while (await _newcomer(stage.port)) != "200":
        await asyncio.sleep(0.1)
        if time.monotonic() - began > 2 * BACK_SECONDS:
            break
    return answers, time.monotonic() - began


def _all_held() -> list[Promise]:
    settings = {"connections": str(MANY + 1000), "keep_alive_seconds": "600"}
    with serving(**settings) as stage:
        before = stage.resident()
        text = f"{MANY:,} connections to a server told to hold them"
        with watching(stage) as seen:
            first, second = uvloop.run(_hold(stage))
        more = (stage.peak() - before) * 1e3 / MANY
        return [
            *seen.promises(PART, text),
            Promise(PART, f"{text}: answered", first["200"], MANY, at_least=True),
            Promise(PART, f"{text}: answered again {HELD_SECONDS:.0f} s later", second["200"], MANY,
                    at_least=True),
            Promise(PART, f"{text}: memory of a connection", round(more, 1),
                    round(RESIDENT_MB_MAX * 1e3 / MANY, 1), " kB"),
        ]  # fmt: skip


async def _hold(stage: Stage) -> tuple[Counter[str], Counter[str]]:
    held, first = await _open(stage.port)
    first += await _answers(held)
    await asyncio.sleep(HELD_SECONDS)
    for one in held:
        one.ask()
    second = await _answers(held)
    for one in held:
        one.transport.abort()
    return first, second


async def _open(port: int) -> tuple[list[Held], Counter[str]]:
    """All of them, each with a request on its way; what became of those that did not come up."""
    gate, held, failed = asyncio.Semaphore(AT_ONCE), [], Counter[str]()
    loop = asyncio.get_running_loop()

    async def one(n: int) -> None:
        host = n // PER_ADDRESS
        address = f"127.2.{host // 250}.{host % 250 + 1}"
        async with gate:
            try:
                _, made = await loop.create_connection(
                    Held, "127.0.0.1", port, local_addr=(address, 0)
                )
            except OSError:
                failed["reset"] += 1
                return
            made.ask()
            held.append(made)

    await asyncio.gather(*(one(n) for n in range(MANY)))
    return held, failed


async def _answers(held: Iterable[Held]) -> Counter[str]:
    waiting = [one.answered for one in held]
    done, late = await asyncio.wait(waiting, timeout=ANSWER_SECONDS)
    return Counter(one.result() for one in done) + Counter({"silent": len(late)})


async def _newcomer(port: int) -> str:
    loop = asyncio.get_running_loop()
    try:
        _, made = await loop.create_connection(Held, "127.0.0.1", port, local_addr=("127.3.0.1", 0))
    except OSError:
        return "reset"
    made.ask()
    [answer] = await _answers([made])
    made.transport.abort()
    return answer
