"""Lanes that share a gate take turns, but nobody waits for long."""

import asyncio
from datetime import timedelta

from tidings.engine.gate import Gate
from tidings.engine.lane import Lane

LONG = timedelta(minutes=1)
SHORT = timedelta(milliseconds=5)


def lanes(gate: Gate, served: list[list[str]], busy: asyncio.Event) -> tuple[Lane, Lane]:
    async def slow(items: list[str]) -> list[str]:
        await busy.wait()
        served.append(items)
        return items

    async def quick(items: list[str]) -> list[str]:
        served.append(items)
        return items

    return Lane(slow, batch_max=10, gate=gate), Lane(quick, batch_max=10, gate=gate)


async def test_one_lane_gathers_while_the_other_works() -> None:
    served: list[list[str]] = []
    busy = asyncio.Event()
    first, second = lanes(Gate(LONG), served, busy)
    working = asyncio.create_task(first.put("a"))
    await asyncio.sleep(0.01)
    waiting = [asyncio.create_task(second.put(name)) for name in "bc"]
    await asyncio.sleep(0.01)
    waiting.append(asyncio.create_task(second.put("d")))
    await asyncio.sleep(0.01)
    assert served == []
    busy.set()
    await asyncio.gather(working, *waiting)
    assert served == [["a"], ["b", "c", "d"]]


async def test_a_lane_that_is_held_up_does_not_hold_up_the_other() -> None:
    served: list[list[str]] = []
    busy = asyncio.Event()
    first, second = lanes(Gate(SHORT), served, busy)
    working = asyncio.create_task(first.put("a"))
    await asyncio.sleep(0.01)
    assert await second.put("b") == "b"
    assert served == [["b"]]
    busy.set()
    assert await working == "a"


async def test_the_gate_opens_again_after_a_failure() -> None:
    gate = Gate(LONG)
    for _ in range(2):
        try:
            async with gate.passed():
                raise ZeroDivisionError
        except ZeroDivisionError:
            pass
    async with gate.passed():
        pass


async def test_one_that_comes_back_at_once_does_not_wait_for_long_either() -> None:
    """When it comes back, the lock is free, but the next one that waits gets it."""
    gate, entered, stuck = Gate(SHORT), asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with gate.passed():
            entered.set()
            await stuck.wait()

    async with gate.passed():
        other = asyncio.create_task(hold())
        await asyncio.sleep(0)
    async with asyncio.timeout(60), gate.passed():
        assert entered.is_set(), "the other was first"
    stuck.set()
    await other
