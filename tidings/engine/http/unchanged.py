"""Responses that a browser may keep: an ETag, and 304 for who has the same already."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from tidings.engine.http.endpoint import PlainResponse

_ETAG = b"etag"
_DIGITS = 16


def etag_of(body: bytes) -> tuple[bytes, bytes]:
    """The header of a body."""
    return _ETAG, f'"{hashlib.sha256(body).hexdigest()[:_DIGITS]}"'.encode()


def unless_known(response: PlainResponse, asked: Mapping[bytes, bytes]) -> PlainResponse:
    """The response, or 304 where the caller names its ETag. A proxy that compresses makes the tag
    weak (`W/`), and a cache may name several."""
    own = dict(response.headers).get(_ETAG)
    named = asked.get(b"if-none-match")
    if own is None or named is None:
        return response
    tags = {tag.strip().removeprefix(b"W/") for tag in named.split(b",")}
    return replace(response, status=304, body=b"") if own in tags else response
