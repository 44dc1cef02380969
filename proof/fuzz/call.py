"""One request as bytes, and what is known about its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tidings.engine.http.endpoint import Route

Headers = Sequence[tuple[bytes, bytes]]
_SURE_HEAD_BYTES = 12_000  # a head below this is never refused for its size


@dataclass(frozen=True, slots=True)
class Call:
    """`environment`: the answer must carry it, as the key is good and the HTTP well-formed."""

    area: str
    name: str
    raw: bytes
    route: Route | None = None
    environment: str | None = None
    is_alone: bool = False  # on a connection of its own, which may get any number of answers

    @property
    def is_head(self) -> bool:
        return self.raw.startswith(b"HEAD ")


def http(
    method: bytes,
    target: bytes,
    headers: Headers,
    body: bytes | None = None,
    chunks: Random | None = None,
) -> bytes:
    """A request; the body in chunks of random sizes where `chunks` is given."""
    lines = [b"%b %b HTTP/1.1" % (method, target), b"host: fuzz.invalid"]
    lines += [b"%b: %b" % pair for pair in headers]
    if body is not None:
        lines.append(
            b"content-length: %d" % len(body) if chunks is None else b"transfer-encoding: chunked"
        )
    sent = b"" if body is None else body if chunks is None else _chunked(body, chunks)
    return b"\r\n".join([*lines, b"", b""]) + sent


def is_sure(raw: bytes) -> bool:
    """Whether the head is too short to be refused for its size."""
    return 0 <= raw.find(b"\r\n\r\n") < _SURE_HEAD_BYTES


def _chunked(body: bytes, rng: Random) -> bytes:
    parts: list[bytes] = []
    at = 0
    while at < len(body):
        size = rng.choice([1, 2, 7, 1000, len(body)])
        piece = body[at : at + size] if len(parts) < 50 else body[at:]
        extension = b";a=b" if rng.random() < 0.1 else b""
        parts.append(b"%x%b\r\n%b\r\n" % (len(piece), extension, piece))
        at += len(piece)
    return b"".join([*parts, b"0\r\n\r\n"])
