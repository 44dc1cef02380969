"""Iterate over replies, yielding to the event loop: reading them is CPU work."""

import asyncio
from collections.abc import AsyncIterator, Iterable

from .model import GuestReply

REPLIES_AT_ONCE = 8
CHARS_AT_ONCE = 1024  # some 10 ms
EXPANSION = 18  # characters that NFKC makes of one, at most (U+FDFA)


async def in_slices(replies: Iterable[GuestReply]) -> AsyncIterator[GuestReply]:
    """Each of them; yields to the event loop after a few, or after a few long ones."""
    count, chars = 0, 0
    for reply in replies:
        count, chars = count + 1, chars + _weight(reply.item.text or "")
        if count >= REPLIES_AT_ONCE or chars >= CHARS_AT_ONCE:
            await asyncio.sleep(0)
            count, chars = 0, 0
        yield reply


def _weight(text: str) -> int:
    """The characters to read after normalisation, at most."""
    return len(text) if text.isascii() else len(text) * EXPANSION
