"""Speaking to a running service as a customer does: over HTTP, with an account's key."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from .output import visible
from .refusal import Refused

KEY_VARIABLE = "TIDINGS_API_KEY"


@asynccontextmanager
async def session(url: str, key: str | None) -> AsyncIterator[aiohttp.ClientSession]:
    """A session whose paths are those of section 4, such as `/messages/text`."""
    key = key or os.environ.get(KEY_VARIABLE)
    if not key:
        raise Refused(f"Give the account's key by --key or in {KEY_VARIABLE}.")
    opened = aiohttp.ClientSession(
        base_url=url.rstrip("/") + "/api/v1/",
        headers={"x-api-key": key},
        connector=aiohttp.TCPConnector(limit=0),
    )
    async with opened:
        try:
            yield opened
        except aiohttp.ClientConnectionError:
            raise Refused(f"Nobody answers at {url}; is `tidings serve` running there?") from None


async def post(opened: aiohttp.ClientSession, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer's `data`; a refusal is told with its code and what to do."""
    return await answer(opened.post(path.lstrip("/"), json=body))


async def answer(request: Any) -> dict[str, Any]:
    async with request as response:
        envelope: dict[str, Any] = await response.json(content_type=None)
    if not envelope.get("success"):
        error = envelope.get("error", {})
        said = f"{error.get('code', response.status)}: {error.get('message', '')}"
        raise Refused(visible(said))
    data: dict[str, Any] = envelope["data"]
    return data
