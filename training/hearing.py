"""Replies heard once, on all cores, for everything that is trained on them."""

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

from tidings.features.replies.reading.heard import Heard, hear

AT_ONCE = 500  # replies handed to a process
_known: dict[str, Heard] = {}


def hear_all(texts: Iterable[str]) -> None:
    """Ahead of `heard`, which hears one at a time what was not heard here."""
    new = [text for text in dict.fromkeys(texts) if text not in _known]
    with ProcessPoolExecutor() as pool:
        _known.update(zip(new, pool.map(hear, new, chunksize=AT_ONCE), strict=True))


def heard(text: str) -> Heard:
    if text not in _known:
        _known[text] = hear(text)
    return _known[text]
