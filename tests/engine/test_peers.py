"""Processes ask each other over real sockets; whatever happens, who asks can go on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tidings.engine.peers import Peers
from tidings.engine.peers.connections import Answer
from tidings.engine.peers.frames import BYTES_MAX
from tidings.engine.peers.peers import ANSWER_MAX

GROUP = "0badcafe"
FIRST, SECOND = f"{GROUP}-0", f"{GROUP}-1"
BRIEFLY = timedelta(milliseconds=50)


async def echo(body: bytes) -> bytes:
    return b"answer to " + body


@asynccontextmanager
async def pair(
    folder: Path, answer: Answer = echo, answer_max: timedelta = ANSWER_MAX
) -> AsyncIterator[tuple[Peers, Peers]]:
    """The first asks, the second answers."""
    first = Peers(folder, GROUP, 0, answer_max=answer_max)
    second = Peers(folder, GROUP, 1)
    await second.listen(answer)
    try:
        yield first, second
    finally:
        await first.close()
        await second.close()


async def test_answers_find_their_questions_in_any_order(tmp_path: Path) -> None:
    first_may_end = asyncio.Event()

    async def answer(body: bytes) -> bytes:
        if body == b"0":
            await first_may_end.wait()
        elif body == b"9":
            first_may_end.set()
        return await echo(body)

    async with pair(tmp_path, answer) as (first, _):
        asked = [first.ask(SECOND, b"%d" % n) for n in range(10)]
        assert await asyncio.gather(*asked) == [b"answer to %d" % n for n in range(10)]


async def test_many_questions_share_one_connection(tmp_path: Path) -> None:
    async with pair(tmp_path) as (first, second):
        await asyncio.gather(*(first.ask(SECOND, b"x" * 5000) for _ in range(50)))
        assert len(second._opened) == 1


async def test_a_process_that_is_not_there_does_not_answer(tmp_path: Path) -> None:
    alone = Peers(tmp_path, GROUP, 0)
    assert await alone.ask(SECOND, b"?") is None


async def test_a_failed_answer_is_none(tmp_path: Path) -> None:
    async def broken(body: bytes) -> bytes:
        raise ValueError(body)

    async with pair(tmp_path, broken) as (first, _):
        assert await first.ask(SECOND, b"?") is None


async def test_one_that_goes_away_before_it_answers_answers_nothing(tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def never(_: bytes) -> bytes:
        asked.set()
        await asyncio.Event().wait()
        return b""

    async with pair(tmp_path, never) as (first, second):
        asking = asyncio.create_task(first.ask(SECOND, b"?"))
        await asked.wait()
        await second.close()
        assert await asking is None


async def test_who_asks_goes_on_when_its_own_process_stops(tmp_path: Path) -> None:
    async with pair(tmp_path) as (first, _):
        asking = asyncio.create_task(first.ask(SECOND, b"?"))
        await asyncio.sleep(0)
        assert first._connecting
        await first.close()
        assert await asking is None


async def test_a_slow_one_is_not_waited_for_and_then_avoided(tmp_path: Path) -> None:
    asked: list[bytes] = []

    async def slow(body: bytes) -> bytes:
        asked.append(body)
        await asyncio.Event().wait()
        return b""

    async with pair(tmp_path, slow, BRIEFLY) as (first, _):
        assert await first.ask(SECOND, b"1") is None
        assert await first.ask(SECOND, b"2") is None
    assert asked == [b"1"]


async def test_a_successor_takes_the_place_of_a_process_that_was_killed(tmp_path: Path) -> None:
    async with pair(tmp_path) as (first, second):
        left = second._path(SECOND)
        await second.close()
        left.touch()  # as kill -9 leaves it
        successor = Peers(tmp_path, GROUP, 1)
        await successor.listen(echo)
        try:
            assert await first.ask(SECOND, b"?") == b"answer to ?"
        finally:
            await successor.close()


async def test_one_that_cannot_listen_is_done_without(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 108)  # longer than the path of a socket may be
    folder.mkdir()
    async with pair(folder) as (first, _):
        assert await first.ask(SECOND, b"?") is None


async def test_too_long_a_question_is_not_sent(tmp_path: Path) -> None:
    async with pair(tmp_path) as (first, _):
        assert await first.ask(SECOND, b"x" * (BYTES_MAX + 1)) is None
        assert await first.ask(SECOND, b"?") == b"answer to ?"


@pytest.mark.parametrize(
    ("name", "may"),
    [
        (SECOND, True),
        (f"{GROUP}-255", True),
        (FIRST, False),  # itself
        ("", False),
        ("1", False),
        ("deadbeef-1", False),  # of another machine
        (f"{GROUP}-", False),
        (f"{GROUP}-../x", False),
        (f"{GROUP}-1000", False),
        (f"{GROUP}-\u0661", False),
    ],
)
def test_only_names_of_processes_beside_this_one_are_asked(
    tmp_path: Path, name: str, may: bool
) -> None:
    assert Peers(tmp_path, GROUP, 0).may_ask(name) is may


def test_a_process_alone_asks_nobody() -> None:
    assert not Peers().may_ask("-1") and Peers().name == ""
