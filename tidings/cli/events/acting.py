"""`tidings guests settle` and `tidings optouts check|remove`, by the API that customers use."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import aiohttp

from tidings.cli import client
from tidings.cli.output import print_fields, print_json, print_table, say
from tidings.cli.runner import reported_errors

Data = dict[str, Any]


def settle(
    event_id: str,
    number: str,
    answer: str,
    guests: int | None,
    *,
    key: str | None,
    url: str,
    as_json: bool,
) -> None:
    path = f"/events/{quote(event_id, safe='')}/guests/{quote(number, safe='')}/answer"
    body = {"answer": answer} | ({} if guests is None else {"guests": guests})
    data = _call(lambda session: client.post(session, path, body), key, url)
    print_json(data) if as_json else print_fields(data)


def check(numbers: list[str], *, key: str | None, url: str, as_json: bool) -> None:
    body = {"numbers": numbers}
    data = _call(lambda session: client.post(session, "/optouts/check", body), key, url)
    if as_json:
        print_json(data)
        return
    rows = (
        (one["number"], "yes" if one["optedOut"] else "no", one["since"]) for one in data["numbers"]
    )
    print_table(("number", "opted out", "since"), rows, none="No numbers.")


def remove(number: str, *, key: str | None, url: str, as_json: bool) -> None:
    path = f"optouts/{quote(number, safe='')}"
    data = _call(lambda session: client.read_data(session.delete(path)), key, url)
    if as_json:
        print_json(data)
    else:
        say(f"{number}: removed" if data["removed"] else f"{number}: had not opted out")


def _call(
    work: Callable[[aiohttp.ClientSession], Awaitable[Data]], key: str | None, url: str
) -> Data:
    async def run() -> Data:
        async with client.session(url, key) as session:
            return await work(session)

    with reported_errors():
        return asyncio.run(run())
