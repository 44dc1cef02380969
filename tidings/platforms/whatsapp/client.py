"""Calls to the platform's Graph API: one HTTP request each, never retried.

The caller of a failed call must know whether the platform may have acted on it, so there are three
errors (contract.md, "Sending"):

- `Unreachable`: it did not act. There was no connection, or another server responded.
- `GraphErrorResponse`: it did not act. The body is a Graph error, whatever the HTTP status.
- `NoResponse`: bytes were written and no valid response came. It may have acted.

Bytes count as written as soon as a connection is acquired: aiohttp then writes immediately, and
whether the last byte was sent cannot be known. docs/decisions/0016-live-adapter.md
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
from tidings.platforms.whatsapp.graph_errors import (
    GraphError,
    find_error,
    find_retry_after,
    parse_object,
)

RESPONSE_BYTES_MAX = 8 * limits.MIB
CHUNK_BYTES = 64 * limits.KIB
INVALID_TOKEN = 190  # the platform's code
# Well below the idle timeout of the platform's servers: a POST on a connection that the server is
# closing would be an unknown outcome.
KEEP_ALIVE = timedelta(seconds=15)

# Downloads carry our token, so only the platform's own hosts are allowed.
FILE_HOSTS = (".fbsbx.com", ".facebook.com", ".fbcdn.net", ".whatsapp.net", ".whatsapp.com")
_ID = re.compile(r"[0-9A-Za-z_.:-]*[0-9A-Za-z][0-9A-Za-z_.:-]*")


class GraphCallError(Exception):
    """A failed call. Its text never quotes the request."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        self.status = status  # of HTTP, if a response came
        super().__init__(reason)


class Unreachable(GraphCallError):
    """The platform did not act: the call may be retried."""

    def __init__(
        self, reason: str, status: int | None = None, retry_after: timedelta | None = None
    ) -> None:
        self.retry_after = retry_after
        super().__init__(reason, status)


class GraphErrorResponse(GraphCallError):
    """The platform responded with an error."""

    def __init__(self, status: int, error: GraphError, retry_after: timedelta | None) -> None:
        self.error = error
        self.retry_after = retry_after
        super().__init__(f"refused with code {error.code}", status)


class NoResponse(GraphCallError):
    """Bytes were written and no valid response came: the platform may have acted."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file being downloaded."""

    mimetype: str
    size: int | None
    chunks: AsyncIterator[bytes]


