"""`tidings phone`: a guest's conversation in the terminal, by the API that customers use.

On a terminal new messages appear by themselves, and what is refused is said and can be tried again.
In a pipe each line is done before the next one is read, and what is refused ends the command.
"""

import asyncio
from typing import Any
from urllib.parse import quote

import aiohttp

from tidings.cli import client
from tidings.cli.output import Refused, Styled, print_json, remark, say, say_above
from tidings.cli.runner import reported_errors
from tidings.phone import as_digits

from . import acts
from .acts import Advance, NotUnderstood, Plain, Reply, read_act
from .clock import advance, ahead
from .transcript import Line, Transcript
from .typed_lines import TypedLines

LOOK_SECONDS = 1.0
WELCOME = "Type a message, /1 to press a button, /help for more, Ctrl-D to leave."


def open_phone(number: str, *, key: str | None, url: str, as_json: bool) -> None:
    with reported_errors():
        try:
            asyncio.run(_open(as_digits(number), key, url, as_json=as_json))
        except KeyboardInterrupt:
            remark()


async def _open(number: str, key: str | None, url: str, *, as_json: bool) -> None:
    async with client.session(url, key) as session:
        if as_json:
            print_json(await _load(session, number))
            return
        lines = TypedLines()
        try:
            await Phone(session, number, lines).converse()
        finally:
            lines.close()


async def _load(session: aiohttp.ClientSession, number: str) -> dict[str, Any]:
    return await client.read_data(session.get(f"/sandbox/v1/phones/{quote(number, safe='')}"))


class Phone:
    def __init__(self, session: aiohttp.ClientSession, number: str, lines: TypedLines) -> None:
        self.session, self.number, self.lines = session, number, lines
        self.transcript = Transcript()

    async def converse(self) -> None:
        _show(await self._news() or [("No messages yet.",)])
        if self.lines.is_terminal:
            remark(Styled(WELCOME, dim=True))
        while (line := await self._next_line()) is not None:
            try:
                if not await self._do(line):
                    return
                _show(await self._news())
            except (NotUnderstood, Refused) as reason:
                if not self.lines.is_terminal:
                    raise Refused(str(reason)) from None
                remark(Styled(str(reason), "red"))

    async def _next_line(self) -> str | None:
        """The next line; messages that come meanwhile are shown above it."""
        typing = asyncio.create_task(self.lines.next())
        while self.lines.is_terminal:
            done, _ = await asyncio.wait({typing}, timeout=LOOK_SECONDS)
            if done:
                break
            news = await self._news_if_reachable()
            if news:
                say_above(news, self.lines.typed())
        return await typing

    async def _news_if_reachable(self) -> list[Line]:
        try:
            return await self._news()
        except (Refused, aiohttp.ClientError):  # such as during a restart: the next look tells
            return []

    async def _news(self) -> list[Line]:
        return self.transcript.add((await _load(self.session, self.number))["messages"])

    async def _do(self, line: str) -> bool:
        """False: the guest leaves."""
        match read_act(line, self.transcript.buttons):
            case Reply(body):
                await self._reply(body)
            case Advance(by):
                clock = await advance(self.session, by)
                say(Styled(f"It is {clock['now']}, {ahead(clock)}.", dim=True))
            case Plain("form"):
                await self._fill_in()
            case Plain("help"):
                say(acts.HELP)
            case Plain("quit"):
                return False
        return True

    async def _reply(self, body: dict[str, Any]) -> None:
        body = {"from": self.number, **body}
        await client.read_data(self.session.post("/sandbox/v1/replies", json=body))

    async def _fill_in(self) -> None:
        answers = {}
        for question in acts.questions_of(self.transcript.form):
            say(Styled(acts.ask(question)))
            line = await self.lines.next()
            if line is None:
                raise NotUnderstood("The form was not sent: the input ended before its last line.")
            answer = acts.read_answer(question, line)
            if answer is not None:
                answers[question["id"]] = answer
        await self._reply({"form": {"answers": answers}})


def _show(lines: list[Line]) -> None:
    for line in lines:
        say(*line)
