"""Calls to the platform's Graph API: one HTTP request each, never retried.

A failed call raises one of the three errors of `call_errors.py`, which say whether the platform may
have acted. JSON goes over the engine's own client (`engine/http/outbound/call_pool.py`); files are
moved by `files.py`.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec
from yarl import URL

from tidings import __version__, limits
from tidings.engine.http.outbound.call_connection import NotAnswered
from tidings.engine.http.outbound.call_pool import CallPool, NotWritten
from tidings.engine.http.outbound.connector import Destination
from tidings.platforms.whatsapp.call_errors import (
    NoResponse,
    Unreachable,
    fault,
    require_token,
    result,
)

if TYPE_CHECKING:
    from tidings.platforms.whatsapp.files import FileTransfer

RESPONSE_BYTES_MAX = 8 * limits.MIB
# Well below the idle timeout of the platform's servers: a POST on a connection that the server is
# closing would be an unknown outcome.
KEEP_ALIVE = timedelta(seconds=15)
_ID = re.compile(r"[0-9A-Za-z_.:-]*[0-9A-Za-z][0-9A-Za-z_.:-]*")


# The whole request is one write. What is the same for all calls is encoded once.
_GET = b"%bAuthorization: Bearer %b\r\n\r\n"
_POST = (
    b"%bContent-Type: application/json\r\nAuthorization: Bearer %b\r\nContent-Length: %d\r\n\r\n%b"
)


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
        connections: int = limits.PLATFORM_CONNECTIONS_MAX,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._origin = URL(url)
        self._root = self._origin / version
        self._tls = tls
        self._connect_timeout = connect_timeout
        self._timeout = timeout
        self._connections = connections
        self._pool = CallPool(
            _destination(self._origin),
            connections=connections,
            connect_timeout=connect_timeout,
            timeout=timeout,
            keep_alive=KEEP_ALIVE,
            response_bytes_max=RESPONSE_BYTES_MAX,
            tls=tls,
        )
        self._files: FileTransfer | None = None

    async def get_json(
        self, path: str, token: str, params: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Read an object: `get_json("106540352242922", token, {"fields": "id,status"})`."""
        head = _head("GET", _join(self._root, path).with_query(params))
        return await self._call(_GET % (head, _encode_token(token)))

    async def post_json(self, path: str, token: str, body: object) -> dict[str, Any]:
        data = msgspec.json.encode(body)
        head = _post_head(self._root, path)
        return await self._call(_POST % (head, _encode_token(token), len(data), data))

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
        files = await self._load_files()
        return await files.post(_join(self._root, path), token, fields, data, mimetype, filename)

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
        files = await self._load_files()
        async with files.download(found, token) as file:
            yield file

    async def close(self) -> None:
        await self._pool.close()
        if self._files is not None:
            await self._files.close()

    async def _call(self, request: bytes) -> dict[str, Any]:
        try:
            response = await self._pool.call(request)
        except NotWritten as error:
            raise fault(str(error), written=False) from None
        except NotAnswered as error:
            raise fault(str(error), written=True) from None
        return result(response.status, response.body, response.headers)

    async def _load_files(self) -> "FileTransfer":
        """With the first file: the library takes a third of a second to import, which would delay
        the start of every process, and here every call that is in flight."""
        if self._files is None:
            await asyncio.to_thread(import_module, "tidings.platforms.whatsapp.files")
        from tidings.platforms.whatsapp.files import FileTransfer

        if self._files is None:  # still, after waiting
            self._files = FileTransfer(
                self._origin,
                connect_timeout=self._connect_timeout,
                timeout=self._timeout,
                connections=self._connections,
                tls=self._tls,
            )
        return self._files


def _destination(origin: URL) -> Destination:
    assert origin.raw_host is not None and origin.port is not None, "the settings check the URL"
    return Destination(origin.raw_host, origin.port, is_tls=origin.scheme == "https")


def _join(root: URL, path: str) -> URL:
    return root.joinpath(*path.split("/"))


@lru_cache(maxsize=4096)
def _post_head(root: URL, path: str) -> bytes:
    """Cached by path, of which there is one for each number."""
    return _head("POST", _join(root, path))


def _head(method: str, url: URL) -> bytes:
    lines = (
        f"{method} {url.raw_path_qs} HTTP/1.1\r\n"
        f"Host: {url.host_port_subcomponent}\r\n"
        f"User-Agent: tidings/{__version__}\r\n"
        "Accept: application/json\r\n"
        "Accept-Encoding: identity\r\n"
    )
    return lines.encode("ascii")


def _encode_token(token: str) -> bytes:
    return require_token(token).encode("ascii")
