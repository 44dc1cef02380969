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
    opened = aiohttp.ClientSession(
        base_url=url.rstrip("/") + "/api/v1/",
        headers={"x-api-key": require_key(key)},
        connector=aiohttp.TCPConnector(limit=0),
        trace_configs=[_without_redirects()],
    )
    async with opened:
        try:
            yield opened
        except aiohttp.ClientConnectionError:
            raise Refused(f"No answer from {url}; is `tidings serve` running there?") from None
        except TimeoutError:
            raise Refused(f"{url} took the call and did not answer it in time.") from None
        except aiohttp.ClientError:
            raise Refused(f"The answer of {url} broke off.") from None


def require_key(key: str | None) -> str:
    """The key that is given, or that of the environment."""
    found = (key or os.environ.get(KEY_VARIABLE, "")).strip()
    if not found:
        raise Refused(f"Give the account's key by --key or in {KEY_VARIABLE}.")
    if not found.isprintable():  # a header cannot hold it
        raise Refused("The key has a line break or another control character in it.")
    return found


def _without_redirects() -> aiohttp.TraceConfig:
    """A redirect could carry the key to somebody else, or repeat a send."""

    async def refuse(_session: object, _context: object, params: Any) -> None:
        place = params.response.headers.get("Location", "elsewhere")
        text = f"{params.url.origin()} redirects to {place}; is --url right? Nothing was followed."
        raise Refused(visible(text))

    config = aiohttp.TraceConfig()
    config.on_request_redirect.append(refuse)
    return config


async def post(opened: aiohttp.ClientSession, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Post JSON; the response's `data`. An error response is raised as `Refused`."""
    return await read_data(opened.post(path.lstrip("/"), json=body))


async def read_data(request: Any) -> dict[str, Any]:
    async with request as response:
        envelope = await read_envelope(response)
    if not envelope.get("success"):
        raise refusal(response.status, envelope.get("error", {}))
    data: dict[str, Any] = envelope["data"]
    return data


async def read_envelope(response: aiohttp.ClientResponse) -> dict[str, Any]:
    """An answer of the service; what is none comes from a proxy, or from another program."""
    try:
        envelope = await response.json(content_type=None)
    except ValueError:
        envelope = None
    if not isinstance(envelope, dict) or "success" not in envelope:
        place = f"{response.url.origin()} answered with status {response.status}"
        raise Refused(f"{place}, but not as Tidings does; is --url right?")
    return envelope


def refusal(status: int, error: object) -> Refused:
    """An error response as a sentence: its code and what to do."""
    known = error if isinstance(error, Mapping) else {}
    return Refused(visible(f"{known.get('code', status)}: {known.get('message', '')}"))
