"""Sends the generated requests over a few connections, and counts what came back."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from proof.fuzz import api_calls, callback_calls, portal_calls, raw_calls
from proof.fuzz.call import Call
from proof.fuzz.judge import Answer, faults
from proof.fuzz.known import Known
from proof.fuzz.wire import Connection, NoAnswer

CONNECTIONS = 12
Shares = dict[str, int]
SHARES: Shares = {"api": 64, "callback": 12, "portal": 17, "raw": 7}  # in a hundred
_MAKERS: dict[str, Callable[[Random, Known], Call]] = {
    "api": api_calls.make, "callback": callback_calls.make, "portal": portal_calls.make,
    "raw": raw_calls.make,
}  # fmt: skip
KEPT_MAX = 200  # failures whose requests are kept


@dataclass(slots=True)
class Failure:
    """A request whose answer is not what it must be."""

    number: int
    call: Call
    status: int
    faults: list[str]


@dataclass(slots=True)
class Tally:
    """What was sent, and what came back."""

    areas: Counter[str] = field(default_factory=Counter)
    endpoints: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)  # seconds, by endpoint
    closed: int = 0  # malformed bytes that got no answer, only the end of the connection
    failures: list[Failure] = field(default_factory=list)
    failed: int = 0

    def note(self, number: int, call: Call, answer: Answer) -> None:
        self.statuses[answer.status] += 1
        wrong = faults(call, answer)
        if wrong:
            self.fail(number, call, answer.status, wrong)

    def fail(self, number: int, call: Call, status: int, wrong: list[str]) -> None:
        self.failed += 1
        if len(self.failures) < KEPT_MAX:
            self.failures.append(Failure(number, call, status, wrong))


def request(seed: int, number: int, known: Known, shares: Shares = SHARES) -> Call:
    """The same request for the same seed, number and ids."""
    rng = Random(f"{seed}:{number}")
    [area] = rng.choices(list(shares), list(shares.values()))
    return _MAKERS[area](rng, known)


async def drive(
    port: int, seed: int, numbers: range, known: Known, shares: Shares = SHARES
) -> Tally:
    """Send these requests."""
    tally, waiting = Tally(), iter(numbers)

    async def work() -> None:
        connection = Connection(port)
        for number in waiting:
            call = request(seed, number, known, shares)
            tally.areas[call.area] += 1
            tally.endpoints[call.name] += 1
            await _send(connection, number, call, tally)
        await connection.close()

    await asyncio.gather(*(work() for _ in range(CONNECTIONS)))
    return tally


async def _send(connection: Connection, number: int, call: Call, tally: Tally) -> None:
    started = time.monotonic()
    try:
        if call.is_alone:
            answers = await connection.ask_alone(call)
            tally.closed += not answers
        else:
            answers = [await connection.ask(call)]
        for answer in answers:
            tally.note(number, call, answer)
        seconds = time.monotonic() - started
        tally.slowest[call.name] = max(tally.slowest.get(call.name, 0), seconds)
    except NoAnswer as fault:
        tally.fail(number, call, 0, [f"was not answered: {fault}"])
