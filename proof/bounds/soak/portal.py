"""Somebody at the portal, who joins by an invitation and then looks at page after page."""

import asyncio
import random
from collections.abc import Callable

import aiohttp

from proof.bounds import visitor

PAGES = (
    "", "/messages", "/messages?status=failed", "/messages?search=9725012", "/batches", "/events",
    "/links", "/forms", "/forms/visit", "/webhooks", "/requests", "/optouts", "/templates",
    "/numbers", "/keys", "/audit", "/privacy", "/phone", "/usage", "/people",
)  # fmt: skip
STREAM_SECONDS = 25


class Portal:
    def __init__(self, url: str) -> None:
        self._url = url
        self._headers: dict[str, str] = {}

    async def join(self, token: str) -> None:
        """Choose a password; from then on this person is signed in."""
        self._headers = {"cookie": await visitor.join(self._url, token)}

    async def look(self, http: aiohttp.ClientSession, note: Callable[[str], None]) -> None:
        page = random.choice(PAGES)
        async with http.get(f"/portal{page}", headers=self._headers) as answer:
            await answer.read()
            if answer.status != 200 or answer.url.path.endswith("sign-in"):
                note(f"/portal{page}: {answer.status} {answer.url.path}")

    async def listen(self, http: aiohttp.ClientSession, note: Callable[[str], None]) -> None:
        """Keep a page's stream of news open for a while."""
        path = "/portal/stream"
        async with http.get(path, headers=self._headers) as answer:
            if answer.status != 200:
                note(f"{path}: {answer.status}")
                return
            try:
                async with asyncio.timeout(STREAM_SECONDS):
                    while await answer.content.readany():
                        pass
            except TimeoutError:
                pass
