"""Somebody at the portal, who joins by an invitation and then looks at page after page."""

import asyncio
import random
import re
from collections.abc import Callable

import aiohttp

PASSWORD = "plum-tractor-window"
PAGES = (
    "", "/messages", "/messages?status=failed", "/messages?search=9725012", "/batches", "/events",
    "/links", "/forms", "/forms/visit", "/webhooks", "/requests", "/optouts", "/templates",
    "/numbers", "/keys", "/audit", "/privacy", "/phone", "/usage", "/people",
)  # fmt: skip
STREAM_SECONDS = 25
_CSRF = re.compile(r'name="csrf" value="([^"]+)"')


class Portal:
    def __init__(self, url: str) -> None:
        self._url = url
        self._cookies: dict[str, str] = {}

    async def join(self, token: str) -> None:
        """Choose a password; from then on this person is signed in."""
        jar = aiohttp.CookieJar(unsafe=True)  # of an address that is a number
        path = f"{self._url}/portal/welcome?token={token}"
        async with aiohttp.ClientSession(cookie_jar=jar) as http:
            async with http.get(path) as answer:
                found = _CSRF.search(await answer.text())
            if found is None:
                raise RuntimeError("the welcome page has no form")
            async with http.post(path, data={"csrf": found[1], "password": PASSWORD}) as answer:
                if answer.status != 200:
                    raise RuntimeError(f"joining was answered {answer.status}")
            self._cookies = {cookie.key: cookie.value for cookie in jar}

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

    @property
    def _headers(self) -> dict[str, str]:
        return {"cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
