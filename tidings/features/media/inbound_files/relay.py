"""The response with a guest's file (4.13): safe to open, streamed, never buffered whole.

The file is untrusted content served from our domain: it may not run scripts, be framed or set
cookies, and only images, videos and audio are displayed inline.
"""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Literal, Self

from tidings import limits
from tidings.engine.http.disposition import disposition
from tidings.engine.http.endpoint import PlainResponse
from tidings.errors import ApiError
from tidings.platforms.whatsapp.call_errors import GraphCallError, GraphErrorResponse
from tidings.platforms.whatsapp.client import Download

from ..rules import MediaCode
from .model import GuestFile, is_inline, safe_filename

DAY = timedelta(days=1)
DETAILS_CHARS_MAX = 300

_PAGE = re.compile(rb"\s*(?:<!doctype\s+html|<html)", re.IGNORECASE)


def answer(
    file: GuestFile, body: bytes | AsyncIterator[bytes], *, size: int | None, left: timedelta
) -> PlainResponse:
    """`left`: the remaining validity of the link."""
    headers = [
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
        (b"content-disposition", _disposition(file)),
        (b"cache-control", b"private, max-age=%d" % min(left, DAY).total_seconds()),
        (b"cross-origin-resource-policy", b"cross-origin"),
        (b"referrer-policy", b"no-referrer"),
    ]
    if size is not None and not isinstance(body, bytes):
        headers.append((b"content-length", b"%d" % size))
    return PlainResponse(200, body, file.mimetype, tuple(headers))


def _disposition(file: GuestFile) -> bytes:
    kind: Literal["inline", "attachment"]
    kind = "inline" if is_inline(file.mimetype) else "attachment"
    name = safe_filename(file.filename)
    if not name:
        return kind.encode()
    return disposition(kind, name)


class Relay:
    """Streams the platform's file to the client. `aclose` releases the connection."""

    def __init__(self, download: Download, first: bytes) -> None:
        self.size = download.size
        self.holds = AsyncExitStack()  # the connection and other resources, closed together
        self._chunks = download.chunks
        self._first: bytes | None = first
        self._left = limits.INBOUND_MEDIA_BYTES_MAX

    @classmethod
    async def begin(cls, download: Download) -> Self:
        """Reads the first chunk, so that an error before it can still be reported as such."""
        if download.size is not None and download.size > limits.INBOUND_MEDIA_BYTES_MAX:
            raise failed("the file is larger than any a guest can send")
        first = await anext(aiter(download.chunks), b"")
        if _PAGE.match(first) and "html" not in download.mimetype:
            raise failed("it answered with a page in place of the file")
        return cls(download, first)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        chunk, self._first = self._first, None
        if chunk is None:
            try:
                chunk = await anext(self._chunks)
            except GraphCallError as fault:
                raise explained(fault) from None
        self._left -= len(chunk)
        if self._left < 0:  # Content-Length was wrong or missing: abort
            raise failed("the file is larger than any a guest can send")
        return chunk

    async def aclose(self) -> None:
        await self.holds.aclose()


def failed(details: str) -> ApiError:
    text = " ".join(details.split())[:DETAILS_CHARS_MAX]
    return ApiError(MediaCode.META_ERROR, f"the download from the platform failed: {text}")


def explained(fault: GraphCallError) -> ApiError:
    """Quotes the platform's error details, if there are any."""
    if isinstance(fault, GraphErrorResponse) and fault.error.details:
        return failed(fault.error.details)
    return failed(str(fault))
