"""An OpenAI-compatible endpoint for tests, which can also misbehave.

with OutsideEndpoint() as endpoint:
    endpoint.says(answer="yes", guests=2, confidence=0.99)
    ...
    endpoint.texts  # the guests' words that it was shown
"""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from tests.support.threaded import WAIT, ThreadedSite

KEY = "sk-test-0123456789"
Behaviour = Callable[[web.Request, str], Awaitable[web.StreamResponse]]


def completion(content: str) -> web.Response:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return web.json_response({"id": "one", "object": "chat.completion", "choices": [choice]})


class OutsideEndpoint(ThreadedSite):
    def __init__(self) -> None:
        super().__init__()
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.followed: list[str] = []  # paths that only a redirect leads to
        self.says(answer="unclear", guests=None, confidence=0.5)

    @property
    def settings(self) -> dict[str, str]:
        return {
            "TIDINGS_READER_URL": f"{self.url}/v1",
            "TIDINGS_READER_MODEL": "test-model",
            "TIDINGS_READER_KEY": KEY,
            "TIDINGS_READER_SECONDS": "3",
        }

    @property
    def texts(self) -> list[str]:
        return [said_in(request) for request in self.requests]

    def says(self, **opinion: Any) -> None:
        self.writes(json.dumps(opinion))

    def writes(self, content: str) -> None:
        async def behave(_request: web.Request, _text: str) -> web.Response:
            return completion(content)

        self.behaviour: Behaviour = behave

    def answers(self, status: int, body: str = "{}", **headers: str) -> None:
        async def behave(_request: web.Request, _text: str) -> web.Response:
            return web.Response(status=status, text=body, headers=headers)

        self.behaviour = behave

    def hangs(self) -> None:
        async def behave(_request: web.Request, _text: str) -> web.Response:
            await asyncio.sleep(60)
            return completion("{}")

        self.behaviour = behave

    @contextmanager
    def thinking(self, **opinion: Any) -> Iterator[None]:
        """It has been asked, and says this at the end of the block."""
        asked, done = threading.Event(), threading.Event()

        async def behave(_request: web.Request, _text: str) -> web.Response:
            asked.set()
            while not done.is_set():
                await asyncio.sleep(0.01)
            return completion(json.dumps(opinion))

        self.behaviour = behave
        self._asked = asked
        try:
            yield
        finally:
            done.set()

    def wait_until_asked(self) -> None:
        assert self._asked.wait(WAIT), "nobody asks"

    def streams_for_ever(self, chunk: bytes, every: float) -> None:
        async def behave(request: web.Request, _text: str) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(request)
            while True:
                await response.write(chunk)
                await asyncio.sleep(every)

        self.behaviour = behave

    def obeys_the_guest(self) -> None:
        """As a model that is easily talked into things: what follows `SAY` is what it says."""

        async def behave(_request: web.Request, text: str) -> web.Response:
            return completion(text.partition("SAY ")[2])

        self.behaviour = behave

    def _routes(self) -> Iterable[web.RouteDef]:
        return [
            web.post("/v1/chat/completions", self._complete),
            web.route("*", "/elsewhere", self._elsewhere),
        ]

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        return await self.behaviour(request, said_in(body))

    async def _elsewhere(self, request: web.Request) -> web.StreamResponse:
        self.followed.append(request.path)
        return completion('{"answer": "yes", "guests": null, "confidence": 1}')


def said_in(body: dict[str, Any]) -> str:
    """The guest's words: a JSON string, alone in the user's message."""
    [system, user] = body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    text = json.loads(user["content"])
    assert isinstance(text, str)
    return text
