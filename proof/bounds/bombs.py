"""Requests made to cost much, many at a time: what memory they take, and what others wait.

Each is sent to a server that has been running: `expected` are the statuses that it may answer.
"cut" is a connection that it ended without an answer, which is right only where the bytes are no
request.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from proof.bounds import bomb_files, bomb_streams
from proof.bounds.bomb_bodies import BODIES, Body
from proof.bounds.others import watching
from proof.bounds.promises import Promise
from proof.bounds.raw import exchange
from proof.bounds.stage import PRESSING, Stage, serving
from proof.bounds.visitor import joined

PART = "bombs"
SECONDS_MIN = 5.0

Sent = Callable[[], str]  # sends it; the status, or how it ended


@dataclass(frozen=True, slots=True)
class Bomb:
    name: str
    times: int
    expected: frozenset[str]
    make: Callable[[Stage], Callable[[str], str]]  # of an address: what `Sent` returns


def measure() -> list[Promise]:
    found: list[Promise] = []
    with serving() as stage:
        cookies = asyncio.run(joined(stage))
        for bomb in _bombs(cookies):
            with watching(stage) as seen:
                answers = _throw(bomb, stage)
            text = f"{bomb.times} x {bomb.name}"
            strange = {said: n for said, n in answers.items() if said not in bomb.expected}
            shown = ", ".join(f"{said}: {n}" for said, n in sorted(answers.items()))
            found += seen.promises(PART, text)
            found.append(
                Promise(PART, f"{text}: answers that were not expected, of {shown}",
                        sum(strange.values()), 0)
            )  # fmt: skip
        found += _left(stage)
    return found


def _throw(bomb: Bomb, stage: Stage) -> Counter[str]:
    """Again and again for some seconds, so that others ask often enough meanwhile."""
    send = bomb.make(stage)
    addresses = [f"127.4.{n // 200}.{n % 200 + 1}" for n in range(bomb.times)]
    answers = Counter[str]()
    until = time.monotonic() + SECONDS_MIN
    with ThreadPoolExecutor(bomb.times) as pool:
        while not answers or time.monotonic() < until:
            answers += Counter(pool.map(send, addresses))
    return answers


def _left(stage: Stage) -> list[Promise]:
    text = "resident after all of them"
    return [Promise(PART, text, round(stage.resident(), 1), unit=" MB")]


def _bombs(cookies: str) -> list[Bomb]:
    found = [
        Bomb(body.name, body.times, body.expected, lambda stage, body=body: _sender(stage, body))
        for body in BODIES
    ]
    for file in bomb_files.FILES:
        found.append(
            Bomb(f"upload in the portal, {file.name}", 10, file.expected,
                 lambda stage, file=file: bomb_files.sender(stage, file, cookies))
        )  # fmt: skip
    found += [
        Bomb(one.name, one.times, one.expected, lambda stage, one=one: one.sender(stage, cookies))
        for one in bomb_streams.STREAMS
    ]
    return found


def _sender(stage: Stage, body: Body) -> Callable[[str], str]:
    data = body.make()
    headers = {"Content-Type": "application/json", "x-api-key": PRESSING, **body.headers}
    lines = [f"POST /api/v1{body.path} HTTP/1.1", "Host: a"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join([*lines, f"Content-Length: {len(data)}", "", ""]).encode()
    return lambda address: exchange(address, stage.port, (head, data))
