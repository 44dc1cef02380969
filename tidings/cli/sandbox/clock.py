"""`tidings clock`: the clock of a sandbox account, by the API that customers use."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import aiohttp

from tidings.cli import client
from tidings.cli.output import Styled, print_json, say, waiting
from tidings.cli.runner import reported_errors
from tidings.wording import counted

from .durations import in_words

PATH = "/sandbox/v1/clock"


def show_clock(*, key: str | None, url: str, as_json: bool) -> None:
    _report(_ask(lambda session: client.read_data(session.get(PATH)), url, key), as_json=as_json)


def advance_clock(by: timedelta, *, key: str | None, url: str, as_json: bool) -> None:
    with waiting("Running what falls due on the way"):
        reached = _ask(lambda session: advance(session, by), url, key)
    _report(reached, as_json=as_json)


async def advance(session: aiohttp.ClientSession, by: timedelta) -> dict[str, Any]:
    body = {"advanceSeconds": by // timedelta(seconds=1)}
    return await client.read_data(session.post(PATH, json=body))


def _ask(
    work: Callable[[aiohttp.ClientSession], Awaitable[dict[str, Any]]], url: str, key: str | None
) -> dict[str, Any]:
    async def ask() -> dict[str, Any]:
        async with client.session(url, key) as session:
            return await work(session)

    with reported_errors():
        return asyncio.run(ask())


def _report(clock: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(clock)
        return
    say(Styled(clock["now"], bold=True), f", {ahead(clock)}")


def ahead(clock: dict[str, Any]) -> str:
    """How far the clock runs ahead, and what is still to be done."""
    offset = timedelta(seconds=clock["offsetSeconds"])
    said = f"{in_words(offset)} ahead of the real time" if offset else "as the real time"
    pending = clock["pending"]
    return f"{said}; {counted(pending, 'job')} still running" if pending else said
