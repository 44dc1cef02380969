"""The service as an assistant's tools call it: over HTTP, with one account's key.

Everything that changes something goes through `act`, which keeps the rule that a live account is
only read unless its owner allows more. What the service refuses becomes an error that a model can
act on.
"""

from collections.abc import Mapping
from typing import Any, Self

import aiohttp
from mcp.server.mcpserver.exceptions import ToolError

from tidings import __version__
from tidings.engine.http.assistant import NAME as ASSISTANT
from tidings.engine.http.dry_run import NAME as DRY_RUN

Json = dict[str, Any]

AGENT = f"tidings-mcp/{__version__}"
SANDBOX = "sandbox"
ANSWER_SECONDS_MAX = 60
_NAME_CHARS_MAX = 60
_REFUSED_LIVE = (
    "Refused, nothing was sent: this key is of a live account, and `tidings mcp` was started "
    "without --allow-live. Only the person who runs it can allow this. Reading and dry runs work."
)


class Api:
    """Calls one service with one key. `async with Api(url, key, allow_live=False) as api`"""

    def __init__(self, url: str, key: str, *, allow_live: bool) -> None:
        self.url = url.rstrip("/")
        self._key = key
        self._allow_live = allow_live
        self._environment: str | None = None  # of the key's account, once the service has said it

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession(
            base_url=f"{self.url}/api/v1/",
            headers={"x-api-key": self._key, "User-Agent": AGENT},
            timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS_MAX),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.close()

    async def read(self, path: str, query: Mapping[str, object] | None = None) -> Json:
        """GET; the answer's envelope without `success`."""
        given = {name: str(value) for name, value in (query or {}).items() if value is not None}
        return await self._call("GET", path, params=given)

    async def preview(self, path: str, body: Json) -> Json:
        """A dry run, which a live account may do too: nothing is sent."""
        return await self._call("POST", path, json=body, headers={DRY_RUN: "true"})

    async def act(self, path: str, body: Json | None, *, client: str) -> Json:
        """POST something that has effects; `client` is the program that asked for it."""
        await self._require_may_act()
        headers = {ASSISTANT: f"{AGENT} ({_header_text(client)})"}
        return await self._call("POST", path, json=body or {}, headers=headers)

    async def _require_may_act(self) -> None:
        """Only what the service says counts: not how the key begins."""
        if self._allow_live:
            return
        if self._environment is None:
            await self.read("/limits")
        if self._environment != SANDBOX:
            raise ToolError(_REFUSED_LIVE)

    async def _call(self, method: str, path: str, **options: Any) -> Json:
        # A redirect could carry the key elsewhere, or repeat a send.
        request = self._http.request(
            method, path.lstrip("/"), allow_redirects=False, raise_for_status=False, **options
        )
        try:
            async with request as response:
                envelope = await response.json(content_type=None)
        except (aiohttp.ClientConnectorError, aiohttp.InvalidURL):
            raise ToolError(f"No service answers at {self.url}. Nothing was done.") from None
        except (aiohttp.ClientError, TimeoutError, ValueError):
            raise _unanswered(options.get("json")) from None
        if not isinstance(envelope, dict) or "success" not in envelope:  # a proxy's, or a redirect
            raise _unanswered(options.get("json"))
        if envelope.pop("success") is not True:
            error = envelope.get("error")
            raise _refusal(response, error if isinstance(error, dict) else {})
        self._environment = envelope.get("environment")
        return envelope


def _unanswered(body: Json | None) -> ToolError:
    """Without a body it was a read. The model must learn the id that we gave a message."""
    if body is None:
        return ToolError("The service gave no usable answer. Try again.")
    text = (
        "The service gave no usable answer, so it may or may not have been done. Look it up "
        "before anything else."
    )
    if client_message_id := body.get("clientMessageId"):
        text += f" Repeating it with client_message_id {client_message_id} does not send it twice."
    return ToolError(text)


def _refusal(response: aiohttp.ClientResponse, error: Json) -> ToolError:
    parts = [f"{error.get('code', f'HTTP {response.status}')}: {error.get('message', '')}."]
    if wait := response.headers.get("Retry-After"):
        parts.append(f"Try again in {wait} seconds.")
    if page := error.get("docUrl"):
        parts.append(f"Explained at {page}.")
    if request_id := error.get("requestId"):
        parts.append(f"Request {request_id}.")
    return ToolError(" ".join(parts))


def _header_text(text: str) -> str:
    shown = "".join(one for one in text if one.isascii() and one.isprintable() and one not in "()")
    return shown[:_NAME_CHARS_MAX] or "unknown client"
