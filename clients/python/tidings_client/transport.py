"""Sends requests over HTTP, blocking or asynchronous. All decisions are in exchange and retries."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from .exchange import Outcome, Request, read_items, read_outcome
from .retries import Retries

VERSION = "0.1.0"
AGENT = f"tidings-client-python/{VERSION}"


@dataclass(frozen=True)
class Settings:
    """Where to send, as whom, and how patiently."""

    api_key: str = field(repr=False)
    base_url: str
    timeout: float
    retries: Retries

    def seconds(self, request: Request) -> float:
        """Of one try."""
        return max(self.timeout, request.least_seconds)

    def arguments(self, request: Request) -> dict[str, Any]:
        """Of `httpx.Client.request`. A public address is not told the key."""
        key = {"x-api-key": self.api_key} if request.has_key else {}
        body = {} if request.body is None else {"json": request.body}
        return {
            "method": request.method,
            "url": self.base_url + request.path,
            "params": request.query,
            "headers": {"user-agent": AGENT, **key, **request.headers},
            "timeout": self.seconds(request),
            "follow_redirects": False,
            **body,
        }


class SyncTransport:
    """Blocks until the response is there."""

    def __init__(self, settings: Settings, http: httpx.Client | None) -> None:
        self._settings = settings
        self._is_own = http is None
        self._http = http or httpx.Client()

    def send(self, request: Request) -> Any:
        return read_outcome(request, self._outcome(request))

    def fetch_page(self, request: Request) -> Any:
        return read_items(request, self._outcome(request))

    def close(self) -> None:
        if self._is_own:
            self._http.close()

    def _outcome(self, request: Request) -> Outcome:
        for tried in count(1):
            outcome = self._try(request)
            pause = self._settings.retries.pause_after(request, outcome, tried)
            if pause is None:
                break
            time.sleep(pause)
        return outcome

    def _try(self, request: Request) -> Outcome:
        try:
            due = time.monotonic() + self._settings.seconds(request)
            with self._http.stream(**self._settings.arguments(request)) as response:
                chunks = []
                for chunk in response.iter_bytes():
                    _require_time(due, response)
                    chunks.append(chunk)
                return _whole(response, chunks)
        except httpx.RequestError as fault:
            return fault


class AsyncTransport:
    """The same for asyncio."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient | None) -> None:
        self._settings = settings
        self._is_own = http is None
        self._http = http or httpx.AsyncClient()

    async def send(self, request: Request) -> Any:
        return read_outcome(request, await self._outcome(request))

    async def fetch_page(self, request: Request) -> Any:
        return read_items(request, await self._outcome(request))

    async def aclose(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def _outcome(self, request: Request) -> Outcome:
        for tried in count(1):
            outcome = await self._try(request)
            pause = self._settings.retries.pause_after(request, outcome, tried)
            if pause is None:
                break
            await asyncio.sleep(pause)
        return outcome

    async def _try(self, request: Request) -> Outcome:
        try:
            due = time.monotonic() + self._settings.seconds(request)
            async with self._http.stream(**self._settings.arguments(request)) as response:
                chunks = []
                async for chunk in response.aiter_bytes():
                    _require_time(due, response)
                    chunks.append(chunk)
                return _whole(response, chunks)
        except httpx.RequestError as fault:
            return fault


def _require_time(due: float, response: httpx.Response) -> None:
    """httpx limits each read. A body that comes in drops would keep us for ever."""
    if time.monotonic() > due:
        raise httpx.ReadTimeout("the body came too slowly", request=response.request)


def _whole(response: httpx.Response, chunks: list[bytes]) -> httpx.Response:
    headers = httpx.Headers(response.headers)
    headers.pop("content-encoding", None)  # the chunks are decoded
    return httpx.Response(response.status_code, headers=headers, content=b"".join(chunks))
