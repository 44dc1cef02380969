"""Replies are read in turns with the event loop, by what they grow to and not by their length."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from tidings.features.replies.slices import in_slices


async def rounds_of(texts: list[str]) -> int:
    """How many rounds the loop had while these were gone through."""
    rounds = 0

    async def count() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await asyncio.sleep(0)
    before = rounds
    replies: list[Any] = [SimpleNamespace(item=SimpleNamespace(text=text)) for text in texts]
    assert [reply.item.text async for reply in in_slices(replies)] == texts
    counting.cancel()
    return rounds - before


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("yes", 11, 14),  # 100 short ones
        ("\ufdfa" * 200, 100, 100),  # 3,600 characters each once they are normalised
        ("a" * 4096, 100, 100),
    ],
)
async def test_the_loop_has_its_rounds(text: str, least: int, most: int) -> None:
    assert least <= await rounds_of([text] * 100) <= most
