"""One piece of work behind the other, while their maker prepares the next."""

import asyncio

import pytest

from tidings.engine.pipelined_writer import PipelinedWriter


class Diary:
    """Writes down what happened, in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def work(self, name: str, fault: Exception | None = None) -> str:
        self.lines.append(f"{name} begins")
        try:
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.lines.append(f"{name} is cancelled")
            raise
        if fault is not None:
            raise fault
        self.lines.append(f"{name} ends")
        return name


async def test_work_goes_on_while_its_maker_prepares_the_next_and_never_two_at_once() -> None:
    diary = Diary()

    async with PipelinedWriter[str]() as behind:
        for name in ("a", "b"):
            await behind.put(diary.work(name))
            await asyncio.sleep(0)
            diary.lines.append(f"after {name}")
    assert behind.results == ["a", "b"]
    assert diary.lines == ["a begins", "after a", "a ends", "b begins", "after b", "b ends"]


async def test_a_fault_is_raised_where_the_next_is_put_and_that_never_begins() -> None:
    diary = Diary()

    with pytest.raises(LookupError, match="taken"):
        async with PipelinedWriter[str]() as behind:
            await behind.put(diary.work("a", LookupError("taken")))
            await behind.put(diary.work("b"))
    assert diary.lines == ["a begins"]


async def test_a_fault_of_the_last_is_raised_at_the_end() -> None:
    with pytest.raises(LookupError, match="taken"):
        async with PipelinedWriter[str]() as behind:
            await behind.put(Diary().work("a", LookupError("taken")))


async def test_what_runs_is_cancelled_when_its_maker_fails() -> None:
    diary = Diary()

    with pytest.raises(KeyError, match="maker"):
        async with PipelinedWriter[str]() as behind:
            await behind.put(diary.work("a"))
            await asyncio.sleep(0)
            raise KeyError("maker")
    assert diary.lines == ["a begins", "a is cancelled"]


async def test_what_runs_is_cancelled_with_its_maker() -> None:
    diary = Diary()

    async def run() -> None:
        async with PipelinedWriter[str]() as behind:
            await behind.put(diary.work("a"))

    task = asyncio.ensure_future(run())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert diary.lines == ["a begins", "a is cancelled"]
