"""The words of a normalised phrase as the guest typed them. Pure.

Normalising keeps no positions, so the phrase is looked for: the shortest run of typed words that
normalises to it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .normalise import CHARS_MAX, normalise
from .tokens import clauses

PHRASE_CHARS_MAX = 40
# A word with the marks written inside it (can't, בעז"ה), or one other sign.
_WORD = re.compile(r"\w+(?:['’‘`´ʼ׳ʹ\"“”״.:/]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    says: tuple[str, ...]  # the normalised words that it is


class Typed:
    """A text, to find phrases in."""

    def __init__(self, text: str) -> None:
        self.text = text[:CHARS_MAX]
        self.normalised = normalise(text)
        spans = (found.span() for found in _WORD.finditer(self.text))
        self._words = [_Word(a, b, _tokens(self.text[a:b])) for a, b in spans]

    def find(self, phrase: Sequence[str]) -> str | None:
        """The phrase as it was typed, else as it was normalised, cut to PHRASE_CHARS_MAX."""
        if not phrase:
            return None
        found = self._as_typed(tuple(phrase)) or self._as_normalised(phrase)
        return self._cut(found) if found else None

    def holds(self, part: str) -> bool:
        """Whether the normalised text holds these words."""
        return part in self.normalised or normalise(part) in self.normalised

    def _as_typed(self, phrase: tuple[str, ...]) -> str | None:
        for first, word in enumerate(self._words):
            if word.says and phrase[: len(word.says)] == word.says:
                end = self._end(phrase, first)
                typed = self.text[word.start : end] if end else ""
                if typed and _tokens(typed) == phrase and self.holds(typed):
                    return typed
        return None

    def _end(self, phrase: tuple[str, ...], first: int) -> int | None:
        """The end of the words from `first` on that together are the phrase."""
        said: tuple[str, ...] = ()
        for word in self._words[first:]:
            said += word.says
            if said == phrase:
                return word.end
            if phrase[: len(said)] != said:
                return None
        return None

    def _as_normalised(self, phrase: Sequence[str]) -> str | None:
        pattern = r"\W{0,3}".join(re.escape(word) for word in phrase)
        found = re.search(pattern, self.normalised)
        return found[0] if found else None

    def _cut(self, phrase: str) -> str | None:
        """Whole words only, where the phrase has spaces."""
        if len(phrase) > PHRASE_CHARS_MAX:
            head = phrase[: PHRASE_CHARS_MAX + 1]
            phrase = head.rpartition(" ")[0].rstrip() or head[:PHRASE_CHARS_MAX]
        return phrase if phrase and self.holds(phrase) else None


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(token.text for clause in clauses(normalise(text)) for token in clause.tokens)
