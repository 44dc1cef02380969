"""The framing of questions and answers on a stream: length, number, body. Pure.

An answer has the number of its question, so that many are on their way at once, in any order.
"""

import struct

from tidings import limits

BYTES_MAX = 2 * limits.MIB
_HEAD = struct.Struct("!II")  # bytes of the body, number


class TooLong(Exception):
    """A frame claims to be longer than any that we send."""


def frame(number: int, body: bytes) -> bytes:
    return _HEAD.pack(len(body), number) + body


class Frames:
    """Collects what a stream delivers, in pieces of any size."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """The frames that are complete by now, each with its number."""
        rest = self._rest + data if self._rest else data
        found: list[tuple[int, bytes]] = []
        begin = 0
        while len(rest) - begin >= _HEAD.size:
            length, number = _HEAD.unpack_from(rest, begin)
            if length > BYTES_MAX:
                raise TooLong
            end = begin + _HEAD.size + length
            if end > len(rest):
                break
            found.append((number, rest[begin + _HEAD.size : end]))
            begin = end
        self._rest = rest[begin:]
        return found
