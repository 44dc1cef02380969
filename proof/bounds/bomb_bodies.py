"""Bodies of the API that are bombs, beside the shapes of `bench.hostile`."""

import base64
import gzip
import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bench.hostile import MOST, TEXT, shapes

UPLOAD = "/messages/upload"
REFUSED = frozenset({"400", "429"})  # 429: large bodies wait for one another, 5 s at most
TAKEN = REFUSED | {"200", "202"}
LARGE = MOST - (64 << 10)  # as large as a body may be, with a little room
PNG_HEAD = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"


@dataclass(frozen=True, slots=True)
class Body:
    name: str
    path: str
    make: Callable[[], bytes]
    times: int = 20
    expected: frozenset[str] = REFUSED
    headers: Mapping[str, str] = field(default_factory=dict)


def _shape(name: str, expected: frozenset[str]) -> Body:
    path, make = shapes(LARGE - (3 << 20))[name]
    return Body(f"20 MB, {name}", path, make, expected=expected)


def _file(data: bytes, mimetype: str = "image/png") -> bytes:
    body = {"mediaBase64": base64.b64encode(data).decode(), "mimetype": mimetype}
    return json.dumps(body).encode()


def _png() -> bytes:
    """50,000 by 50,000: ten gigabytes, decoded."""
    head = PNG_HEAD + struct.pack(">II", 50_000, 50_000) + b"\x08\x06\0\0\0" + b"\0" * 4
    return _file(head + b"\0" * 1000)


def _jpeg() -> bytes:
    frame = struct.pack(">BHHB", 8, 65_500, 65_500, 1) + b"\x01\x11\0"
    said = b"\xff\xd8\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xda\0\x02"
    return _file(said, "image/jpeg")


def _pdf() -> bytes:
    """A hundred and fifty thousand objects, each a stream that says it is compressed."""
    made = b"".join(b"%d 0 obj<</Filter/FlateDecode>>endobj\n" % n for n in range(110_000))
    return _file((b"%PDF-1.7\n" + made)[: 5 << 20], "application/pdf")


def _deep() -> bytes:
    return b'{"clientMessageId":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def _keys() -> bytes:
    return b"{" + b",".join(b'"key%d":1' % n for n in range(100_000)) + b"}"


BODIES = (
    _shape("full items", TAKEN),
    _shape("lists of lists", TAKEN),
    _shape("large faulty items", TAKEN),
    _shape("escapes in a large text", TAKEN),
    _shape("numbers in meta", TAKEN),
    _shape("a text that does not end", REFUSED),
    Body("base64 of 15 MB", UPLOAD, lambda: _file(b"\0" * (14 << 20))),
    Body("20 MB of base64 A", UPLOAD, lambda: b'{"mediaBase64":"%b"}' % (b"A" * (LARGE - 100))),
    Body("100,000 brackets deep", TEXT, _deep),
    Body("100,000 keys", TEXT, _keys),
    Body("PNG of 50,000 x 50,000", UPLOAD, _png),
    Body("JPEG of 65,500 x 65,500", UPLOAD, _jpeg),
    Body("PDF of 110,000 objects", UPLOAD, _pdf, expected=TAKEN),
    Body("100 MB of zeros in gzip", TEXT, lambda: gzip.compress(b"\0" * (100 << 20), 6), 50,
         headers={"Content-Encoding": "gzip"}),
)  # fmt: skip
