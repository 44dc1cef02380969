"""Sends requests over HTTP, blocking or asynchronous. All decisions are in exchange and retries."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from .exchange import Outcome, Request, read_envelope, read_outcome
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

    def arguments(self, request: Request) -> dict[str, Any]:
        """Of `httpx.Client.request`. A public address is not told the key."""
        key = {"x-api-key": self.api_key} if request.has_key else {}
        body = {} if request.body is None else {"json": request.body}
        return {
            "method": request.method,
            "url": self.base_url + request.path,
            "params": request.query,
            "headers": {"user-agent": AGENT, **key, **request.headers},
            "timeout": self.timeout,
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
        return read_envelope(request, self._outcome(request))

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
            return self._http.request(**self._settings.arguments(request))
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
        return read_envelope(request, await self._outcome(request))

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
            return await self._http.request(**self._settings.arguments(request))
        except httpx.RequestError as fault:
            return fault
