"""The answer with a guest's file (4.13): safe to open, passed on piece by piece, never whole.

What a guest sent comes from our domain and is nobody's of ours: it runs no script, frames nothing,
sets no cookie, and only pictures, films and sounds are shown in place.
"""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Self
from urllib.parse import quote

from tidings import limits
from tidings.engine.http.endpoint import PlainResponse
from tidings.errors import ApiError
from tidings.platforms.whatsapp.client import Download, GraphCallError, GraphErrorResponse

from ..rules import MediaCode
from .model import GuestFile, is_shown, safe_filename

DAY = timedelta(days=1)
DETAILS_CHARS_MAX = 300

_PAGE = re.compile(rb"\s*(?:<!doctype\s+html|<html)", re.IGNORECASE)
_UNUSUAL = re.compile(r"[^A-Za-z0-9 ._()-]")


def answer(
    file: GuestFile, body: bytes | AsyncIterator[bytes], *, size: int | None, left: timedelta
) -> PlainResponse:
    """`left`: for how long the link is still good."""
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
    kind = "inline" if is_shown(file.mimetype) else "attachment"
    name = safe_filename(file.filename)
    if not name:
        return kind.encode()
    plain = _UNUSUAL.sub("_", name)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}".encode()


class Relay:
    """The platform's file on its way to whoever asked. `aclose` lets go of what it holds."""

    def __init__(self, download: Download, first: bytes) -> None:
        self.size = download.size
        self.holds = AsyncExitStack()  # the connection, and whatever else ends with it
        self._pieces = download.chunks
        self._first: bytes | None = first
        self._left = limits.INBOUND_MEDIA_BYTES_MAX

    @classmethod
    async def begin(cls, download: Download) -> Self:
        """With the first piece in hand: a fault before it can still be reported."""
        if download.size is not None and download.size > limits.INBOUND_MEDIA_BYTES_MAX:
            raise failed("the file is larger than any a guest can send")
        first = await anext(aiter(download.chunks), b"")
        if _PAGE.match(first) and "html" not in download.mimetype:
            raise failed("it answered with a page in place of the file")
        return cls(download, first)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        piece, self._first = self._first, None
        if piece is None:
            try:
                piece = await anext(self._pieces)
            except GraphCallError as fault:
                raise explained(fault) from None
        self._left -= len(piece)
        if self._left < 0:  # it claimed to be shorter, or claimed nothing: break off
            raise failed("the file is larger than any a guest can send")
        return piece

    async def aclose(self) -> None:
        await self.holds.aclose()


def failed(said: str) -> ApiError:
    text = " ".join(said.split())[:DETAILS_CHARS_MAX]
    return ApiError(MediaCode.META_ERROR, f"the download from the platform failed: {text}")


def explained(fault: GraphCallError) -> ApiError:
    """In the platform's own words, where it has any."""
    if isinstance(fault, GraphErrorResponse) and fault.error.details:
        return failed(fault.error.details)
    return failed(str(fault))
