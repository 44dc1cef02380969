"""Calls to the platform's Graph API: one request each, and no post is ever made a second time.

What matters about a call that failed is whether the platform may have acted on it. Three faults
tell that apart, for a message as for everything else (contract.md, "Sending"):

- `Unreachable`: it took nothing. No connection came about, or what answered was not the platform.
- `Refused`: it said no, in its own words (a Graph error body, whatever the HTTP status).
- `Unanswered`: bytes went out, and no answer came that makes sense. It may have acted.

Bytes count as written from the time a connection is in hand: aiohttp then writes at once, and
whether the last byte left is not to be known. docs/decisions/0016-live-adapter.md
"""

import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import aiohttp
import msgspec
from yarl import URL

from tidings import __version__, limits
from tidings.platforms.whatsapp.graph_errors import GraphError, find_error, find_wait, parse_object

ANSWER_BYTES_MAX = 8 * limits.MIB
PIECE_BYTES = 64 * limits.KIB
INVALID_TOKEN = 190  # the platform's code
# Well below what the platform's servers keep: a post that meets a connection just being closed
# would be an unknown outcome through no fault of anybody.
KEEP_ALIVE = timedelta(seconds=15)

# Files are fetched with our token, so only from the platform's own hosts.
FILE_HOSTS = (".fbsbx.com", ".facebook.com", ".fbcdn.net", ".whatsapp.net", ".whatsapp.com")
_ID = re.compile(r"[0-9A-Za-z_.:-]*[0-9A-Za-z][0-9A-Za-z_.:-]*")


class GraphCallError(Exception):
    """A call without the result it was made for. Its text never quotes what was sent."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        self.status = status  # of HTTP, where an answer came
        super().__init__(reason)


class Unreachable(GraphCallError):
    """Nothing was taken: the same call may be made again."""

    def __init__(
        self, reason: str, status: int | None = None, retry_after: timedelta | None = None
    ) -> None:
        self.retry_after = retry_after
        super().__init__(reason, status)


class GraphErrorResponse(GraphCallError):
    """The platform said no."""

    def __init__(self, status: int, error: GraphError, retry_after: timedelta | None) -> None:
        self.error = error
        self.retry_after = retry_after
        super().__init__(f"refused with code {error.code}", status)


class NoResponse(GraphCallError):
    """Bytes went out and no answer came, or none that makes sense: it may have been done."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file on its way."""

    mimetype: str
    size: int | None
    pieces: AsyncIterator[bytes]


