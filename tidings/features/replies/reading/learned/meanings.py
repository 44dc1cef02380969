"""What words mean, of some hundred and fifty things that guests write about. Pure once loaded.

"flu", "грипп" and "Fieber" are all `illness`: what is learnt of a meaning in one language is known
in all eight. training/meanings has the words of each language; words.meanings is made from them by
`make train`: checksums in order, and for each the meanings, so that ninety thousand words take
0.6 MB and no time to load.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pkgutil import get_data

import msgspec

from ..tagged import Tagged
from ..tokens import Kind
from .numbered import CACHED_WORDS_MAX, number_of

FILE = "words.meanings"
PHRASE_WORDS_MAX = 4
STEM_CHARS_MIN, STEM_CHARS_MAX = 3, 16
# Words in Latin letters of a language with an alphabet of its own: looked up in each of these.
_LANGUAGES = {"spelled": ("ar", "ru", "he")}

Meaning = tuple[int, ...]
# What a token is if it has no meaning; the numbers of meanings begin at FIRST.
UNKNOWN, NUMBER, OTHER, END, ASKED = ((number,) for number in range(1, 6))
FIRST = 8


class Index(msgspec.Struct, frozen=True):
    """Where the checksums of one language lie: `words`, `stems`, `phrases` and their `starts`."""

    words: tuple[int, int]
    stems: tuple[int, int]
    phrases: tuple[int, int]
    starts: tuple[int, int]


class Header(msgspec.Struct, frozen=True):
    size: int  # of all checksums together
    meanings: list[tuple[int, ...]]  # by the number that stands beside a checksum
    languages: dict[str, Index]


class Meanings:
    def __init__(self, content: bytes) -> None:
        line, _, numbers = content.partition(b"\n")
        self.header = msgspec.json.decode(line, type=Header)
        size = self.header.size
        self._sums, self._of = array("I"), array("H")
        self._sums.frombytes(numbers[: 4 * size])
        self._of.frombytes(numbers[4 * size :])
        self._known = lru_cache(maxsize=CACHED_WORDS_MAX)(self._of_word)

    def of_pieces(self, pieces: Sequence[Tagged]) -> list[Meaning]:
        """Of each word or phrase; a mark where nothing is known."""
        found: list[Meaning] = []
        for piece in pieces:
            found += self._of_piece(piece)
            found.append(ASKED if piece.is_asked else END)
        return found

    def _of_piece(self, piece: Tagged) -> Iterator[Meaning]:
        at, end = piece.items[0].start, piece.items[-1].end
        words = [token.text if token.is_word else "" for token in piece.tokens[:end]]
        while at < end:
            token = piece.tokens[at]
            if not token.is_word:
                yield NUMBER if token.kind is Kind.NUMBER else OTHER
                at += 1
                continue
            language = piece.spoken[at].table.language
            meaning: Meaning = UNKNOWN
            many = 1
            for each in _LANGUAGES.get(language, (language,)):
                if meaning is UNKNOWN and each in self.header.languages:
                    meaning, many = self._find(each, words, at)
            yield meaning
            at += many

    def _find(self, language: str, words: Sequence[str], at: int) -> tuple[Meaning, int]:
        meaning, begins_phrase = self._known(language, words[at])
        if begins_phrase:
            phrases = self.header.languages[language].phrases
            for many in range(min(PHRASE_WORDS_MAX, len(words) - at), 1, -1):
                known = self._look_up(phrases, " ".join(words[at : at + many]))
                if known is not None:
                    return known, many
        return meaning, 1

    def _of_word(self, language: str, word: str) -> tuple[Meaning, bool]:
        """What it means by itself, or its beginning, and whether a phrase begins with it."""
        index = self.header.languages[language]
        begins_phrase = self._look_up(index.starts, word) is not None
        known = self._look_up(index.words, word)
        size = min(len(word), STEM_CHARS_MAX)
        while known is None and size >= STEM_CHARS_MIN:
            known = self._look_up(index.stems, word[:size])
            size -= 1
        return known or UNKNOWN, begins_phrase

    def _look_up(self, bounds: tuple[int, int], words: str) -> Meaning | None:
        start, end = bounds
        checksum = number_of(words)
        at = bisect_left(self._sums, checksum, start, end)
        if at < end and self._sums[at] == checksum:
            return self.header.meanings[self._of[at]]
        return None


@cache
def load() -> Meanings:
    content = get_data(__name__, FILE)
    assert content is not None, "the loader of this package gives no data"
    return Meanings(content)
