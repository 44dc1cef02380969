"""The three accepted file formats, recognised by their first bytes; image sizes. Pure."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

from tidings import limits

from .model import MediaKind

JPEG_SEGMENTS_MAX = 4096  # a valid file has a few dozen before its frame header

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # SOF0 to SOF15
_NO_FRAME_AFTER = frozenset([0x00, 0x01, *range(0xD0, 0xDB)])  # data, scans, the end

Pixels = tuple[int, int]  # width, height


@dataclass(frozen=True, slots=True)
class Format:
    mimetype: str
    kind: MediaKind
    magic: bytes  # at offset 0
    extensions: tuple[str, ...]  # the first is the default
    measure: Callable[[bytes], Pixels | None] | None = None


def find_format(data: bytes) -> Format | None:
    return next((known for known in FORMATS if data.startswith(known.magic)), None)


def plain(mimetype: str) -> str:
    """Normalize: lower case, without parameters, aliases resolved."""
    bare = mimetype.partition(";")[0].strip().lower()
    return _ALIASES.get(bare, bare)


def _measure_png(data: bytes) -> Pixels | None:
    if data[8:16] != b"\0\0\0\x0dIHDR" or len(data) < 24:
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _measure_jpeg(data: bytes) -> Pixels | None:
    """Walk the segments to the frame header; None if the file has none."""
    at = 2
    for _ in range(JPEG_SEGMENTS_MAX):
        if at + 9 > len(data) or data[at] != 0xFF:
            return None
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xFF:  # fill bytes may precede a marker
            at += 1
        elif marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        elif marker in _NO_FRAME_AFTER or length < 2:
            return None
        else:
            at += 2 + length
    return None


FORMATS = (
    Format(
        "image/jpeg", MediaKind.IMAGE, b"\xff\xd8\xff", (".jpg", ".jpeg", ".jfif"), _measure_jpeg
    ),
    Format("image/png", MediaKind.IMAGE, b"\x89PNG\r\n\x1a\n", (".png",), _measure_png),
    Format("application/pdf", MediaKind.DOCUMENT, b"%PDF-", (".pdf",)),
)
BY_MIMETYPE = {known.mimetype: known for known in FORMATS}
_ALIASES = {"image/jpg": "image/jpeg"}  # not a registered type, but common

assert tuple(BY_MIMETYPE) == limits.MEDIA_TYPES