class Graph:
    """One pool of kept-alive connections to the platform. Make it inside the running loop."""

    def __init__(
        self,
        url: str,
        version: str,
        *,
        connect_timeout: timedelta = limits.PLATFORM_CONNECT_TIMEOUT,
        timeout: timedelta = limits.PLATFORM_RESPONSE_TIMEOUT,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._origin = URL(url)
        self._root = self._origin / version
        connect = connect_timeout.total_seconds()
        # Left alone, aiohttp rounds a limit of five seconds or more up to a whole second.
        exact = float("inf")
        self._timeout = aiohttp.ClientTimeout(
            total=timeout.total_seconds(), connect=connect, ceil_threshold=exact
        )
        self._patience = aiohttp.ClientTimeout(
            total=None, connect=connect, sock_read=timeout.total_seconds(), ceil_threshold=exact
        )
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=limits.PLATFORM_CONNECTIONS_MAX,
                keepalive_timeout=KEEP_ALIVE.total_seconds(),
                ssl=tls or True,
            ),
            headers={"User-Agent": f"tidings/{__version__}", "Accept": "application/json"},
            cookie_jar=aiohttp.DummyCookieJar(),
            trace_configs=[_watch()],
            trust_env=False,
        )

    async def get_json(
        self, path: str, token: str, params: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Read an object: `get_json("106540352242922", token, {"fields": "id,status"})`."""
        return await self._call("GET", self._url(path).with_query(params), token)

    async def post_json(self, path: str, token: str, body: object) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        data = msgspec.json.encode(body)
        return await self._call("POST", self._url(path), token, data=data, headers=headers)

    async def post_file(
        self,
        path: str,
        token: str,
        fields: Mapping[str, str],
        data: bytes,
        mimetype: str,
        filename: str,
    ) -> dict[str, Any]:
        """A form of several parts, the last of them a file."""
        form = aiohttp.FormData()
        for name, value in fields.items():
            form.add_field(name, value)
        form.add_field("file", data, content_type=mimetype, filename=filename)
        return await self._call("POST", self._url(path), token, data=form)

    async def upload(
        self, phone_number_id: str, token: str, data: bytes, mimetype: str, filename: str
    ) -> str:
        """Leave a file with the platform; the id it is sent by, for 30 days."""
        fields = {"messaging_product": "whatsapp", "type": mimetype}
        path = f"{phone_number_id}/media"
        answer = await self.post_file(path, token, fields, data, mimetype, filename)
        media_id = answer.get("id")
        if not isinstance(media_id, str) or not media_id:
            raise NoResponse("the upload was answered without an id")
        return media_id

    @asynccontextmanager
    async def download(self, media_id: str, token: str) -> AsyncIterator[Download]:
        """Fetch a file that a guest sent: `async with graph.download(...) as file`."""
        if not _ID.fullmatch(media_id):
            raise Unreachable("this is no id of a file")
        found = await self.get_json(media_id, token)
        response = await self._open(self._require_file_url(found.get("url")), token)
        try:
            yield _file(found, response)
        finally:
            response.close()

    async def _open(self, url: URL, token: str) -> aiohttp.ClientResponse:
        wire = SimpleNamespace(opened=False)
        try:
            response = await self._session.get(
                url,
                headers={**_bearer(token), "Accept": "*/*"},
                allow_redirects=False,
                timeout=self._patience,
                trace_request_ctx=wire,
            )
            if response.status == HTTPStatus.OK:
                return response
            async with response:
                body = await _read(response)
        except (aiohttp.ClientError, OSError) as fault:
            raise _fault(fault, wire.opened) from None
        _judge(response.status, response.headers, body)
        raise NoResponse("the file was answered in an unknown way", response.status)

    async def close(self) -> None:
        await self._session.close()

    def _url(self, path: str) -> URL:
        return self._root.joinpath(*path.split("/"))

    def _require_file_url(self, given: object) -> URL:
        try:
            url = URL(given if isinstance(given, str) else "")
            known = url.scheme == "https" and f".{url.host}".endswith(FILE_HOSTS)
            if known or url.origin() == self._origin.origin():
                return url
        except ValueError:  # no address at all
            pass
        raise NoResponse("the file is said to be at an address that is not the platform's")

    async def _call(
        self,
        method: str,
        url: URL,
        token: str,
        *,
        data: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        wire = SimpleNamespace(opened=False)
        try:
            async with self._session.request(
                method,
                url,
                data=data,
                headers={**_bearer(token), **(headers or {})},
                allow_redirects=False,
                timeout=self._timeout,
                trace_request_ctx=wire,
            ) as response:
                body = await _read(response)
        except (aiohttp.ClientError, OSError) as fault:
            # The fault itself may hold the request's headers, the token among them.
            raise _fault(fault, wire.opened) from None
        return _judge(response.status, response.headers, body)


def _bearer(token: str) -> dict[str, str]:
    """A token that no header can carry is refused here, in the platform's way."""
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        said = "the access token is empty, or has characters that no token has"
        raise GraphErrorResponse(
            HTTPStatus.UNAUTHORIZED, GraphError(INVALID_TOKEN, None, said), None
        )
    return {"Authorization": f"Bearer {token}"}


def _watch() -> aiohttp.TraceConfig:
    """Notes on each call's `trace_request_ctx` that a connection is in hand."""

    async def opened(_session: object, context: SimpleNamespace, _params: object) -> None:
        context.trace_request_ctx.opened = True

    watch = aiohttp.TraceConfig()
    watch.on_connection_create_end.append(opened)
    watch.on_connection_reuseconn.append(opened)
    return watch


async def _read(response: aiohttp.ClientResponse) -> bytes:
    pieces: list[bytes] = []
    size = 0
    async for piece in response.content.iter_any():
        pieces.append(piece)
        size += len(piece)
        if size > ANSWER_BYTES_MAX:
            raise NoResponse("the answer is longer than any answer", response.status)
    return b"".join(pieces)


def _fault(fault: Exception, opened: bool) -> GraphCallError:
    """In words for the customer; the kind of fault beside them is for whoever mends it."""
    kind = type(fault).__name__
    if opened:
        return NoResponse(f"the platform did not answer ({kind})")
    return Unreachable(f"the platform cannot be reached ({kind})")


def _judge(status: int, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """The result of a call, or the fault that it is."""
    answer = parse_object(body)
    error = find_error(answer)
    if error is not None:
        raise GraphErrorResponse(status, error, find_wait(headers))
    if 200 <= status < 300 and answer is not None:
        return answer
    if status >= 500 or 200 <= status < 300:
        raise NoResponse(f"answered {status} without the platform's words", status)
    raise Unreachable(f"answered {status}, not by the platform", status, find_wait(headers))


def _file(found: Mapping[str, Any], response: aiohttp.ClientResponse) -> Download:
    mimetype = found.get("mime_type")
    known = isinstance(mimetype, str) and mimetype
    return Download(
        mimetype=str(mimetype) if known else response.content_type,
        size=response.content_length,
        pieces=_pieces(response),
    )


async def _pieces(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    try:
        async for piece in response.content.iter_chunked(PIECE_BYTES):
            yield piece
    except (aiohttp.ClientError, OSError) as fault:
        raise _fault(fault, opened=True) from None
