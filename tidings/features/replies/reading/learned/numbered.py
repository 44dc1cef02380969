"""Features as numbers: runs of letters, words or signs, each as one number of 30 bits. Pure.

A run is numbered from the run that is one shorter, so that all runs of a row cost a multiplication
each, and 30 bits because Python multiplies such numbers fastest. Two runs that share a number are
rare, and learnt together.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from zlib import crc32

BITS = 30
ODD = "surrogatepass"  # half a character is a feature like any other
CACHED_WORDS_MAX = 1 << 14

_WHOLE = (1 << BITS) - 1
_SPREAD = 0x2545F491


def number_of(text: str) -> int:
    return crc32(text.encode(errors=ODD)) & _WHOLE


@lru_cache(maxsize=CACHED_WORDS_MAX)
def number_of_word(word: str) -> int:
    return number_of(word)


def runs(row: Sequence[int], longest: int, salt: int = 0) -> Iterator[list[int]]:
    """All runs of one, of two, and so on; `salt` tells one kind of row from another."""
    found = [((each ^ salt) * _SPREAD) & _WHOLE for each in row]
    yield found
    for size in range(1, longest):
        found = [
            ((run + each) * _SPREAD) & _WHOLE for run, each in zip(found, row[size:], strict=False)
        ]
        yield found


def runs_of_words(words: Sequence[str], longest: int, salt: int) -> Iterator[list[int]]:
    return runs(list(map(number_of_word, words)), longest, salt)
