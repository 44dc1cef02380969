"""Files to and from the platform, with aiohttp: multipart uploads and streamed downloads.

Rare beside messages, so this library's comfort is worth its price. `client.py` imports this module
with the first file.

Bytes count as written as soon as a connection is acquired: aiohttp then writes immediately, and
whether the last byte was sent cannot be known.
"""

import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import aiohttp
from yarl import URL

from tidings import __version__, limits
from tidings.platforms.whatsapp.call_errors import NoResponse, fault, require_token, result
from tidings.platforms.whatsapp.client import KEEP_ALIVE, RESPONSE_BYTES_MAX, Download

CHUNK_BYTES = 64 * limits.KIB
# Downloads carry our token, so only the platform's own hosts are allowed.
FILE_HOSTS = (".fbsbx.com", ".facebook.com", ".fbcdn.net", ".whatsapp.net", ".whatsapp.com")


class FileTransfer:
    """A pool of connections for files. Create it inside the running loop."""

    def __init__(
        self,
        origin: URL,
        *,
        connect_timeout: timedelta,
        timeout: timedelta,
        connections: int,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._origin = origin
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
                limit=connections,
                keepalive_timeout=KEEP_ALIVE.total_seconds(),
                ssl=tls or True,
            ),
            headers={"User-Agent": f"tidings/{__version__}", "Accept": "application/json"},
            cookie_jar=aiohttp.DummyCookieJar(),
            trace_configs=[_trace_connections()],
            trust_env=False,
        )

    async def post(
        self,
        url: URL,
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
        connection = SimpleNamespace(opened=False)
        try:
            async with self._session.post(
                url,
                data=form,
                headers=_bearer(token),
                allow_redirects=False,
                timeout=self._timeout,
                trace_request_ctx=connection,
            ) as response:
                body = await _read(response)
        except (aiohttp.ClientError, OSError) as error:
            # The exception may hold the request headers, including the token.
            raise fault(type(error).__name__, written=connection.opened) from None
        return result(response.status, body, lambda: response.headers)

    @asynccontextmanager
    async def download(self, found: Mapping[str, Any], token: str) -> AsyncIterator[Download]:
        """`found`: what the platform knows about the file, its URL above all."""
        response = await self._open(self._require_file_url(found.get("url")), token)
        try:
            yield _file(found, response)
        finally:
            response.close()

    async def close(self) -> None:
        await self._session.close()

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
        except (aiohttp.ClientError, OSError) as error:
            raise fault(type(error).__name__, written=connection.opened) from None
        result(response.status, body, lambda: response.headers)
        raise NoResponse("unexpected response to the download", response.status)

    def _require_file_url(self, given: object) -> URL:
        try:
            url = URL(given if isinstance(given, str) else "")
            known = url.scheme == "https" and f".{url.host}".endswith(FILE_HOSTS)
            if known or url.origin() == self._origin.origin():
                return url
        except ValueError:  # not a URL
            pass
        raise NoResponse("the file's address is not the platform's")


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {require_token(token)}"}


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
    except (aiohttp.ClientError, OSError) as error:
        raise fault(type(error).__name__, written=True) from None