class Graph:
    """One pool of keep-alive connections to the platform. Create it inside the running loop."""

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
        # By default aiohttp rounds timeouts of five seconds or more up to a whole second.
        exact = float("inf")
        self._timeout = aiohttp.ClientTimeout(
            total=timeout.total_seconds(), connect=connect, ceil_threshold=exact
        )
        self._download_timeout = aiohttp.ClientTimeout(
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
            trace_configs=[_trace_connections()],
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
        """A multipart form; the file is its last part."""
        form = aiohttp.FormData()
        for name, value in fields.items():
            form.add_field(name, value)
        form.add_field("file", data, content_type=mimetype, filename=filename)
        return await self._call("POST", self._url(path), token, data=form)

    async def upload(
        self, phone_number_id: str, token: str, data: bytes, mimetype: str, filename: str
    ) -> str:
        """Upload a file; returns its media id, valid for 30 days."""
        fields = {"messaging_product": "whatsapp", "type": mimetype}
        path = f"{phone_number_id}/media"
        response = await self.post_file(path, token, fields, data, mimetype, filename)
        media_id = response.get("id")
        if not isinstance(media_id, str) or not media_id:
            raise NoResponse("the response to the upload has no id")
        return media_id

    @asynccontextmanager
    async def download(self, media_id: str, token: str) -> AsyncIterator[Download]:
        """Fetch a file that a guest sent: `async with graph.download(...) as file`."""
        if not _ID.fullmatch(media_id):
            raise Unreachable("this is not a media id")
        found = await self.get_json(media_id, token)
        response = await self._open(self._require_file_url(found.get("url")), token)
        try:
            yield _file(found, response)
        finally:
            response.close()

    async def _open(self, url: URL, token: str) -> aiohttp.ClientResponse:
        connection = SimpleNamespace(opened=False)
        try:
            response = await self._session.get(
                url,
                headers={**_bearer(token), "Accept": "*/*"},
                allow_redirects=False,
                timeout=self._download_timeout,
                trace_request_ctx=connection,
            )
            if response.status == HTTPStatus.OK:
                return response
            async with response:
                body = await _read(response)
        except (aiohttp.ClientError, OSError) as fault:
            raise _fault(fault, connection.opened) from None
        _result(response.status, response.headers, body)
        raise NoResponse("unexpected response to the download", response.status)

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
        except ValueError:  # not a URL
            pass
        raise NoResponse("the file's address is not the platform's")

    async def _call(
        self,
        method: str,
        url: URL,
        token: str,
        *,
        data: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        connection = SimpleNamespace(opened=False)
        try:
            async with self._session.request(
                method,
                url,
                data=data,
                headers={**_bearer(token), **(headers or {})},
                allow_redirects=False,
                timeout=self._timeout,
                trace_request_ctx=connection,
            ) as response:
                body = await _read(response)
        except (aiohttp.ClientError, OSError) as fault:
            # The exception may hold the request headers, including the token.
            raise _fault(fault, connection.opened) from None
        return _result(response.status, response.headers, body)


def _bearer(token: str) -> dict[str, str]:
    """A token that cannot be sent in a header is refused here like an invalid one."""
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        said = "the access token is empty or has invalid characters"
        raise GraphErrorResponse(
            HTTPStatus.UNAUTHORIZED, GraphError(INVALID_TOKEN, None, said), None
        )
    return {"Authorization": f"Bearer {token}"}


def _trace_connections() -> aiohttp.TraceConfig:
    """Records in `trace_request_ctx` that the call has acquired a connection."""

    async def opened(_session: object, context: SimpleNamespace, _params: object) -> None:
        context.trace_request_ctx.opened = True

    trace = aiohttp.TraceConfig()
    trace.on_connection_create_end.append(opened)
    trace.on_connection_reuseconn.append(opened)
    return trace


async def _read(response: aiohttp.ClientResponse) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_any():
        chunks.append(chunk)
        size += len(chunk)
        if size > RESPONSE_BYTES_MAX:
            raise NoResponse("the response is too long", response.status)
    return b"".join(chunks)


def _fault(fault: Exception, opened: bool) -> GraphCallError:
    """A reason that customers may see; the exception's name is for the operator."""
    kind = type(fault).__name__
    if opened:
        return NoResponse(f"the platform did not answer ({kind})")
    return Unreachable(f"the platform cannot be reached ({kind})")


def _result(status: int, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """The JSON object of a response; raises for an error."""
    answer = parse_object(body)
    error = find_error(answer)
    if error is not None:
        raise GraphErrorResponse(status, error, find_retry_after(headers))
    if 200 <= status < 300 and answer is not None:
        return answer
    if status >= 500 or 200 <= status < 300:
        raise NoResponse(f"HTTP {status} without a Graph API body", status)
    raise Unreachable(f"HTTP {status}, not from the platform", status, find_retry_after(headers))


def _file(found: Mapping[str, Any], response: aiohttp.ClientResponse) -> Download:
    mimetype = found.get("mime_type")
    known = isinstance(mimetype, str) and mimetype
    return Download(
        mimetype=str(mimetype) if known else response.content_type,
        size=response.content_length,
        chunks=_chunks(response),
    )


async def _chunks(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.content.iter_chunked(CHUNK_BYTES):
            yield chunk
    except (aiohttp.ClientError, OSError) as fault:
        raise _fault(fault, opened=True) from None
