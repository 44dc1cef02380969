"""Calls a running service as a customer does: over HTTP, with an account's key."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from .output import Refused, visible

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
            raise Refused(f"No answer from {url}; is `tidings serve` running there?") from None
        except TimeoutError:
            raise Refused(f"{url} took the call and did not answer it in time.") from None


async def post(opened: aiohttp.ClientSession, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Post JSON; the response's `data`. An error response is raised as `Refused`."""
    return await read_data(opened.post(path.lstrip("/"), json=body))


async def read_data(request: Any) -> dict[str, Any]:
    async with request as response:
        envelope: dict[str, Any] = await response.json(content_type=None)
    if not envelope.get("success"):
        raise refusal(response.status, envelope.get("error", {}))
    data: dict[str, Any] = envelope["data"]
    return data


def refusal(status: int, error: Mapping[str, Any]) -> Refused:
    """An error response as a sentence: its code and what to do."""
    return Refused(visible(f"{error.get('code', status)}: {error.get('message', '')}"))
